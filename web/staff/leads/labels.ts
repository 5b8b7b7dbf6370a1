import { inNumbers, inRand } from '../../../events/amount.ts'
import { hasReachedNobody } from '../../../events/email.ts'
import { type FollowUp, fieldsOf } from '../../../events/follow-up.ts'
import { CORRECTED_FIELDS } from '../../../events/lead-correction.ts'
import { choiceInWords, STATUS_NAMES, sourceInWords } from '../../../events/lead-labels.ts'
import type { SHOWN_FIELDS } from '../../../events/lead-merge.ts'
import { nameOf } from '../../../events/name-of.ts'
import type { TimelineEntry } from '../../../events/wire/person.ts'
import type { Colleague } from '../../../events/wire/staff.ts'
import type { NewWord } from '../../../events/wire/word.ts'
import { FORMER_COLLEAGUE } from '../colleagues.ts'
import { emailStateInWords } from '../email-states.ts'
import { dayInShort, dayOf } from './day.ts'

/** The fields by which the person of a lead is reached, as staff read them. */
export const SHOWN_NAMES: Record<(typeof SHOWN_FIELDS)[number], string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  company: 'Company',
  businessName: 'Business name',
  package: 'Package',
  timeline: 'Timeline',
}

/** The value of such a field as people read it; empty where there is none. */
export const shownInWords = (field: (typeof SHOWN_FIELDS)[number], value: string | null): string =>
  (field === 'package' || field === 'timeline' ? choiceInWords(field, value) : value) ?? ''

/** What staff change on a lead, in the words of its form. */
export const FIELD_NAMES: Record<keyof FollowUp, string> = {
  followUpStatus: 'Status',
  ownerId: 'Owner',
  nextActionDate: 'Next action',
  projectValue: 'Project value',
  conversionDate: 'Conversion date',
}

