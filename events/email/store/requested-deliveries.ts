import { createHmac, hkdfSync } from 'node:crypto'
import type { AnyRecordedEvent, EventType } from '../../catalogue.ts'
import { isEmailedStep } from '../../contract/step-email.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { EMAIL_PRIORITIES, type EmailPriority, type Recipient } from '../email.ts'
import { isForVisitor } from './chat-emails.ts'
import { isForStaff, requestedEmailOf } from './requested-email.ts'

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
