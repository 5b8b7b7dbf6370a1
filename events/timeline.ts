import type { RecordedEvent } from './base/definition.ts'
import type { Sent } from './base/word.ts'
import type { ChatActivityEvent, ChatEmailEvent } from './chat/activity.ts'
import type { chatAssigned } from './chat/assignment.ts'
import { type ChatSession, sessionIdOf } from './chat/chat.ts'
import { type EmailEvent, hasReachedNoRecipient } from './email/email.ts'
import { type leadCopyRequested, leadCopyStreams } from './lead/email/copy.ts'
import { answerIdOf } from './lead/follow-up/answered.ts'
import { type FollowUp, fieldsOf } from './lead/follow-up/follow-up.ts'
import { changesBy, correctionBefore, isNoted, isUndoable, isUndone } from './lead/follow-up-history.ts'
import { emailStatusAfter, type LeadEvent, leadIdOf } from './lead/lead.ts'
import { type MergeEvent, mergeStreams } from './lead/person/merge.ts'
import type { timelineEntry } from './lead/person/person-wire.ts'
import { type LeadAnswerEvent, leadAnswerStreams } from './lead/reply/answer.ts'
import { type LeadContactEvent, leadContactStreams } from './lead/reply/contact.ts'
import { A_FORMER_COLLEAGUE } from './staff/staff.ts'

/** One entry of a person's timeline, as this version sends it. */
export type TimelineEntry = Sent<typeof timelineEntry>

/** The events in a timeline. */
type ShownEvent = LeadEvent | MergeEvent | ChatEmailEvent | LeadAnswerEvent | LeadContactEvent

type Kind = TimelineEntry['kind']

/** The kind of entry that each type of event has. */
const KINDS: { [Type in ShownEvent['type']]: Kind | ((event: Extract<ShownEvent, { type: Type }>) => Kind) } = {
  LeadSubmitted: ({ data }) => (data.isContract ? 'contract' : 'lead'),
  LeadEntered: ({ data }) => (data.importId ? 'imported' : 'entered'),
  WebsiteInfoSubmitted: 'questionnaire',
  LeadFollowUpChanged: 'follow_up',
  LeadAnswered: 'chat_answer',
  LeadAnswerWithdrawn: (event) => (isNoted(event) ? 'contact_removed' : 'follow_up'),
  LeadAnswerFailed: 'answer_failed',
  LeadAnswerRestored: ({ data }) => (data.at ? 'answer_arrived' : 'follow_up'),
  LeadNoteAdded: 'note',
  LeadNoteRemoved: 'note_removed',
  LeadCorrected: 'corrected',
  LeadFlagged: 'flagged',
  LeadReleased: 'released',
  LeadErased: 'erased',
  LeadWithdrawn: 'erased',
  LeadsMerged: 'merged',
  LeadsUnmerged: 'unmerged',
  EmailSent: 'email',
  EmailFailed: 'email',
  EmailResendRequested: 'email',
  ChatTranscriptRequested: 'transcript',
  ChatAnswersUnread: 'unread_answers',
  LeadEmailWritten: 'answer_email',
  LeadContacted: ({ data }) => data.channel,
  LeadCallUnanswered: 'call_unanswered',
  LeadContactRemoved: 'contact_removed',
}

const kindOf = (event: ShownEvent): Kind => {
  const kind: Kind | ((of: never) => Kind) = KINDS[event.type]
  return typeof kind === 'string' ? kind : kind(event as never)
}

/** The names of staff members by id. */
type StaffNames = ReadonlyMap<string, string>

const isOutcome = <E extends { type: string }>(event: E): event is E & EmailEvent => event.type.startsWith('Email')

/** The staff member who counted a colleague's reply in a chat. */
const countedBy = ({ data, metadata: { actor } }: ShownEvent, staff: StaffNames) => {
  const isCounted = 'isCounted' in data && actor.type === 'staff' && actor.id !== data.by
  return isCounted ? { countedBy: staff.get(actor.id) ?? A_FORMER_COLLEAGUE } : {}
}

