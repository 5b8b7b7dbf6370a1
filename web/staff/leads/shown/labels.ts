import { inNumbers, inRand } from '../../../../events/base/amount.ts'
import { nameOf, valueFor } from '../../../../events/base/name-of.ts'
import type { NewWord } from '../../../../events/base/word.ts'
import { hasReachedNoRecipient } from '../../../../events/email/email.ts'
import { CORRECTED_FIELDS, type CorrectedField } from '../../../../events/lead/correction.ts'
import { type FollowUp, fieldsOf } from '../../../../events/lead/follow-up/follow-up.ts'
import { choiceInWords, STATUS_NAMES, sourceInWords } from '../../../../events/lead/labels.ts'
import type { SHOWN_FIELDS } from '../../../../events/lead/person/merge.ts'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import { FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import type { Colleague } from '../../../../events/staff/wire.ts'
import { dayInShort, dayOf } from '../../day.ts'
import { emailStateInWords } from '../../email/email-states.ts'

/** The contact fields of a lead, as staff read them. */
export const SHOWN_NAMES: Record<(typeof SHOWN_FIELDS)[number], string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  company: 'Company',
  businessName: 'Business name',
  package: 'Package',
  timeline: 'Timeline',
}

/** The value of such a field as text; empty if there is none. */
export const shownInWords = (field: (typeof SHOWN_FIELDS)[number], value: string | null): string =>
  (field === 'package' || field === 'timeline' ? choiceInWords(field, value) : value) ?? ''

/** The properties of a lead that staff change, with their labels. */
export const FIELD_NAMES: Record<keyof FollowUp | CorrectedField, string> = {
  ...SHOWN_NAMES,
  followUpStatus: 'Status',
  ownerId: 'Assigned to',
  nextActionDate: 'Next action',
  projectValue: 'Project value',
  conversionDate: 'Conversion date',
}

