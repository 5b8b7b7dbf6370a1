import type { ForwardStatus } from '../../events/lead.ts'

/** Where an e-mail stands, in plain words: on the e-mail desk, on leads and in timelines. */
export const EMAIL_STATES: Record<NonNullable<ForwardStatus>, string> = {
  pending: 'Waiting',
  retrying: 'Waiting for another try',
  delivered: 'Delivered',
  needs_activation: 'Needs activation',
  blocked: 'Blocked',
  rejected: 'Failed for good',
  outbox: 'In the outbox',
}

const isState = (state: unknown): state is keyof typeof EMAIL_STATES =>
  typeof state === 'string' && Object.hasOwn(EMAIL_STATES, state)

/** The same where it does not go without saying what stands so: `E-mail failed for good`; undefined for no known state. */
export const emailStateInWords = (state: unknown) =>
  isState(state) ? `E-mail ${EMAIL_STATES[state].toLowerCase()}` : undefined