/** The time of an action that staff recorded later. */
const recordedLaterAt = (event: ShownEvent) =>
  event.type === 'LeadContacted' || event.type === 'LeadCallUnanswered' ? event.data.at : undefined

const entryOf = (event: ShownEvent, staff: StaffNames): TimelineEntry => {
  const { id, stream, recordedAt, data, personal } = event
  return {
    id,
    kind: kindOf(event),
    timestamp: recordedLaterAt(event) ?? recordedAt.toISOString(),
    by: ('by' in data && data.by && staff.get(data.by)) || null, // an email fails by itself
    leadId: leadIdOf(stream) ?? null,
    sessionId: ('sessionId' in data && data.sessionId) || null,
    data: {
      ...data,
      ...personal,
      ...(isOutcome(event) && { state: emailStatusAfter(event) }),
      ...countedBy(event, staff),
    },
    isUndoable: false,
    isUndone: false,
  }
}

/** An event's data without the chat in which staff answered the lead: after an erasure nothing may lead there. */
export const withoutChat = <Data extends object>(data: Data): Omit<Data, 'sessionId' | 'answerId'> => {
  if (!('sessionId' in data)) return data
  const { sessionId: _, answerId: __, ...rest } = data as Data & { sessionId?: string; answerId?: string }
  return rest
}

/** The undone part of a reply: the fields of the lead that changed when it was withdrawn. */
const undoneOf = (event: LeadEvent, events: readonly LeadEvent[], changes: ReadonlyMap<string, FollowUp>) => {
  if (event.type !== 'LeadAnswered') return {}
  const { answerId } = event.data
  const last = events.findLast((other) => answerIdOf(other) === answerId)
  const changed = changes.get(event.id) ?? {}
  const back = (last?.type === 'LeadAnswerWithdrawn' && changes.get(last.id)) || {}
  const undone = fieldsOf(back).filter((field) => field in changed)
  return undone.length > 0 ? { undone } : {}
}

/** The entries of a lead's stream. A failed or restored reply has one if that changed the lead. */
export const leadEntries = (events: LeadEvent[], staff: StaffNames): TimelineEntry[] => {
  const changes = changesBy(events)
  return events.flatMap((event) => {
    const change = changes.get(event.id) ?? {}
    const isOutcomeOfAnswer = event.type === 'LeadAnswerFailed' || event.type === 'LeadAnswerRestored'
    if (isOutcomeOfAnswer && fieldsOf(change).length === 0) return []
    const entry = entryOf(event, staff)
    const was = event.type === 'LeadCorrected' ? { was: correctionBefore(event, events) } : {}
    return [
      {
        ...entry,
        data: { ...entry.data, ...change, ...was, ...undoneOf(event, events, changes) },
        isUndoable: isUndoable(event, events),
        isUndone: isUndone(event, events),
      },
    ]
  })
}

/** Whether an entry only says that a reply counts whose words have an entry of their own. */
const isOfAnswer = ({ kind, data }: TimelineEntry) => kind === 'chat_answer' && data.channel !== 'chat'

const withAnswered = (entry: TimelineEntry, answered: TimelineEntry | undefined): TimelineEntry => {
  if (!answered) return entry
  const { followUpStatus, ownerId, undone } = answered.data
  const change = Object.entries({ followUpStatus, ownerId, undone }).filter(([, value]) => value !== undefined)
  // an email stays sent
  const isUndone = answered.isUndone && entry.kind !== 'answer_email'
  return { ...entry, data: { ...Object.fromEntries(change), ...entry.data }, isUndoable: answered.isUndoable, isUndone }
}

/**
 * The entries of a timeline with each reply as one entry, which includes the changes of the lead and is withdrawn as
 * one.
 */
