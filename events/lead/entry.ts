/**
 * Staff enter leads themselves too: an email address or a telephone number is enough, also for a lead that is made of a
 * chat. Unless they say that it still waits, such a lead counts as answered, and in no reply time.
 */

import * as v from 'valibot'
import { PACKAGE_CHOICES } from '../base/choices.ts'
import { defineEvent } from '../base/definition.ts'
import { instant, optionalText, requiredEmail } from '../base/text.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus, MAX_NOTE_CHARACTERS } from './follow-up/follow-up.ts'
import { leadPerson, leadRequest, MAX_LEAD_MESSAGE_CHARACTERS, type SubmittedLeadForm } from './form/form.ts'
import { kindOfLead, leadKind } from './form/kind.ts'

const MAX_NAME_CHARACTERS = 200
const MAX_EMAIL_CHARACTERS = 254
const MAX_PHONE_CHARACTERS = 40
/** A number with fewer digits cannot be called. */
const MIN_PHONE_DIGITS = 7

const id = v.pipe(v.string(), v.uuid())

/** Why a lead is refused that cannot be reached. */
export const UNREACHABLE = 'Enter an email address or a phone number'

/** Optional text, empty by default. */
const optionalLine = (max: number) =>
  v.pipe(
    optionalText(max),
    v.transform((text) => text ?? ''),
  )

const address = requiredEmail('Not an address')

/** A person by their name and an email address or a telephone number, or both. */
export const entered = {
  name: optionalLine(MAX_NAME_CHARACTERS),
  email: v.pipe(
    optionalLine(MAX_EMAIL_CHARACTERS),
    v.check((text) => text === '' || v.is(address, text), 'Please enter a valid email address'),
  ),
  phone: v.pipe(
    optionalLine(MAX_PHONE_CHARACTERS),
    v.check(
      (text) => text === '' || text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS,
      'Please enter a valid phone number',
    ),
  ),
}

/** Whether there is an email address or a phone number. */
export const isReachable = ({ email, phone }: { email: string; phone: string }) => email !== '' || phone !== ''

const { name: _, email: __, phone: ___, ...otherFields } = leadPerson.entries

/** The `leadSource` of a lead that staff make of a chat, unless they name another. */
const CHAT_SOURCE = 'live_chat'

/** A lead that staff make of a chat: the same as a visitor sends, but one way to reach the person is enough. */
export const chatLeadForm = v.pipe(
  v.object({
    ...entered,
    ...otherFields,
    ...leadRequest.entries,
    leadSource: v.optional(leadRequest.entries.leadSource, CHAT_SOURCE),
  }),
  v.forward(v.partialCheck([['email'], ['phone']], isReachable, UNREACHABLE), ['email']),
)

/** A lead as staff write it down; the body of `POST /api/leads/by-hand`. `isWaiting`: it has no reply yet. */
export const leadEntryForm = v.pipe(
  v.strictObject({
    ...entered,
    company: otherFields.company,
    package: v.pipe(
      optionalText(MAX_NAME_CHARACTERS),
      v.check(
        (text) => text === null || PACKAGE_CHOICES.some(({ value }) => value === text),
        `Must be one of: ${PACKAGE_CHOICES.map(({ value }) => value).join(', ')}`,
      ),
    ),
    note: optionalText(MAX_NOTE_CHARACTERS, { lines: true }),
    isWaiting: v.optional(v.boolean(), false),
  }),
  v.forward(v.partialCheck([['email'], ['phone']], isReachable, UNREACHABLE), ['email']),
)

export type LeadEntryForm = v.InferOutput<typeof leadEntryForm>

/**
 * Staff have entered a lead themselves: by hand, or by an import (`importId`). `receivedAt` is when the person first
 * wrote, if that was earlier.
 */
export const leadEntered = defineEvent({
  type: 'LeadEntered',
  schemaVersion: 1,
  data: v.object({
    ...leadKind.entries,
    by: id,
    followUpStatus: v.picklist(FOLLOW_UP_STATUSES),
    importId: v.exactOptional(id),
    receivedAt: v.exactOptional(instant),
  }),
  personal: v.object({
    ...entered,
    ...otherFields,
    ...leadRequest.entries,
  }),
})

const NOTHING_MORE = {
  company: null,
  businessName: null,
  message: null,
  pageUrl: null,
  industry: null,
  package: null,
  timeline: null,
  agreedToTerms: null,
} satisfies Partial<SubmittedLeadForm>

/** The data of a person whom staff enter. */
export type EnteredPerson = Pick<SubmittedLeadForm, 'name' | 'email' | 'phone' | 'leadSource'> &
  Partial<SubmittedLeadForm>

/** The event of a lead that staff enter. A lead without a name is named by how its person can be reached. */
export const enterLead = (
  leadId: string,
  person: EnteredPerson,
  data: { by: string; followUpStatus: FollowUpStatus; importId?: string; receivedAt?: string },
) => {
  const personal = { ...NOTHING_MORE, ...person, name: person.name || person.email || person.phone }
  return leadEntered({ ...kindOfLead(personal), ...data }, { subjectId: leadId, personal })
}

type Cells = Record<'name' | 'email' | 'phone' | 'company' | 'package' | 'message', string>

/**
 * A person from texts of any length: long texts are cut, and an unusable address or number is left out. Undefined if
 * neither is left.
 */
export const enteredPerson = (cells: Cells): Omit<EnteredPerson, 'leadSource'> | undefined => {
  const email = v.is(entered.email, cells.email) ? cells.email : ''
  const phone = v.is(entered.phone, cells.phone) ? cells.phone : ''
  if (!isReachable({ email, phone })) return undefined
  const line = (text: string) => text.slice(0, MAX_NAME_CHARACTERS).toWellFormed() || null
  return {
    name: line(cells.name) ?? '',
    email,
    phone,
    company: line(cells.company),
    package: line(cells.package),
    message: cells.message.slice(0, MAX_LEAD_MESSAGE_CHARACTERS).toWellFormed() || null,
  }
}
