import { isPublicHoliday } from './public-holidays.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** `Africa/Johannesburg` is two hours ahead of UTC all year round, and has been since 1944. */
const SAST_OFFSET_MS = 2 * HOUR_MS

/** The hours in which someone answers, Monday to Friday (specification, 9: Mon-Fri 8AM-6PM SAST). */
const OPENS_AT_HOUR = 8
const CLOSES_AT_HOUR = 18

/** The support team's day that an instant falls on: ms of UTC midnight on that date. */
const dayOf = (instant: Date) => Math.floor((instant.getTime() + SAST_OFFSET_MS) / DAY_MS) * DAY_MS

const isWorkday = (day: number) => {
  const date = new Date(day)
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
  return !isWeekend && !isPublicHoliday(date.toISOString().slice(0, 'yyyy-mm-dd'.length))
}

const instantOf = (day: number, hour: number) => new Date(day + hour * HOUR_MS - SAST_OFFSET_MS)

/**
 * Since when nobody is there to answer, and from when somebody is again; undefined during support hours. Opening counts
 * as open, closing as closed. The same for every visitor, in whatever zone they are.
 */
export const backAt = (now: Date): Date | undefined => {
  const today = dayOf(now)
  if (isWorkday(today)) {
    if (now < instantOf(today, OPENS_AT_HOUR)) return instantOf(today, OPENS_AT_HOUR)
    if (now < instantOf(today, CLOSES_AT_HOUR)) return undefined
  }
  let day = today + DAY_MS
  while (!isWorkday(day)) day += DAY_MS
  return instantOf(day, OPENS_AT_HOUR)
}

/** When someone is back, as a visitor reads it: 'today at 8AM', 'tomorrow at 8AM', 'on Monday at 8AM'. */
export const backInWords = (back: Date, now: Date): string => {
  const days = (dayOf(back) - dayOf(now)) / DAY_MS
  if (days === 0) return `today at ${OPENS_AT_HOUR}AM`
  if (days === 1) return `tomorrow at ${OPENS_AT_HOUR}AM`
  const weekday = new Date(dayOf(back)).toLocaleDateString('en-ZA', { weekday: 'long', timeZone: 'UTC' })
  return `on ${weekday} at ${OPENS_AT_HOUR}AM`
}
