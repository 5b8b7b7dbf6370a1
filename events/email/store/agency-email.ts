import type { AnyRecordedEvent } from '../../catalogue.ts'
import { leadInWords } from '../../lead/name.ts'
import type { Email } from '../email.ts'

/** Subjects by the package of the contract (specification, 7). */
const CONTRACT_SUBJECTS: Record<string, string> = {
  contract_essential: 'New contract: essential',
  contract_professional: 'New contract: professional 50% off',
  contract_premium: 'New contract: premium 50% off',
}

/**
 * Fields that start with _ are instructions to the service: a visitor may send none. Values that are not plain (how the
 * visitor came, why it was flagged) are for the staff's pages only.
 */
const isVisitorsField = ([name, value]: [string, unknown]) =>
  !name.startsWith('_') && Boolean(value) && typeof value !== 'object'

/**
 * The email to the agency that an event requests: all that the visitor filled in. Undefined if there is none, or it was
 * erased. Emails to visitors are in chat-emails.ts.
 */
export const agencyEmailOf = (event: AnyRecordedEvent): Email | undefined => {
  if (event.type === 'EmailActivationRequested') {
    return {
      subject: 'Test submission: please confirm this address',
      fields: [
        ['message', 'This is a test submission. It makes the email service verify this address.'],
        ['test_date', event.recordedAt.toISOString()],
      ],
      to: null,
      replyTo: null,
      about: null,
    }
  }
  if (event.type !== 'LeadSubmitted' || !event.personal) return undefined
  const fields = Object.entries(event.personal).filter(isVisitorsField)
  return {
    subject: CONTRACT_SUBJECTS[event.personal.leadSource] ?? `New contract: ${event.personal.leadSource}`,
    fields: fields.map(([name, value]) => [name, String(value)]),
    to: null,
    replyTo: { name: event.personal.name, address: event.personal.email },
    about: leadInWords(event.personal),
  }
}
