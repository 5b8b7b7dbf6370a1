import { isPublicHoliday } from './public-holidays.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const LAST_MINUTE_OF_DAY = 24 * 60 - 1

/** `Africa/Johannesburg` is two hours ahead of UTC all year round, and has been since 1944. */
const SAST_OFFSET_MS = 2 * HOUR_MS

/** When someone answers: `days` from 1 (Monday) to 7 (Sunday), and the same minutes after midnight on each of them. */
export type SupportHours = { days: readonly number[]; opensAtMinute: number; closesAtMinute: number }

/** The hours of an agency that has set none (specification, 9: Mon-Fri 8AM-6PM SAST). */
export const DEFAULT_SUPPORT_HOURS: SupportHours = {
  days: [1, 2, 3, 4, 5],
  opensAtMinute: 8 * 60,
  closesAtMinute: 18 * 60,
}

/** How soon a request is promised to be answered, in support hours (specification, 9). */
export const REPLY_PROMISE_MS = 2 * HOUR_MS

/** The support team's day that an instant falls on: ms of UTC midnight on that date. */
const dayOf = (instant: Date) => Math.floor((instant.getTime() + SAST_OFFSET_MS) / DAY_MS) * DAY_MS

const isWorkday = (day: number, { days }: SupportHours) => {
  const date = new Date(day)
  const isListed = days.includes(date.getUTCDay() || 7)
  return isListed && !isPublicHoliday(date.toISOString().slice(0, 'yyyy-mm-dd'.length))
}

const instantOf = (day: number, minute: number) => new Date(day + minute * MINUTE_MS - SAST_OFFSET_MS)

/**
 * Since when nobody is there to answer, and from when somebody is again; undefined during support hours. Opening counts
 * as open, closing as closed. The same for every visitor, in whatever zone they are.
 */
export const backAt = (now: Date, hours: SupportHours = DEFAULT_SUPPORT_HOURS): Date | undefined => {
  const today = dayOf(now)
  if (isWorkday(today, hours)) {
    if (now < instantOf(today, hours.opensAtMinute)) return instantOf(today, hours.opensAtMinute)
    if (now < instantOf(today, hours.closesAtMinute)) return undefined
  }
  let day = today + DAY_MS
  while (!isWorkday(day, hours)) day += DAY_MS
  return instantOf(day, hours.opensAtMinute)
}

/** The instant by which so much support time, in milliseconds and more than none, has passed since another. */
export const afterSupportTime = (from: Date, durationMs: number, hours: SupportHours): Date => {
  let left = durationMs
  let at = backAt(from, hours) ?? from
  for (;;) {
    const closes = instantOf(dayOf(at), hours.closesAtMinute)
    const open = closes.getTime() - at.getTime()
    if (left <= open) return new Date(at.getTime() + left)
    left -= open
    at = backAt(closes, hours) ?? closes
  }
}

/** How much support time lies between two instants, in milliseconds; none where the second is not later. */
export const supportTimeBetween = (from: Date, to: Date, hours: SupportHours): number => {
  const spanOf = (day: number) => {
    if (!isWorkday(day, hours)) return 0
    const begin = Math.max(from.getTime(), instantOf(day, hours.opensAtMinute).getTime())
    const end = Math.min(to.getTime(), instantOf(day, hours.closesAtMinute).getTime())
    return Math.max(0, end - begin)
  }
  let total = 0
  for (let day = dayOf(from); day <= dayOf(to); day += DAY_MS) total += spanOf(day)
  return total
}

const pad = (count: number) => String(count).padStart(2, '0')

/** Minutes after midnight as a time on the clock: `8AM`, `5:30PM`. */
export const clockTime = (minute: number): string => {
  const hour = Math.floor(minute / 60) % 24
  const rest = minute % 60
  return `${hour % 12 || 12}${rest ? `:${pad(rest)}` : ''}${hour < 12 ? 'AM' : 'PM'}`
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Days that follow one another, as runs: 1, 2, 3, 5 are 1 to 3 and 5. */
const runsOf = (days: readonly number[]) =>
  [...days]
    .sort((a, b) => a - b)
    .reduce<[number, number][]>((runs, day) => {
      const last = runs.at(-1)
      if (last?.[1] === day - 1) last[1] = day
      else runs.push([day, day])
      return runs
    }, [])

/** The hours as the site states them: `Mon-Fri 8AM-6PM SAST`. */
export const hoursInWords = ({ days, opensAtMinute, closesAtMinute }: SupportHours): string => {
  const named = runsOf(days).map(([first, last]) =>
    [...new Set([first, last])].map((day) => DAY_NAMES[day - 1]).join('-'),
  )
  return `${named.join(', ')} ${clockTime(opensAtMinute)}-${clockTime(closesAtMinute)} SAST`
}

/** The hours as search engines read them (schema.org, openingHours): `Mo-Fr 08:00-18:00`. */
export const openingHours = ({ days, opensAtMinute, closesAtMinute }: SupportHours): string => {
  const named = runsOf(days).map((run) => [...new Set(run)].map((day) => DAY_NAMES[day - 1]?.slice(0, 2)).join('-'))
  const time = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
  return `${named.join(',')} ${time(opensAtMinute)}-${time(Math.min(closesAtMinute, LAST_MINUTE_OF_DAY))}`
}

/** When someone is back, as a visitor reads it: 'today at 8AM', 'tomorrow at 8AM', 'on Monday at 8AM'. */
export const backInWords = (back: Date, now: Date): string => {
  const days = (dayOf(back) - dayOf(now)) / DAY_MS
  const time = clockTime((back.getTime() + SAST_OFFSET_MS - dayOf(back)) / MINUTE_MS)
  if (days === 0) return `today at ${time}`
  if (days === 1) return `tomorrow at ${time}`
  const weekday = new Date(dayOf(back)).toLocaleDateString('en-ZA', { weekday: 'long', timeZone: 'UTC' })
  return `on ${weekday} at ${time}`
}
