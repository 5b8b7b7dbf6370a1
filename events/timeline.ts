import type { ChatSession } from './chat.ts'
import { isUndoable } from './follow-up-history.ts'
import { forwardStatusAfter, isContract, type LeadEvent, leadIdOf } from './lead.ts'

/** What an entry of a person's timeline is about. */
export const ENTRY_KINDS = [
  'lead',
  'contract',
  'questionnaire',
  'follow_up',
  'note',
  'note_removed',
  'released',
  'erased',
  'email',
  'chat',
  'chat_ended',
] as const

export type EntryKind = (typeof ENTRY_KINDS)[number]

/**
 * One thing that happened with a person. `id` is that of its event, `timestamp` ISO 8601, `by` the name of the staff
 * member who did it. `data` is what the event holds; of an e-mail also the `state` that it left the forward in, of a chat
 * the number of its `messages`.
 */
export type TimelineEntry = {
  id: string
  kind: EntryKind
  timestamp: string
  by: string | null
  leadId: string | null
  sessionId: string | null
  data: Record<string, unknown>
  isUndoable: boolean
}

const kindOf = (event: LeadEvent): EntryKind => {
  switch (event.type) {
    case 'LeadSubmitted':
      return isContract(event.data.leadSource) ? 'contract' : 'lead'
    case 'WebsiteInfoSubmitted':
      return 'questionnaire'
    case 'LeadFollowUpChanged':
      return 'follow_up'
    case 'LeadNoteAdded':
      return 'note'
    case 'LeadNoteRemoved':
      return 'note_removed'
    case 'LeadReleased':
      return 'released'
    case 'LeadErased':
      return 'erased'
    case 'EmailForwarded':
    case 'EmailForwardFailed':
    case 'EmailResendRequested':
      return 'email'
    default:
      return event satisfies never
  }
}

/** What a lead's stream tells, entry by entry; `staff` are the names of its members by id. */
export const leadEntries = (events: LeadEvent[], staff: Map<string, string>): TimelineEntry[] =>
  events.map((event) => {
    const { id, stream, recordedAt, data, personal } = event
    const kind = kindOf(event)
    return {
      id,
      kind,
      timestamp: recordedAt.toISOString(),
      by: ('by' in data && staff.get(data.by)) || null,
      leadId: leadIdOf(stream) ?? null,
      sessionId: null,
      data: { ...data, ...personal, ...('forwardId' in data && { state: forwardStatusAfter(event as EmailOutcome) }) },
      isUndoable: isUndoable(event, events),
    }
  })

type EmailOutcome = Parameters<typeof forwardStatusAfter>[0]

/** A chat as a timeline tells it: what the view knows, the lead that it became, and how many messages it has. */
export type TimelineChat = { session: ChatSession; leadId: string | null; messages: number }

/** A chat's beginning, and its end if it has one. */
export const chatEntries = ({ session, leadId, messages }: TimelineChat): TimelineEntry[] => {
  const { sessionId, startTime, endTime, visitorName, visitorEmail, pageUrl } = session
  const common = { by: null, leadId, sessionId, isUndoable: false }
  const data = { visitorName, visitorEmail, pageUrl, messages }
  const begun: TimelineEntry = { ...common, id: sessionId, kind: 'chat', timestamp: startTime, data }
  if (endTime === null) return [begun]
  return [begun, { ...common, id: `${sessionId}-end`, kind: 'chat_ended', timestamp: endTime, data: {} }]
}
