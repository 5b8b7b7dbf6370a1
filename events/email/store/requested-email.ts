import type { RecordedEvent } from '../../base/definition.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import { isEmailedStep } from '../../contract/step-email.ts'
import type { leadAlertRequested } from '../../lead/alert.ts'
import { isForwarded } from '../../lead/lead.ts'
import { leadInWords } from '../../lead/name.ts'
import type { passwordLinkRequested } from '../../staff/password-link.ts'
import type { webhookAlertRequested } from '../../webhook/alert.ts'
import type { Email } from '../email.ts'
import { isForVisitor } from './chat-emails.ts'

/** Subjects by the package of the contract (specification, 7). */
const CONTRACT_SUBJECTS: Record<string, string> = {
  contract_essential: 'New contract: essential',
  contract_professional: 'New contract: professional 50% off',
  contract_premium: 'New contract: premium 50% off',
}

/** Whether an event requests an email to a staff member, whose address it holds. */
export const isForStaff = (
  event: AnyRecordedEvent,
): event is RecordedEvent<typeof leadAlertRequested | typeof passwordLinkRequested | typeof webhookAlertRequested> &
  AnyRecordedEvent =>
  event.type === 'LeadAlertRequested' ||
  event.type === 'PasswordLinkRequested' ||
  event.type === 'WebhookAlertRequested'

/**
 * The id of the event whose email has to be sent because of this one, undefined if none has to: a contract, a contract
 * that staff released from quarantine, a request for a test submission, emails to visitors about their chats and as
 * copies of their submissions, emails to staff, staff's emails to leads, and emails to clients about their contracts.
 */
export const requestedEmailOf = (event: AnyRecordedEvent): string | undefined => {
  if (event.type === 'LeadReleased') return event.data.forwards ?? undefined
  const isRequest =
    event.type === 'EmailActivationRequested' ||
    (event.type === 'LeadSubmitted' && isForwarded(event)) ||
    isForVisitor(event) ||
    isForStaff(event) ||
    event.type === 'LeadEmailWritten' ||
    isEmailedStep(event)
  return isRequest ? event.id : undefined
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
export const emailOf = (event: AnyRecordedEvent): Email | undefined => {
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