export const withWholeAnswers = (entries: TimelineEntry[]): TimelineEntry[] => {
  const answered = new Map(entries.filter(isOfAnswer).map((entry) => [String(entry.data.answerId), entry]))
  return entries.filter((entry) => !isOfAnswer(entry)).map((entry) => withAnswered(entry, answered.get(entry.id)))
}

/** The merges of a lead, which is merged now if `isGone`: they can be undone while they are valid. */
export const mergeEntries = (
  events: MergeEvent[],
  { isGone, staff }: { isGone: boolean; staff: StaffNames },
): TimelineEntry[] =>
  events.map((event) => {
    const holds = isGone && event.id === events.at(-1)?.id
    return {
      ...entryOf(event, staff),
      leadId: mergeStreams.idOf(event.stream) ?? null,
      isUndoable: holds,
      isUndone: event.type === 'LeadsMerged' && !holds,
    }
  })

/**
 * A chat in a timeline: its data in the view, the lead made of it, how many messages it has, and since when its visitor
 * waits, ISO 8601, if they do.
 */
export type TimelineChat = { session: ChatSession; leadId: string | null; messages: number; waitingSince?: string }

/** A chat's beginning, and its end if it has one. */
export const chatEntries = ({ session, leadId, messages, waitingSince }: TimelineChat): TimelineEntry[] => {
  const { sessionId, startTime, endTime, visitorName, visitorEmail, pageUrl } = session
  const common = { by: null, leadId, sessionId, isUndoable: false, isUndone: false }
  const data = { visitorName, visitorEmail, pageUrl, messages, ...(waitingSince && { waitingSince }) }
  const firstEntry: TimelineEntry = { ...common, id: sessionId, kind: 'chat', timestamp: startTime, data }
  if (endTime === null) return [firstEntry]
  return [firstEntry, { ...common, id: `${sessionId}-end`, kind: 'chat_ended', timestamp: endTime, data: {} }]
}

/** The handovers of a chat, from whom, to whom, and with which note, which is erased with the visitor. */
export const handoverEntries = (events: RecordedEvent<typeof chatAssigned>[], staff: StaffNames): TimelineEntry[] =>
  events.flatMap(({ id, stream, recordedAt, data: { to, by }, personal }) => {
    if (to === null || to === by) return []
    return {
      id,
      kind: 'chat_handed' as const,
      timestamp: recordedAt.toISOString(),
      by: staff.get(by) ?? null,
      leadId: null,
      sessionId: sessionIdOf(stream),
      data: { to: staff.get(to) ?? A_FORMER_COLLEAGUE, note: personal?.note ?? null },
      isUndoable: false,
      isUndone: false,
    }
  })

/** A lead was made of a chat. */
export type ChatLeadEvent = Extract<ChatActivityEvent, { type: 'ChatBecameLead' }>

/** The entries, with each lead that staff made of a chat shown as such, not as a submitted form. */
export const withChatLeads = (
  entries: TimelineEntry[],
  events: ChatLeadEvent[],
  staff: StaffNames,
): TimelineEntry[] => {
  const made = new Map(events.map((event) => [event.data.leadId, event]))
  return entries.map((entry) => {
    const event = (entry.kind === 'lead' || entry.kind === 'entered') && made.get(entry.leadId ?? '')
    if (!event) return entry
    const by = staff.get(event.data.by) ?? null
    return { ...entry, kind: 'chat_lead', by, sessionId: sessionIdOf(event.stream) }
  })
}

/** The events of chats that request an email to their visitor, and those of its outcome. */
export type ChatMailEvent = ChatEmailEvent | EmailEvent

/** The types of ChatMailEvent. */
export const CHAT_MAIL_EVENTS = [
  'ChatTranscriptRequested',
  'ChatAnswersUnread',
  'EmailSent',
  'EmailFailed',
  'EmailResendRequested',
] as const satisfies ChatMailEvent['type'][]

/**
 * The emails to the visitors of chats and the outcome of each. `states` is their delivery state by event id: shown
 * only for those without an event of an outcome.
 */
