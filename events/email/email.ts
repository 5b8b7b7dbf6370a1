import * as v from 'valibot'
import { defineEvent, defineStreams, type NewEvent, type RecordedEvent } from '../base/definition.ts'

/** A test submission was requested, which makes the form-to-email service verify the agency's address. */
export const emailActivationRequested = defineEvent({
  type: 'EmailActivationRequested',
  schemaVersion: 1,
  data: v.object({}),
  personal: null,
})

/**
 * An owner asked for a test email to themselves, to see whether the mail server takes email. It is tried once. It goes
 * to the address of their account, or to the agency's if it has none.
 */
export const emailTestRequested = defineEvent({
  type: 'EmailTestRequested',
  schemaVersion: 1,
  data: v.object({ by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

/**
 * An email reached the form-to-email service, the SMTP server, or, if neither is set, the local outbox. `emailId` is
 * the event it carries.
 */
export const emailSent = defineEvent({
  type: 'EmailSent',
  schemaVersion: 1,
  data: v.object({
    emailId: v.pipe(v.string(), v.uuid()),
    to: v.picklist(['service', 'smtp', 'outbox']),
    attempt: v.number(),
  }),
  personal: null,
})

/**
 * An email could not be sent. After `busy`, no response (`unknown`: it may have been sent) or a temporary refusal it is
 * tried again some times. The other reasons wait for staff: an address that has to be confirmed, a service that blocks
 * us, a refusal, a side that was busy for days (`expired`), attempts without a response (`uncertain`), and an email
 * that some inboxes took and others refused (`partial`).
 */
export const emailFailed = defineEvent({
  type: 'EmailFailed',
  schemaVersion: 1,
  data: v.variant('willRetry', [
    v.object({
      emailId: v.pipe(v.string(), v.uuid()),
      willRetry: v.literal(true),
      reason: v.picklist(['busy', 'unknown', 'rejected']),
      attempt: v.number(),
    }),
    v.object({
      emailId: v.pipe(v.string(), v.uuid()),
      willRetry: v.literal(false),
      reason: v.picklist(['needs_activation', 'blocked', 'rejected', 'expired', 'uncertain', 'partial']),
      attempt: v.number(),
    }),
  ]),
  personal: null,
})

/** Staff asked to send an email again, whatever its state. `emailId` is the event it carries. */
export const emailResendRequested = defineEvent({
  type: 'EmailResendRequested',
  schemaVersion: 1,
  data: v.object({ emailId: v.pipe(v.string(), v.uuid()), by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

/**
 * The state of an email. `pending`, `retrying`, `needs_activation` and `blocked` are tried again by themselves;
 * `delivered` and `outbox` are done; the others wait for staff, who may send it again.
 */
export const DELIVERY_STATES = [
  'pending',
  'retrying',
  'delivered',
  'outbox',
  'needs_activation',
  'blocked',
  'rejected',
  'expired',
  'uncertain',
  'partial',
] as const

export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** The states of an email that has certainly reached no one and is not tried again by itself. */
const FAILED_STATES: readonly unknown[] = ['rejected', 'expired'] satisfies DeliveryState[]

/** Whether an email in this state has certainly reached no one. */
export const hasReachedNoRecipient = (state: unknown) => FAILED_STATES.includes(state)

/**
 * The order in which emails of a lane are sent, the smallest number first: one that has its turn (`reserveTurns`), then
 * contracts, other leads and test submissions, and emails to visitors of chats.
 */
export const EMAIL_PRIORITIES = { turn: 0, contract: 1, lead: 2, chat: 3 } as const

export type EmailPriority = (typeof EMAIL_PRIORITIES)[keyof typeof EMAIL_PRIORITIES]

/** How an inbox of the agency, one of several recipients, answered: `deferred` is tried again. */
export const RECIPIENT_STATES = ['delivered', 'deferred', 'refused'] as const

export type RecipientState = (typeof RECIPIENT_STATES)[number]

/** The recipients of emails. The address itself is stored only in the event. */
export const RECIPIENTS = ['agency', 'visitor', 'staff'] as const

export type Recipient = (typeof RECIPIENTS)[number]

/** The outcome of an email. */
export const emailEvents = [emailSent, emailFailed, emailResendRequested] as const

export type EmailEvent = RecordedEvent<(typeof emailEvents)[number]>

/** The outcome of an attempt, for the log. */
export type EmailOutcome = NewEvent<typeof emailSent> | NewEvent<typeof emailFailed>

/** One stream per request for a test submission, of the request and its outcome. */
export const activationStreams = defineStreams<RecordedEvent<typeof emailActivationRequested> | EmailEvent>(
  'email-activation-',
)

/** One stream per test email, of the request and its outcome. */
export const emailTestStreams = defineStreams<RecordedEvent<typeof emailTestRequested> | EmailEvent>('email-test-')

/**
 * An email as the form-to-email service takes it: a subject and fields, which it shows as a table. `to` is the
 * visitor's address, null for the agency. `replyTo` receives the agency's replies; `about` is the person it is about,
 * as staff know them.
 */
export type Email = {
  subject: string
  fields: [name: string, value: string][]
  to: string | null
  replyTo: { name: string; address: string } | null
  about: string | null
  /**
   * Staff wrote it themselves: it is not marked as sent by a machine, which out-of-office replies and filters check.
   */
  isHandwritten?: true
  /** It lets its reader sign in: it goes only to them, never through the service, whose inbox others read. */
  isSecret?: true
  /** The reply that the service sends by itself to the visitor, whose address it takes from the field `email`. */
  autoresponse?: string
  /** A PDF that goes with it. */
  attachment?: { name: string; content: Uint8Array<ArrayBuffer> }
}
