import { chatEnded, chatMessagePosted, chatStarted } from './chat.ts'
import type { NewEvent, RecordedEvent } from './definition.ts'
import { emailActivationRequested, emailForwarded, emailForwardFailed } from './email.ts'
import { leadFollowUpChanged, leadReleased, leadSubmitted } from './lead.ts'
import { websiteInfoSubmitted } from './website-info.ts'

const definitions = [
  leadSubmitted,
  leadFollowUpChanged,
  leadReleased,
  websiteInfoSubmitted,
  chatStarted,
  chatMessagePosted,
  chatEnded,
  emailActivationRequested,
  emailForwarded,
  emailForwardFailed,
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
