import * as v from 'valibot'
import { defineEvent, defineStreams, type NewEvent, type RecordedEvent } from './definition.ts'

/** Someone asked for the test submission that makes the form-to-e-mail service verify the agency's address. */
export const emailActivationRequested = defineEvent({
  type: 'EmailActivationRequested',
  schemaVersion: 1,
  data: v.object({}),
  personal: null,
})

/**
 * An e-mail reached the form-to-e-mail service, the SMTP server, or the local outbox where neither is set. `forwardId` is
 * the event it carries.
 */
export const emailForwarded = defineEvent({
  type: 'EmailForwarded',
  schemaVersion: 1,
  data: v.object({
    forwardId: v.pipe(v.string(), v.uuid()),
    to: v.picklist(['service', 'smtp', 'outbox']),
    attempt: v.number(),
  }),
  personal: null,
})

/**
 * An e-mail could not be sent. `busy` and `unknown` (no answer: it may have been sent) pass by themselves and are tried
 * again, a refusal of this very submission a few times; an address that wants verifying and a service that blocks us
 * wait for somebody to act.
 */
export const emailForwardFailed = defineEvent({
  type: 'EmailForwardFailed',
  schemaVersion: 1,
  data: v.variant('willRetry', [
    v.object({
      forwardId: v.pipe(v.string(), v.uuid()),
      willRetry: v.literal(true),
      reason: v.picklist(['busy', 'unknown', 'rejected']),
      attempt: v.number(),
    }),
    v.object({
      forwardId: v.pipe(v.string(), v.uuid()),
      willRetry: v.literal(false),
      reason: v.picklist(['needs_activation', 'blocked', 'rejected']),
      attempt: v.number(),
    }),
  ]),
  personal: null,
})

/** Staff asked for an e-mail to go out once more, whatever came of it before. `forwardId` is the event it carries. */
export const emailResendRequested = defineEvent({
  type: 'EmailResendRequested',
  schemaVersion: 1,
  data: v.object({ forwardId: v.pipe(v.string(), v.uuid()), by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})

/** Where an e-mail stands; `delivered` and `outbox` are done, `rejected` waits for somebody to send it again. */
export const DELIVERY_STATES = [
  'pending',
  'retrying',
  'delivered',
  'outbox',
  'needs_activation',
  'blocked',
  'rejected',
] as const

export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Who an e-mail goes to. The address itself is kept only in the event. */
export const RECIPIENTS = ['agency', 'visitor'] as const

export type Recipient = (typeof RECIPIENTS)[number]

/** What became of a forward. */
export type EmailEvent =
  | RecordedEvent<typeof emailForwarded>
  | RecordedEvent<typeof emailForwardFailed>
  | RecordedEvent<typeof emailResendRequested>

/** What the log is told of an attempt. */
export type EmailOutcome = NewEvent<typeof emailForwarded> | NewEvent<typeof emailForwardFailed>

/** A stream a request for a test submission, of the request and what became of it. */
export const activationStreams = defineStreams<RecordedEvent<typeof emailActivationRequested> | EmailEvent>(
  'email-activation-',
)

/**
 * An e-mail as the form-to-e-mail service takes it: a subject and fields, which it shows as a table. `to` is the
 * visitor's address, null where it is for the agency. `replyTo` is whom the agency answers, `about` whom it is about,
 * as staff know them.
 */
export type Email = {
  subject: string
  fields: [name: string, value: string][]
  to: string | null
  replyTo: { name: string; address: string } | null
  about: string | null
}
