import { useLayoutEffect, useRef } from 'react'
import { emailKey } from '../../../events/base/address.ts'
import { phoneKey } from '../../../events/base/phone.ts'
import type { ChatMessage, ChatRecord, ChatSession } from '../../../events/chat/wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { randomId } from '../../client/random-id.ts'
import { useMe } from '../../staff/account/account.ts'
import { showAnswered } from '../../staff/leads/change/ownership.ts'
import { LASTING } from '../../staff/leads/change/undo-with-toast.ts'
import { ReplyPromise } from '../../staff/leads/clock/reply-promise.tsx'
import { countChatAnswer } from '../../staff/leads/contact/answer.ts'
import { useLeadAlone } from '../../staff/leads/lead.ts'
import { useLeadRefresh } from '../../staff/leads/live/refresh.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { Button } from '../../ui/button.tsx'
import { colour, from, space } from '../../ui/theme.ts'

type Props = {
  session: ChatSession
  messages: readonly ChatMessage[]
  record: ChatRecord | undefined
  /** Fetches the record of the chat again. */
  onChange: () => void
  /** Called when the element with the focus goes away: the focus moves elsewhere in the chat. */
  onLeft: () => void
}

/**
 * The lead that waits for a reply to the visitor, live: fetched again when one of theirs changes, at most once a
 * second.
 */
const useWaitingLead = ({ session, record, onChange }: Pick<Props, 'session' | 'record' | 'onChange'>) => {
  const id = record?.waitingLead?.id
  const { data: lead, mutate } = useLeadAlone(id)
  const refresh = () => {
    onChange()
    if (id) mutate()
  }
  const isAbout = (other: Lead) => {
    if (other.id === id || other.id === record?.leadId) return true
    const [email, phone] = [emailKey(session.visitorEmail), phoneKey(session.visitorPhone ?? '')]
    return (email !== null && emailKey(other.email) === email) || (phone !== null && phoneKey(other.phone) === phone)
  }
  // the record of a chat is fetched as it is opened
  useLeadRefresh(refresh, { onLeads: (fresh) => fresh.some(isAbout), isFetched: true })
  const isWaiting = id !== undefined && lead?.followUpStatus === 'new' && lead.answeredAt === null
  /** The lead as changed by marking it answered is shown before it is fetched: a second click does nothing. */
  const showChanged = (counted: Lead) => {
    mutate(counted)
    onChange()
  }
  return { lead: isWaiting ? lead : undefined, refresh, showChanged }
}

type CountProps = { lead: Lead; sessionId: string; onCounted: (lead: Lead) => void } & Pick<
  Props,
  'onChange' | 'onLeft'
>

const Count = ({ lead, sessionId, onCounted, onChange, onLeft }: CountProps) => {
  const { data: me } = useMe()
  const { isBusy, run } = useBusy('This was not counted')
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (document.activeElement === shown) onLeft()
    }
  }, [onLeft])
  const count = async () => {
    const isCounted = await run(async () => {
      const { lead: answered, eventId } = await countChatAnswer(lead.id, { key: randomId(), sessionId })
      showAnswered(
        { before: lead, answered, eventId, myId: me?.id },
        { title: 'Counted as the answer', left: LASTING.chat_answer, onUndone: onChange },
      )
      onCounted(answered)
    })
    if (!isCounted) onChange()
  }
  return (
    <Button
      ref={button}
      look="quiet"
      aria-disabled={isBusy}
      onClick={count}
      css={{ marginLeft: 'auto', paddingInline: space.tight, [from.medium]: { paddingInline: space.snug } }}
    >
      Count your reply as the answer
    </Button>
  )
}

/**
 * The lead that waits for a reply to the visitor of a chat, with its clock. An address that was typed in the chat
 * proves nothing, so staff confirm themselves that their messages here since the lead came were the reply; or their
 * earlier ones, if it was created from this chat.
 */
export const WaitingLead = (props: Props) => {
  const { session, messages, record } = props
  const { lead, refresh, showChanged } = useWaitingLead(props)
  if (!lead) return null
  const { isMade = false, isByItself = true, isWritten = false } = record?.waitingLead ?? {}
  // the lead created from this chat no longer waits, and is not the one with this clock
  const isAnother = !isMade && Boolean(record?.leadId)
  // the record covers messages that are not loaded, and none that were written after it was fetched
  const hasWords =
    isWritten ||
    messages.some(({ senderType, timestamp }) => senderType === 'admin' && (isMade || timestamp > lead.timestamp))
  return (
    <section
      aria-label="Waiting lead"
      css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.hair} ${space.tight}` }}
    >
      <span css={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {isAnother ? 'Another lead' : 'Lead'}:{' '}
        <PlainLink leadId={lead.id} css={{ fontWeight: 600, color: colour.ink }}>
          <LeadName lead={lead} />
        </PlainLink>
      </span>
      <ReplyPromise lead={lead} />
      {hasWords && !isByItself && (
        <Count
          lead={lead}
          sessionId={session.sessionId}
          onCounted={showChanged}
          onChange={refresh}
          onLeft={props.onLeft}
        />
      )}
    </section>
  )
}
