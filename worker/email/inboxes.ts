import type { RecipientStanding } from '../../events/email/email.ts'
import type { ClaimedDelivery, Standings } from '../../events/email/store/deliveries.ts'
import { inboxKey } from '../../events/email/store/inbox-standings.ts'
import type { Verdict } from './attempt.ts'

/** The response of one of several inboxes. */
export type InboxAnswer = { address: string; standing: RecipientStanding }

/** Whether an email still has to go to an inbox: one that accepted or refused it is not tried again. */
export const isLeft = ({ eventId, standings }: ClaimedDelivery, address: string): boolean => {
  const standing = standings[inboxKey(eventId, address)]
  return standing === undefined || standing === 'deferred'
}

/** The status of the inboxes after an attempt. */
export const standingsAfter = ({ eventId, standings }: ClaimedDelivery, answers: InboxAnswer[]): Standings => ({
  ...standings,
  ...Object.fromEntries(answers.map(({ address, standing }) => [inboxKey(eventId, address), standing])),
})

/**
 * The verdict on an attempt at some of the inboxes, by the status of all of them: some have it and others never will.
 */
export const judgeInboxes = (verdict: Verdict, standings: Standings): Verdict => {
  const all = Object.values(standings)
  const isPartial =
    (verdict.state === 'delivered' && all.some((standing) => standing !== 'delivered')) ||
    ((verdict.state === 'rejected' || verdict.state === 'expired') && all.includes('delivered'))
  return isPartial ? { ...verdict, state: 'partial', needsSomebody: true } : verdict
}
