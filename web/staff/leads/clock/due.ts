import type { Lead } from '../../../../events/lead/wire.ts'
import type { SupportHoursHistory } from '../../../../events/settings/support-hours-history.ts'
import { dayInBrief, dayOf } from '../../day.ts'
import { replyClock } from './clock.ts'

/** An answer that is due this soon stands out. */
const SOON_MS = 30 * 60_000

/** The next action for a lead, as text: the answer to it, else the planned one. `tone` is how soon it is due. */
export type Due = { text: string; tone: 'later' | 'soon' | 'late'; at: number }

/** Returns the next due action for a lead; undefined without one. */
export const dueOf = (lead: Lead, now: Date, history: SupportHoursHistory): Due | undefined => {
  const clock = replyClock(lead, now, history)
  if (clock) {
    const { brief: text, due, isOverdue } = clock
    const isSoon = due.getTime() - now.getTime() < SOON_MS
    return { text, tone: isOverdue ? 'late' : isSoon ? 'soon' : 'later', at: due.getTime() }
  }
  const day = lead.nextActionDate
  if (!day) return undefined
  const today = dayOf(now)
  const at = Date.parse(day)
  if (day < today) return { text: `Was due ${dayInBrief(day)}`, tone: 'late', at }
  return day === today ? { text: 'Due today', tone: 'soon', at } : { text: `Due ${dayInBrief(day)}`, tone: 'later', at }
}
