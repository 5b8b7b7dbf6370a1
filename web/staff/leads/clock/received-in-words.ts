/** The texts for the time at which a lead came. If only the day is known, they have no time. */
import { isDayAlone } from '../../../../events/lead/time.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { dayInShort, dayInWords, dayOf, momentOf, shortMomentOf, timeOf } from '../../day.ts'

type Received = Pick<Lead, 'leadSource' | 'timestamp'>

/** The date, and the time if it is known. */
export const receivedMoment = (lead: Received) =>
  isDayAlone(lead) ? dayInWords(dayOf(lead.timestamp)) : momentOf(lead.timestamp)

/** The same, as short as possible. */
export const receivedInShort = (lead: Received) =>
  isDayAlone(lead) ? dayInShort(dayOf(lead.timestamp)) : shortMomentOf(lead.timestamp)

/** The time, if the day is shown elsewhere; empty if it is not known. */
export const receivedTime = (lead: Received) => (isDayAlone(lead) ? '' : timeOf(lead.timestamp))
