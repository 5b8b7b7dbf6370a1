import { Link } from 'react-router'
import type { AssignmentChange } from '../../../events/chat/wire.ts'
import type { Today } from '../../../events/lead/today-wire.ts'
import { useMe } from '../../staff/account.ts'
import { holderInWords } from '../../staff/chat-assignee.ts'
import { presentName, useColleagues } from '../../staff/colleagues.ts'
import { shortMomentOf } from '../../staff/day.ts'
import { TO_ANSWER, useGoTo } from '../../staff/go-to.ts'
import { visitorNameOf } from '../../staff/visitor-name.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { useNow } from '../../ui/now.ts'
import { colour } from '../../ui/theme.ts'
import { Row, Section } from './section.tsx'

const DAY_INTERVAL_MS = 60_000

/** The assignee of the chat, the staff member who handed it over, and their note; nothing if that is not known. */
const Holder = ({ assigned }: { assigned: AssignmentChange | null | undefined }) => {
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  if (assigned === undefined || !me) return null
  if (!assigned?.to) return <span>Unassigned</span>
  const { to, by, note } = assigned
  const isMine = to.staffId === me.id
  const assignedBy = by.staffId === me.id ? 'you' : presentName(by, colleagues)
  return (
    <>
      <span css={{ overflowWrap: 'anywhere', color: colour.ink, ...(isMine && { fontWeight: 600 }) }}>
        {holderInWords(assigned, { myId: me.id, colleagues })}
        {by.staffId !== to.staffId && ` by ${assignedBy}`}
      </span>
      {note && (
        <span dir="auto" css={{ flexBasis: '100%', overflowWrap: 'anywhere', color: colour.ink }}>
          Note: {note}
        </span>
      )}
    </>
  )
}

const ChatRow = ({
  chat: { sessionId, visitorName, waitingSince, lastWords, assigned },
}: {
  chat: Today['chats']['chats'][number]
}) => {
  const address = `/admin-chat?session=${sessionId}`
  const name = visitorNameOf(visitorName)
  const now = useNow(DAY_INTERVAL_MS)
  return (
    <Row
      title={<Link to={address}>{name}</Link>}
      actions={
        <ButtonLink look="quiet" {...useGoTo(address, TO_ANSWER)} aria-label={`Answer ${name}`}>
          Answer
        </ButtonLink>
      }
    >
      <Holder assigned={assigned} />
      {waitingSince && <span>Waiting since {shortMomentOf(waitingSince, now)}</span>}
      {lastWords && (
        <span dir="auto" css={{ overflowWrap: 'anywhere' }}>
          {lastWords}
        </span>
      )}
    </Row>
  )
}

/** The visitors who wait in the chat; nothing if there are none. */
export const ChatSection = ({ found: { count, chats } }: { found: Today['chats'] }) =>
  chats.length === 0 ? null : (
    <Section
      id="waiting-chats"
      title="Waiting chats"
      count={String(count)}
      all="/admin-chat"
      total={count}
      shown={chats.length}
    >
      {chats.map((chat) => (
        <ChatRow key={chat.sessionId} chat={chat} />
      ))}
    </Section>
  )
