import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { useNow } from '../../../ui/now.ts'
import { colour, space, type } from '../../../ui/theme.ts'
import { useGoTo } from '../../go-to.ts'
import { chatWaitInWords } from '../clock/clock.ts'

const isWaiting = ({ data }: TimelineEntry) => typeof data.waitingSince === 'string'

/**
 * The person's active chat: preferably one in which they wait, then the one from which one of these leads was created,
 * then the newest.
 */
const openChatOf = (timeline: readonly TimelineEntry[], leadIds: ReadonlySet<string>) => {
  const ended = new Set(timeline.flatMap(({ kind, sessionId }) => (kind === 'chat_ended' ? [sessionId] : [])))
  const chats = timeline.filter(({ kind, sessionId }) => kind === 'chat' && sessionId !== null && !ended.has(sessionId))
  const isMade = ({ leadId }: TimelineEntry) => leadIds.has(leadId ?? '')
  const rank = (chat: TimelineEntry) => 2 * Number(isWaiting(chat)) + Number(isMade(chat))
  const chat = chats.toSorted((a, b) => rank(a) - rank(b)).at(-1)
  return chat && { chat, isMade: isMade(chat) }
}

const Shown = ({ chat, isMade }: { chat: TimelineEntry; isMade: boolean }) => {
  const now = useNow()
  const sentence = isMade
    ? 'This lead was made of a chat that is still open.'
    : 'A chat of the same person is still open.'
  return (
    <p css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.tight} ${space.base}` }}>
      <span css={{ color: colour.soft, fontSize: type.small }}>
        {sentence}
        {isWaiting(chat) && (
          <strong css={{ color: colour.ink }}> {chatWaitInWords(String(chat.data.waitingSince), now)}</strong>
        )}
      </span>
      <ButtonLink look="quiet" {...useGoTo(`/admin-chat?session=${chat.sessionId}`)}>
        Open the chat
      </ButtonLink>
    </p>
  )
}

/** Links to the chat of a lead's person while it is open, with how long they have waited there. */
export const OpenChat = (props: { timeline: readonly TimelineEntry[]; leadIds: ReadonlySet<string> }) => {
  const found = openChatOf(props.timeline, props.leadIds)
  return found ? <Shown {...found} /> : null
}
