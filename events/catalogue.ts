import { chatEnded, chatMessagePosted, chatStarted } from './chat.ts'
import { chatAnswersUnread, chatBecameLead, chatErased, chatTranscriptRequested } from './chat-desk.ts'
import type { NewEvent, RecordedEvent } from './definition.ts'
import { emailActivationRequested, emailForwarded, emailForwardFailed, emailResendRequested } from './email.ts'
import { leadFollowUpChanged, leadNoteAdded, leadNoteRemoved } from './follow-up.ts'
import { leadErased, leadReleased, leadSubmitted } from './lead.ts'
import { cannedRepliesChanged, inboxAddressesChanged, supportHoursChanged } from './settings.ts'
import { websiteInfoSubmitted } from './website-info.ts'

const definitions = [
  leadSubmitted,
  leadFollowUpChanged,
  leadNoteAdded,
  leadNoteRemoved,
  leadReleased,
  leadErased,
  websiteInfoSubmitted,
  chatStarted,
  chatMessagePosted,
  chatEnded,
  chatBecameLead,
  chatTranscriptRequested,
  chatAnswersUnread,
  chatErased,
  emailActivationRequested,
  emailForwarded,
  emailForwardFailed,
  emailResendRequested,
  supportHoursChanged,
  cannedRepliesChanged,
  inboxAddressesChanged,
] as const

type Definition = (typeof definitions)[number]

/** Any event that may be appended. */
export type AnyNewEvent = NewEvent<Definition>

/** Any event that the log can hold. */
export type AnyRecordedEvent = RecordedEvent<Definition>

/** The names of all events. */
export type EventType = Definition['type']

/** Every type of event that the log may hold, by its name. */
export const catalogue = new Map<string, Definition>(definitions.map((definition) => [definition.type, definition]))