export const chatMailEntries = (
  events: ChatMailEvent[],
  { staff, states }: { staff: StaffNames; states: ReadonlyMap<string, string> },
): TimelineEntry[] => {
  const kinds = new Map(events.map((event) => [event.id, kindOf(event)]))
  const withOutcome = new Set(events.flatMap((event) => (isOutcome(event) ? [event.data.emailId] : [])))
  const more = (event: ChatMailEvent) => {
    if (isOutcome(event)) return { carries: kinds.get(event.data.emailId) }
    return withOutcome.has(event.id) ? {} : { state: states.get(event.id) ?? 'pending' }
  }
  return events.map((event) => {
    const entry = entryOf(event, staff)
    return { ...entry, sessionId: sessionIdOf(event.stream), data: { ...entry.data, ...more(event) } }
  })
}

/**
 * The replies of staff to leads, and their unanswered calls. An email's entry has its `state`: the last one in the log,
 * or else that of its delivery (`states`, by event id). A request to send it again is an entry of its own. An
 * unanswered call can be undone, by one of the `contacts`.
 */
export const answerEntries = (
  events: LeadAnswerEvent[],
  { contacts, staff, states }: { contacts: LeadContactEvent[]; staff: StaffNames; states: ReadonlyMap<string, string> },
): TimelineEntry[] => {
  const removed = new Set(contacts.flatMap(({ type, data }) => (type === 'LeadContactRemoved' ? [data.contactId] : [])))
  const lastOutcomes = new Map(
    events.flatMap((event) => (isOutcome(event) ? [[event.data.emailId, event] as const] : [])),
  )
  const recipients = new Map(
    events.flatMap((event) => (event.type === 'LeadEmailWritten' ? [[event.id, event.personal?.to] as const] : [])),
  )
  const answers = events.flatMap((event) => {
    if (isOutcome(event) && event.type !== 'EmailResendRequested') return []
    const entry = { ...entryOf(event, staff), leadId: leadAnswerStreams.idOf(event.stream) ?? null }
    if (event.type === 'EmailResendRequested') {
      const email = { carries: 'answer_email', to: recipients.get(event.data.emailId) }
      return [{ ...entry, data: { ...entry.data, ...email } }]
    }
    if (event.type !== 'LeadEmailWritten') return [entry]
    const last = lastOutcomes.get(event.id)
    const state = last ? emailStatusAfter(last) : (states.get(event.id) ?? 'pending')
    return [{ ...entry, data: { ...entry.data, state } }]
  })
  const others = contacts.map((event) => ({
    ...entryOf(event, staff),
    leadId: leadContactStreams.idOf(event.stream) ?? null,
    ...(event.type === 'LeadCallUnanswered' && {
      isUndoable: event.personal !== null && !removed.has(event.id),
      isUndone: removed.has(event.id),
    }),
  }))
  return [...answers, ...others]
}

/** The events in the stream of a lead's copy. */
export type CopyEvent = RecordedEvent<typeof leadCopyRequested> | EmailEvent

const hasFailed = (event: CopyEvent) => event.type === 'EmailFailed' && hasReachedNoRecipient(emailStatusAfter(event))

/**
 * The copies of leads to their senders that reached no one, and their later outcomes. A copy that arrived as it should
 * has no entry.
 */
export const copyEntries = (events: CopyEvent[], staff: StaffNames): TimelineEntry[] => {
  const recipients = new Map(
    events.flatMap((event) => (event.type === 'LeadCopyRequested' ? [[event.id, event.personal?.to] as const] : [])),
  )
  const failed = new Set<string>()
  return events.flatMap((event) => {
    if (!isOutcome(event)) return []
    const { emailId } = event.data
    if (hasFailed(event)) failed.add(emailId)
    if (!failed.has(emailId)) return []
    const entry = { ...entryOf(event, staff), leadId: leadCopyStreams.idOf(event.stream) ?? null }
    return [{ ...entry, data: { ...entry.data, carries: 'lead_copy', to: recipients.get(emailId) } }]
  })
}
