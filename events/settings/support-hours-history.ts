import {
  afterSupportTime,
  DEFAULT_SUPPORT_HOURS,
  REPLY_WITHIN_MS,
  type SupportHours,
  supportTimeBetween,
} from './support-time.ts'

/** The support hours that an agency has had, oldest first; before the first change the defaults are valid. */
export type SupportHoursHistory = { validFrom: Date; hours: SupportHours }[]

const earlier = (a: Date, b: Date) => (a < b ? a : b)
const later = (a: Date, b: Date) => (a < b ? b : a)

/** How much support time lies between two instants, in milliseconds, by the hours that were valid at each moment. */
export const supportTimeUnder = (history: SupportHoursHistory, from: Date, to: Date): number => {
  let total = 0
  let begin = from
  let hours = DEFAULT_SUPPORT_HOURS
  for (const { validFrom, hours: next } of history) {
    const end = earlier(later(validFrom, begin), to)
    total += supportTimeBetween(begin, end, hours)
    begin = later(begin, end)
    hours = next
  }
  return total + supportTimeBetween(begin, to, hours)
}

/**
 * The instant at which this much support time (in milliseconds, more than none) has passed since another, by the hours
 * that were valid at each moment; the current ones stay valid.
 */
export const afterSupportTimeUnder = (history: SupportHoursHistory, from: Date, durationMs: number): Date => {
  let left = durationMs
  let begin = from
  let hours = DEFAULT_SUPPORT_HOURS
  for (const { validFrom, hours: next } of history) {
    const passed = supportTimeBetween(begin, validFrom, hours)
    if (passed >= left) break
    left -= passed
    begin = later(begin, validFrom)
    hours = next
  }
  return afterSupportTime(begin, left, hours)
}

/**
 * The last instant, to the millisecond, since which more support time has passed at `now` than is promised for a reply:
 * a request from then or earlier that still waits is overdue. Undefined if that is before `earliest`.
 */
export const overdueBefore = (
  history: SupportHoursHistory,
  { earliest, now, replyWithinMs = REPLY_WITHIN_MS }: { earliest: Date; now: Date; replyWithinMs?: number },
) => {
  const isOverdue = (ms: number) => supportTimeUnder(history, new Date(ms), now) > replyWithinMs
  let overdue = earliest.getTime()
  let inTime = now.getTime()
  if (inTime <= overdue || !isOverdue(overdue)) return undefined
  while (inTime - overdue > 1) {
    const middle = Math.floor((overdue + inTime) / 2)
    if (isOverdue(middle)) overdue = middle
    else inTime = middle
  }
  return new Date(overdue)
}
