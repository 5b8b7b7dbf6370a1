import type { RecipientState } from '../../events/email/email.ts'
import type { ClaimedDelivery, InboxStates } from '../../events/email/store/deliveries.ts'
import { inboxKey } from '../../events/email/store/inbox-states.ts'
import type { Verdict } from './retry-verdict.ts'

/** The response of one of several inboxes. */
export type InboxAnswer = { address: string; state: RecipientState }

/** Whether an email still has to go to an inbox: one that accepted or refused it is not tried again. */
export const isLeft = ({ eventId, inboxStates }: ClaimedDelivery, address: string): boolean => {
  const state = inboxStates[inboxKey(eventId, address)]
  return state === undefined || state === 'deferred'
}

/** The status of the inboxes after an attempt. */
export const inboxStatesAfter = ({ eventId, inboxStates }: ClaimedDelivery, answers: InboxAnswer[]): InboxStates => ({
  ...inboxStates,
  ...Object.fromEntries(answers.map(({ address, state }) => [inboxKey(eventId, address), state])),
})

/**
 * The verdict on an attempt at some of the inboxes, by the status of all of them: some have it and others never will.
 */
export const verdictOnInboxes = (verdict: Verdict, inboxStates: InboxStates): Verdict => {
  const all = Object.values(inboxStates)
  const isPartial =
    (verdict.state === 'delivered' && all.some((state) => state !== 'delivered')) ||
    ((verdict.state === 'rejected' || verdict.state === 'expired') && all.includes('delivered'))
  return isPartial ? { ...verdict, state: 'partial', needsAttention: true } : verdict
}
