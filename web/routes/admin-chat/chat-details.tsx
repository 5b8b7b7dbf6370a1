import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { ChatMessage, ChatRecord, ChatSession } from '../../../events/chat/wire.ts'
import { isErased } from '../../../events/lead/wire.ts'
import type { PageView } from '../../chat/console/console-state.ts'
import { useMe } from '../../staff/account/account.ts'
import { visitorNameOf } from '../../staff/chat/visitor-name.ts'
import { briefMomentOf } from '../../staff/day.ts'
import { useLeadAlone } from '../../staff/leads/lead.ts'
import { ContractChips } from '../../staff/leads/shown/contract-chips.tsx'
import { counted } from '../../staff/leads/shown/labels.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { StatusChip } from '../../staff/leads/shown/status.tsx'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { tipAbove, tipped } from '../../ui/tooltip.ts'
import { useMedia } from '../../ui/use-media.ts'
import { ChatLead } from './chat-lead.tsx'
import { EraseChat } from './erase-chat.tsx'
import { columnHeight } from './heights.ts'
import { Links } from './links.tsx'
import { pageInWords, pageName, pagesOf } from './pages.ts'
import { Transcript } from './transcript.tsx'

/** The lead of a chat's visitor at a glance: who it is, how far it has got, and whether they have a contract. */
const KnownLead = ({ leadId }: { leadId: string | undefined }) => {
  const { data: lead } = useLeadAlone(leadId)
  if (!lead || isErased(lead)) return null
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.hair, fontSize: type.small }}>
      <span css={{ flexBasis: '100%', color: colour.ink, fontWeight: 600, overflowWrap: 'anywhere' }}>
        <LeadName lead={lead} />
      </span>
      <StatusChip status={lead.followUpStatus} />
      <ContractChips lead={lead} />
    </div>
  )
}

/** The newest other chats of the same visitor; nothing if there are none. */
const EarlierChats = ({ chats }: { chats: NonNullable<ChatRecord['earlierChats']> }) =>
  chats.length === 0 ? null : (
    <ul aria-label={counted(chats.length, 'other chat')} css={{ fontSize: type.small }}>
      {chats.map(({ sessionId, startTime }) => (
        <li key={sessionId}>
          <Link to={`/admin-chat?session=${sessionId}`}>Chat of {briefMomentOf(startTime)}</Link>
        </li>
      ))}
    </ul>
  )

/** From this width on there is room next to the conversation. */
const IN_COLUMN = '(min-width: 80rem)'

const Pages = ({ pages }: { pages: readonly PageView[] }) => (
  <ol aria-label="Pages" css={{ display: 'grid', gap: space.tight, maxHeight: '17rem', overflowY: 'auto' }}>
    {pages.map(({ pageUrl, timestamp }, index) => (
      <li
        key={`${timestamp} ${pageUrl}`}
        css={{
          display: 'grid',
          gridTemplateColumns: 'auto 1fr',
          gap: space.snug,
          fontSize: type.small,
          lineHeight: 1.4,
        }}
      >
        <time dateTime={timestamp} css={{ color: colour.soft, fontVariantNumeric: 'tabular-nums' }}>
          {briefMomentOf(timestamp)}
        </time>
        <span
          {...tipped(pageName(pageUrl))}
          css={[tipAbove, { fontWeight: index === pages.length - 1 ? 600 : 400, overflowWrap: 'anywhere' }]}
        >
          {pageInWords(pageUrl)}
        </span>
      </li>
    ))}
  </ol>
)

const heading = { fontSize: type.small, letterSpacing: 0, marginBottom: space.tight }

/** The facts about the visitor, and the actions on the chat: next to the conversation, or folded above it. */
export const ChatDetails = (props: {
  session: ChatSession
  messages: readonly ChatMessage[]
  record: ChatRecord | undefined
  failure: Error | undefined
  live: readonly PageView[]
  onChange: () => void
}) => {
  const { session, messages, record } = props
  const isInColumn = useMedia(IN_COLUMN)
  const { data: me } = useMe()
  const { visitorEmail } = session
  const lookedUp = useRef(visitorEmail)
  const { onChange } = props
  useEffect(() => {
    // an address that was given since then may be that of a person with leads
    if (lookedUp.current !== visitorEmail) onChange()
    lookedUp.current = visitorEmail
  }, [visitorEmail, onChange])
  const pages = pagesOf(session, record?.pages, props.live)
  const pagesInWords = pages.length === 1 ? '1 page' : `${pages.length} pages`
  const body = (
    <div
      css={{
        display: 'grid',
        gap: space.roomy,
        ...(!isInColumn && { [from.medium]: { gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)' } }),
      }}
    >
      {props.failure && <FetchFailure title="Error loading the chat" error={props.failure} retry={props.onChange} />}
      <section aria-labelledby="chat-who" css={{ display: 'grid', alignContent: 'start', gap: space.tight }}>
        <h3 id="chat-who" css={heading}>
          Who this is
        </h3>
        <KnownLead leadId={record?.leadId ?? record?.knownLeadId ?? undefined} />
        <ChatLead session={session} messages={messages} record={record} onMade={onChange} />
        <EarlierChats chats={record?.earlierChats ?? []} />
      </section>
      <section aria-labelledby="chat-pages">
        <h3 id="chat-pages" css={heading}>
          Visitor’s pages
        </h3>
        {pages.length > 0 ? <Pages pages={pages} /> : <p css={{ color: colour.soft, fontSize: type.small }}>Unknown</p>}
      </section>
      <section aria-labelledby="chat-next" css={{ display: 'grid', alignContent: 'start', gap: space.tight }}>
        <h3 id="chat-next" css={heading}>
          Next steps
        </h3>
        <Transcript session={session} newest={messages.at(-1)?.sequence ?? 0} record={record} onSent={props.onChange} />
        <Links
          sessionId={session.sessionId}
          phone={session.visitorPhone ?? ''}
          record={record}
          onRevoked={props.onChange}
        />
        {me?.role === 'owner' && (
          <EraseChat
            sessionId={session.sessionId}
            visitor={visitorNameOf(session.visitorName)}
            hasLead={typeof record?.leadId === 'string'}
          />
        )}
      </section>
    </div>
  )
  const card = { ...panel, minWidth: 0 }
  if (isInColumn) {
    return (
      <aside aria-label="About this chat" css={{ ...card, ...columnHeight, overflowY: 'auto', padding: space.base }}>
        {body}
      </aside>
    )
  }
  return (
    <details css={{ ...card, '&[open] > summary': { borderBottom: `1px solid ${colour.line}` } }}>
      <summary
        css={{ padding: `${space.snug} ${space.base}`, cursor: 'pointer', fontSize: type.small, fontWeight: 600 }}
      >
        About this chat <span css={{ color: colour.soft, fontWeight: 400 }}>· lead, {pagesInWords}, transcript</span>
      </summary>
      <div css={{ padding: space.base }}>{body}</div>
    </details>
  )
}
