import { nameOf } from '../../../events/base/name-of.ts'
import type { DeliveryState } from '../../../events/email/email.ts'
import type { ChipTone } from '../chip.tsx'

/** The state of an email, in plain words: in the email list, on leads and in timelines. */
export const EMAIL_STATES: Record<DeliveryState, string> = {
  pending: 'Waiting',
  retrying: 'Waiting for another try',
  delivered: 'Delivered',
  needs_activation: 'Needs activation',
  blocked: 'Blocked',
  rejected: 'Failed',
  expired: 'Given up',
  uncertain: 'May have arrived',
  partial: 'Delivered to some',
  outbox: 'Not sent (no email service)',
}

const FINE_STATES: readonly string[] = ['pending', 'delivered', 'outbox'] satisfies DeliveryState[]

/** Whether an email in this state failed or is held up. A state that only a newer node knows counts as no trouble. */
export const isInTrouble = (state: string) => Object.hasOwn(EMAIL_STATES, state) && !FINE_STATES.includes(state)

/** The emphasis of an email's state, in the email list and on leads. */
export const emailTone = (state: string): ChipTone => {
  if (isInTrouble(state)) return 'bad'
  return state === 'delivered' ? 'good' : 'plain'
}

/** The state with its subject, for places without a heading: `Email failed`; undefined for no state. */
export const emailStateInWords = (state: unknown) =>
  typeof state === 'string' && state !== '' ? `Email ${nameOf(EMAIL_STATES, state).toLowerCase()}` : undefined
