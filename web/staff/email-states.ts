import type { DeliveryState } from '../../events/email.ts'
import { nameOf } from './name-of.ts'

/** Where an e-mail stands, in plain words: on the e-mail desk, on leads and in timelines. */
export const EMAIL_STATES: Record<DeliveryState, string> = {
  pending: 'Waiting',
  retrying: 'Waiting for another try',
  delivered: 'Delivered',
  needs_activation: 'Needs activation',
  blocked: 'Blocked',
  rejected: 'Failed for good',
  expired: 'Given up',
  uncertain: 'May have arrived',
  partial: 'Delivered to some',
  outbox: 'In the outbox',
}

/** The same with its subject, where no heading gives it: `E-mail failed for good`; undefined for no state. */
export const emailStateInWords = (state: unknown) =>
  typeof state === 'string' && state !== '' ? `E-mail ${nameOf(EMAIL_STATES, state).toLowerCase()}` : undefined
