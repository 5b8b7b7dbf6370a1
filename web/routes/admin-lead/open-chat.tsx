import type { TimelineEntry } from '../../../events/wire/person.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

/** The chat of which one of these leads was made, as long as it goes on. */
const openChatOf = (timeline: readonly TimelineEntry[], leadIds: ReadonlySet<string>) => {
  const ended = new Set(timeline.flatMap(({ kind, sessionId }) => (kind === 'chat_ended' ? [sessionId] : [])))
  return timeline.findLast(
    ({ kind, leadId, sessionId }) => kind === 'chat' && leadIds.has(leadId ?? '') && !ended.has(sessionId),
  )
}

const Shown = ({ sessionId }: { sessionId: string }) => (
  <p css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.tight} ${space.base}` }}>
    <span css={{ color: colour.soft, fontSize: type.small }}>This lead was made of a chat that is still open.</span>
    <ButtonLink look="quiet" {...useGoTo(`/admin-chat?session=${sessionId}`)}>
      Open the chat
    </ButtonLink>
  </p>
)

/** The way back to the chat of which a lead was made, while it is open: its visitor may wait there. */
export const OpenChat = (props: { timeline: readonly TimelineEntry[]; leadIds: ReadonlySet<string> }) => {
  const chat = openChatOf(props.timeline, props.leadIds)
  return chat?.sessionId ? <Shown sessionId={chat.sessionId} /> : null
}