/** The value of a field as text. */
export const fieldInWords = (
  field: keyof typeof FIELD_NAMES,
  value: unknown,
  colleagues: readonly Colleague[] = [],
): string => {
  if (value === null || value === undefined || value === '') return field === 'ownerId' ? 'Unassigned' : 'None'
  switch (field) {
    case 'followUpStatus':
      return nameOf(STATUS_NAMES, String(value))
    case 'ownerId':
      return colleagues.find(({ id }) => id === value)?.displayName ?? FORMER_COLLEAGUE
    case 'nextActionDate':
      return dayInShort(String(value))
    case 'projectValue':
      return inRand(Number(value))
    case 'conversionDate':
      return dayInShort(dayOf(String(value)))
    default:
      return String(value)
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value ? [value] : [])

const EMAIL_REASONS: Record<string, string> = {
  busy: 'The email service was busy.',
  unknown: 'The email service did not answer.',
  rejected: 'The email service refused it.',
  needs_activation: 'The address has to be activated.',
  blocked: 'The email service blocks us.',
}

const isFailedCopy = ({ carries, state }: TimelineEntry['data']) =>
  carries === 'lead_copy' && hasReachedNoRecipient(state)

const emailTitle = ({ by, data }: TimelineEntry) => {
  if (by) return 'Email resent'
  return isFailedCopy(data) ? 'The copy to the customer failed' : (emailStateInWords(data.state) ?? 'Email')
}

/** A count with its noun: `1 chat`, `2 chats`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${inNumbers(count)} ${count === 1 ? noun : plural}`

/** The contents of an email; an email of a lead with none of these is its contract. */
const CARRIED: Record<string, string> = {
  transcript: 'The transcript of the chat.',
  unread_answers: 'The answers that were left unread in the chat.',
  answer_email: 'An answer to this lead.',
  lead_copy: 'The copy to the customer.',
}

const carriedIn = ({ leadId, data }: TimelineEntry) =>
  CARRIED[String(data.carries)] ?? (leadId && 'The contract, to our inbox.')

/** Whether it is an address: the outcome of an email stores its lane (`smtp`) under the same name. */
const isAddress = (to: unknown) => typeof to === 'string' && to.includes('@')

/** Whether the last email to an address bounced, and none that was sent later was delivered. */
export const hasBounced = (timeline: readonly TimelineEntry[], address: string): boolean => {
  const recipients = new Map(timeline.map(({ id, data }) => [id, data.to]))
  const isTo = ({ to, emailId }: TimelineEntry['data']) => {
    const recipient = isAddress(to) ? to : recipients.get(String(emailId))
    return typeof recipient === 'string' && recipient.toLowerCase() === address.toLowerCase()
  }
  const states = timeline.flatMap(({ data }) => (isTo(data) ? [data.state] : []))
  return hasReachedNoRecipient(states.findLast((state) => state === 'delivered' || hasReachedNoRecipient(state)))
}

const mailDetails = ({ to, state }: TimelineEntry['data']) => [
  ...textOf(to && `By email to ${to}`),
  ...textOf(state === 'seen' ? 'Not sent: the visitor read them in the chat.' : emailStateInWords(state)),
]

const chatDetail = ({ data: { messages } }: TimelineEntry) =>
  typeof messages === 'number' ? [counted(messages, 'message')] : []

/** The fields that a reply changed in the lead, or that an undo left; some may have been undone since then. */
const changesIn = ({ data }: TimelineEntry, colleagues: readonly Colleague[]) => {
  const undone: unknown[] = Array.isArray(data.undone) ? data.undone : []
  return fieldsOf(data as FollowUp).map((field) => {
    const change = `${FIELD_NAMES[field]}: ${fieldInWords(field, data[field], colleagues)}`
    return undone.includes(field) ? `${change} (undone)` : change
  })
}

/** The corrected fields with their earlier values; nothing once the person has been erased. */
const correctionsIn = ({ data }: TimelineEntry) => {
  const was: Record<string, unknown> = Object(data.was)
  return CORRECTED_FIELDS.filter((field) => field in data).map(
    (field) => `${SHOWN_NAMES[field]}: ${data[field] || 'None'} (was ${was[field] || 'empty'})`,
  )
}

/** The consequence of undoing a reply that a chat counted by itself. */
const NO_MORE = 'Messages in this chat no longer count by themselves.'

type Words<Value> = (entry: TimelineEntry, colleagues: readonly Colleague[]) => Value

/** The text of an entry of one kind: its title, the staff's message to the person, and all else. */
type EntryWords = { title: string | Words<string>; written?: Words<string[]>; details?: Words<string[]> }

const sourceIn: Words<string[]> = ({ data }) => textOf(data.leadSource).map(sourceInWords)
const statusIn: Words<string[]> = ({ data }) => [`Status: ${nameOf(STATUS_NAMES, String(data.followUpStatus))}`]
const mailIn: Words<string[]> = ({ data }) => mailDetails(data)
const writtenIn: Words<string[]> = ({ data }) => [...textOf(data.subject), ...textOf(data.text)]
const numberIn: Words<string[]> = (entry, colleagues) => [...textOf(entry.data.to), ...changesIn(entry, colleagues)]

const ENTRIES: Record<Exclude<TimelineEntry['kind'], NewWord>, EntryWords> = {
  lead: { title: 'Submitted a form', details: sourceIn },
  chat_lead: { title: 'Created lead from chat' },
  contract: { title: 'Signed a contract', details: sourceIn },
  questionnaire: { title: 'Filled in the Website Info Form', details: sourceIn },
  entered: { title: 'Entered by hand', details: statusIn },
  imported: { title: 'Imported', details: statusIn },
  follow_up: {
    title: ({ data }) => (data.undoes || data.answerId ? 'Undid a change' : 'Updated lead'),
    details: changesIn,
  },
  note: {
    title: 'Note',
    details: (entry, colleagues) => [...textOf(entry.data.note), ...changesIn(entry, colleagues)],
  },
  note_removed: { title: 'Removed a note', details: changesIn },
  corrected: {
    title: ({ data }) => (data.undoes ? 'Undid a correction' : 'Corrected contact details'),
    details: correctionsIn,
  },
  flagged: { title: 'Marked as spam' },
  released: { title: 'Released from quarantine' },
  erased: { title: 'Personal data erased' },
  merged: { title: 'Merged a lead' },
  unmerged: { title: 'Unmerged a lead' },
  email: {
    title: emailTitle,
    details: (entry) => [
      ...textOf(isFailedCopy(entry.data) ? 'It did not arrive.' : carriedIn(entry)),
      ...textOf(isAddress(entry.data.to) && `To ${entry.data.to}`),
      ...textOf(EMAIL_REASONS[String(entry.data.reason)]),
    ],
  },
  chat: { title: 'Started a chat', details: chatDetail },
  chat_ended: { title: 'The chat ended' },
  chat_handed: { title: ({ data }) => `Handed the chat to ${data.to}`, details: ({ data }) => textOf(data.note) },
  transcript: { title: 'Transcript requested', details: mailIn },
  unread_answers: { title: 'Unread replies emailed', details: mailIn },
  answer_email: {
    title: 'Wrote an email',
    written: writtenIn,
    details: (entry, colleagues) => [...mailDetails(entry.data), ...changesIn(entry, colleagues)],
  },
  whatsapp: {
    title: 'Wrote by WhatsApp',
    written: writtenIn,
    details: (entry, colleagues) => [
      ...textOf(entry.data.to && `To ${entry.data.to}`),
      ...changesIn(entry, colleagues),
    ],
  },
  call: { title: 'Called', details: numberIn },
  call_unanswered: { title: 'Called, no answer', details: numberIn },
  chat_answer: {
    title: 'Answered in the chat',
    details: (entry, colleagues) => [
      ...textOf(entry.data.countedBy && `Counted by ${entry.data.countedBy}`),
      ...changesIn(entry, colleagues),
      ...textOf(entry.isUndone && !entry.data.isCounted && NO_MORE),
    ],
  },
  answer_failed: {
    title: 'The email failed',
    details: (entry, colleagues) => [
      'It did not arrive, so the lead waits for a reply again.',
      ...changesIn(entry, colleagues),
    ],
  },
  answer_arrived: { title: 'The email arrived', details: changesIn },
  contact_removed: {
    title: ({ data }) => (data.channel === 'whatsapp' ? 'Removed a WhatsApp message' : 'Removed a call'),
    details: changesIn,
  },
}

/**
 * An entry of a person's timeline as text: `written` is the message to the person, `details` all else. An entry of a
 * kind that only a newer node knows has the name of its kind.
 */
export const entryInWords = (entry: TimelineEntry, colleagues: readonly Colleague[] = []) => {
  const { title, written, details } = valueFor<EntryWords>(ENTRIES, entry.kind) ?? { title: nameOf({}, entry.kind) }
  return {
    title: typeof title === 'string' ? title : title(entry, colleagues),
    written: written?.(entry, colleagues) ?? [],
    details: details?.(entry, colleagues) ?? [],
  }
}
