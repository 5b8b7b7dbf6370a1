import { createHmac, hkdfSync } from 'node:crypto'
import type { RecordedEvent } from '../../base/definition.ts'
import type { AnyRecordedEvent, EventType } from '../../catalogue.ts'
import { isEmailedStep } from '../../contract/step-email.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { leadAlertRequested } from '../../lead/email/alert.ts'
import { isSentToAgency } from '../../lead/lead.ts'
import type { passwordLinkRequested } from '../../staff/password-link.ts'
import type { webhookAlertRequested } from '../../webhook/alert.ts'
import { EMAIL_PRIORITIES, type EmailPriority, type emailTestRequested, type Recipient } from '../email.ts'
import { isForVisitor } from './chat-emails.ts'

/** The types of events that request an email to an address that the event itself holds. */
export const ADDRESSED_EVENTS = [
  'LeadCopyRequested',
  'LeadAlertRequested',
  'PasswordLinkRequested',
  'WebhookAlertRequested',
  'LeadEmailWritten',
  'ContractAccepted',
  'ContractWentLive',
  'ContractNoticeGiven',
  'ChatTranscriptRequested',
  'ChatAnswersUnread',
] as const satisfies EventType[]

type AddressedEvent = Extract<AnyRecordedEvent, { type: (typeof ADDRESSED_EVENTS)[number] }>

const isAddressed = (event: AnyRecordedEvent): event is AddressedEvent =>
  (ADDRESSED_EVENTS as readonly EventType[]).includes(event.type)

/** The number of groups for the domains of visitors' addresses: too few to identify a domain by its group. */
const SHARES = 1_024
const HASH_KEY_BYTES = 32

/**
 * An email to send: the event that holds it, and the position, stream and time of the event that requested it. `share`
 * is the group of the recipient's domain, null for the agency's inboxes.
 */
export type RequestedDelivery = {
  id: string
  position: number
  stream: string
  recipient: Recipient
  priority: EmailPriority
  share: number | null
  askedAt: Date
}

/** The group of the domain of an address. It depends on DATA_KEY: domains cannot be tried out without that. */
export const shareOf = ({ active }: KeyRing, address: string): number => {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
  const key = hkdfSync('sha256', active.secret, '', 'groups of recipient domains', HASH_KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(domain).digest().readUInt32BE() % SHARES
}

/** Whether an event requests an email to a staff member, whose address it holds. */
const isForStaff = (
  event: AnyRecordedEvent,
): event is RecordedEvent<
  typeof leadAlertRequested | typeof passwordLinkRequested | typeof webhookAlertRequested | typeof emailTestRequested
> &
  AnyRecordedEvent =>
  event.type === 'LeadAlertRequested' ||
  event.type === 'PasswordLinkRequested' ||
  event.type === 'WebhookAlertRequested' ||
  event.type === 'EmailTestRequested'

/**
 * The id of the event whose email has to be sent because of this one, undefined if none has to: a contract, a contract
 * that staff released from quarantine, a request for a test submission, emails to visitors about their chats and as
 * copies of their submissions, emails to staff, staff's emails to leads, and emails to clients about their contracts.
 */
export const requestedEmailOf = (event: AnyRecordedEvent): string | undefined => {
  if (event.type === 'LeadReleased') return event.data.emailId ?? undefined
  const isRequest =
    event.type === 'EmailActivationRequested' ||
    (event.type === 'LeadSubmitted' && isSentToAgency(event)) ||
    isForVisitor(event) ||
    isForStaff(event) ||
    event.type === 'LeadEmailWritten' ||
    isEmailedStep(event)
  return isRequest ? event.id : undefined
}

const priorityOf = (event: AnyRecordedEvent): EmailPriority => {
  if (isForVisitor(event)) return EMAIL_PRIORITIES.chat
  const isContract = event.type === 'LeadReleased' || (event.type === 'LeadSubmitted' && event.data.isContract)
  return isContract ? EMAIL_PRIORITIES.contract : EMAIL_PRIORITIES.lead
}

const recipientOf = (event: AnyRecordedEvent): Recipient => {
  if (isForStaff(event)) return 'staff'
  return isForVisitor(event) || event.type === 'LeadEmailWritten' || isEmailedStep(event) ? 'visitor' : 'agency'
}

/** The email that an event requests; undefined if it requests none. */
export const requestedDeliveryOf = (
  event: AnyRecordedEvent,
  ring: KeyRing | undefined,
): RequestedDelivery | undefined => {
  const id = requestedEmailOf(event)
  if (id === undefined) return undefined
  const { position, stream, recordedAt: askedAt } = event
  const to = isAddressed(event) ? event.personal?.to : undefined
  return {
    id,
    position,
    stream,
    recipient: recipientOf(event),
    priority: priorityOf(event),
    share: to !== undefined && ring ? shareOf(ring, to) : null,
    askedAt,
  }
}
