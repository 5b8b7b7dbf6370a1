import type { Lead } from '../../../events/lead.ts'
import {
  afterSupportTime,
  REPLY_PROMISE_MS,
  type SupportHours,
  supportTimeBetween,
} from '../../../events/support-hours.ts'

const MINUTE_MS = 60_000

const duration = (minutes: number) => {
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** How a promise stands: in words, by when it was to be kept, and whether that has passed. */
export type ReplyClock = { text: string; due: Date; isOverdue: boolean }

/**
 * How long there is still to answer a lead, or for how long that is overdue, in support hours; undefined for a lead that
 * has been answered, for a suspect, whom nobody promised anything, and for one who cannot be reached because of erasure.
 */
export const replyClock = (lead: Lead, now: Date, hours: SupportHours): ReplyClock | undefined => {
  const isErased = !lead.email && !lead.phone
  if (lead.answeredAt || lead.followUpStatus !== 'new' || lead.suspicion || isErased) return undefined
  const due = afterSupportTime(new Date(lead.timestamp), REPLY_PROMISE_MS, hours)
  if (now < due) {
    const left = Math.ceil(supportTimeBetween(now, due, hours) / MINUTE_MS)
    return { text: `Reply due in ${duration(Math.max(1, left))}`, due, isOverdue: false }
  }
  const over = Math.floor(supportTimeBetween(due, now, hours) / MINUTE_MS)
  return { text: `Overdue by ${duration(Math.max(1, over))}`, due, isOverdue: true }
}