/** The value of a field as people read it. */
export const fieldInWords = (field: keyof FollowUp, value: unknown, colleagues: readonly Colleague[] = []): string => {
  if (value === null || value === undefined) return field === 'ownerId' ? 'Unassigned' : 'None'
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
      return field satisfies never
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

const isFailedCopy = ({ carries, state }: TimelineEntry['data']) => carries === 'lead_copy' && hasReachedNobody(state)

const emailTitle = ({ by, data }: TimelineEntry) => {
  if (by) return 'Email resent'
  return isFailedCopy(data) ? 'The copy to the customer failed' : (emailStateInWords(data.state) ?? 'Email')
}

/** A number of something: `1 chat`, `2 chats`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${inNumbers(count)} ${count === 1 ? noun : plural}`

/** What an email carries; one of a lead that carries none of these is its contract. */
const CARRIED: Record<string, string> = {
  transcript: 'The transcript of the chat.',
  unread_answers: 'The answers that were left unread in the chat.',
  answer_email: 'An answer to this lead.',
  lead_copy: 'The copy to the customer.',
}

const carriedIn = ({ leadId, data }: TimelineEntry) =>
  CARRIED[String(data.carries)] ?? (leadId && 'The contract, to our inbox.')

/** Whether it is somebody's address: what became of an email tells by which way it went (`smtp`) under the same name. */
const isAddress = (to: unknown) => typeof to === 'string' && to.includes('@')

/** Whether the last email to an address reached nobody, and none that was sent later was delivered. */
export const hasBounced = (timeline: readonly TimelineEntry[], address: string): boolean => {
  const recipients = new Map(timeline.map(({ id, data }) => [id, data.to]))
  const isTo = ({ to, forwardId }: TimelineEntry['data']) => {
    const recipient = isAddress(to) ? to : recipients.get(String(forwardId))
    return typeof recipient === 'string' && recipient.toLowerCase() === address.toLowerCase()
  }
  const states = timeline.flatMap(({ data }) => (isTo(data) ? [data.state] : []))
  return hasReachedNobody(states.findLast((state) => state === 'delivered' || hasReachedNobody(state)))
}

const mailDetails = ({ to, state }: TimelineEntry['data']) => [
  ...textOf(to && `By email to ${to}`),
  ...textOf(state === 'seen' ? 'Not sent: the visitor read them in the chat.' : emailStateInWords(state)),
]

const chatDetail = ({ messages }: TimelineEntry['data']) =>
  typeof messages === 'number' ? [counted(messages, 'message')] : []

const titleOf = (entry: TimelineEntry): string => {
  switch (entry.kind) {
    case 'lead':
      return 'Submitted a form'
    case 'chat_lead':
      return 'Created lead from chat'
    case 'contract':
      return 'Signed a contract'
    case 'questionnaire':
      return 'Filled in the Website Info Form'
    case 'follow_up':
      return entry.data.undoes || entry.data.answerId ? 'Undid a change' : 'Updated lead'
    case 'note':
      return 'Note'
    case 'note_removed':
      return 'Removed a note'
    case 'corrected':
      return entry.data.undoes ? 'Undid a correction' : 'Corrected contact details'
    case 'flagged':
      return 'Marked as spam'
    case 'released':
      return 'Released from quarantine'
    case 'erased':
      return 'Personal data erased'
    case 'email':
      return emailTitle(entry)
    case 'chat':
      return 'Started a chat'
    case 'chat_ended':
      return 'The chat ended'
    case 'chat_handed':
      return `Handed the chat to ${entry.data.to}`
    case 'transcript':
      return 'Transcript requested'
    case 'unread_answers':
      return 'Unread replies emailed'
    case 'answer_email':
      return 'Wrote an email'
    case 'whatsapp':
      return 'Wrote by WhatsApp'
    case 'call':
      return 'Called'
    case 'call_unanswered':
      return 'Called, no answer'
    case 'answer_failed':
      return 'The email failed'
    case 'answer_arrived':
      return 'The email arrived'
    case 'chat_answer':
      return 'Answered in the chat'
    case 'contact_removed':
      return entry.data.channel === 'whatsapp' ? 'Removed a WhatsApp message' : 'Removed a call'
    case 'entered':
      return 'Entered by hand'
    case 'imported':
      return 'Imported'
    case 'merged':
      return 'Merged a lead'
    case 'unmerged':
      return 'Unmerged a lead'
    default:
      return nameOf({}, entry.kind satisfies NewWord)
  }
}

/** What an answer changed in the lead, or what an undo left; some of it may have been undone since. */
const changesIn = ({ data }: TimelineEntry, colleagues: readonly Colleague[]) => {
  const undone: unknown[] = Array.isArray(data.undone) ? data.undone : []
  return fieldsOf(data as FollowUp).map((field) => {
    const change = `${FIELD_NAMES[field]}: ${fieldInWords(field, data[field], colleagues)}`
    return undone.includes(field) ? `${change} (undone)` : change
  })
}

/** What was corrected, and what was there before; nothing once the person has been erased. */
const correctionsIn = ({ data }: TimelineEntry) => {
  const was: Record<string, unknown> = Object(data.was)
  return CORRECTED_FIELDS.filter((field) => field in data).map(
    (field) => `${SHOWN_NAMES[field]}: ${data[field] || 'None'} (was ${was[field] || 'empty'})`,
  )
}

/** What the undo of an answer that a chat gave by itself leads to. */
const NO_MORE = 'Messages in this chat no longer count by themselves.'

const detailsOf = (entry: TimelineEntry, colleagues: readonly Colleague[]): string[] => {
  const { kind, data } = entry
  const changes = () => changesIn(entry, colleagues)
  switch (kind) {
    case 'lead':
    case 'contract':
    case 'questionnaire':
      return textOf(data.leadSource).map(sourceInWords)
    case 'chat_answer':
      return [
        ...textOf(data.countedBy && `Counted by ${data.countedBy}`),
        ...changes(),
        ...textOf(entry.isUndone && !data.isCounted && NO_MORE),
      ]
    case 'answer_failed':
      return ['It reached nobody, so that the lead waits for an answer again.', ...changes()]
    case 'answer_arrived':
    case 'follow_up':
    case 'note_removed':
    case 'contact_removed':
      return changes()
    case 'note':
      return [...textOf(data.note), ...changes()]
    case 'corrected':
      return correctionsIn(entry)
    case 'email':
      return [
        ...textOf(isFailedCopy(data) ? 'It reached nobody.' : carriedIn(entry)),
        ...textOf(isAddress(data.to) && `To ${data.to}`),
        ...textOf(EMAIL_REASONS[String(data.reason)]),
      ]
    case 'chat':
      return chatDetail(data)
    case 'chat_handed':
      return textOf(data.note)
    case 'transcript':
    case 'unread_answers':
      return mailDetails(data)
    case 'answer_email':
      return [...mailDetails(data), ...changes()]
    case 'whatsapp':
      return [...textOf(data.to && `To ${data.to}`), ...changes()]
    case 'call':
    case 'call_unanswered':
      return [...textOf(data.to), ...changes()]
    case 'entered':
    case 'imported':
      return [`Status: ${nameOf(STATUS_NAMES, String(data.followUpStatus))}`]
    case 'chat_lead':
    case 'flagged':
    case 'released':
    case 'erased':
    case 'chat_ended':
    case 'merged':
    case 'unmerged':
      return []
    default:
      kind satisfies NewWord
      return []
  }
}

/** What staff wrote to the person. */
const writtenIn = ({ kind, data }: TimelineEntry): string[] =>
  kind === 'answer_email' || kind === 'whatsapp' ? [...textOf(data.subject), ...textOf(data.text)] : []

/** An entry of a person's timeline as people read it: `written` is what went to the person, `details` all else. */
export const entryInWords = (entry: TimelineEntry, colleagues: readonly Colleague[] = []) => ({
  title: titleOf(entry),
  written: writtenIn(entry),
  details: detailsOf(entry, colleagues),
})
