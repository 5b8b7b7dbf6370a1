import {
  AGENCY_TIME_ZONE,
  addDays,
  agencyClock,
  agencyDay,
  agencyDayName,
  startOfDay,
} from '../../events/base/agency-day.ts'
import { serverNow } from '../client/server-time.ts'

const HALF_DAY_MS = 12 * 60 * 60 * 1000
const DAYS_PER_WEEK = 7

/** A calendar day in the agency's time zone, such as `2026-01-31`. */
export type Day = string

/** The first and the last day that can be chosen anywhere, so that a year has four digits. */
export const FIRST_DAY: Day = '1970-01-01'
export const LAST_DAY: Day = '2199-12-31'

const shortDayName = new Intl.DateTimeFormat('en-ZA', {
  timeZone: AGENCY_TIME_ZONE,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const briefDayName = new Intl.DateTimeFormat('en-ZA', {
  timeZone: AGENCY_TIME_ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const weekdayName = new Intl.DateTimeFormat('en-ZA', { timeZone: AGENCY_TIME_ZONE, weekday: 'short' })
const monthName = new Intl.DateTimeFormat('en-ZA', { timeZone: AGENCY_TIME_ZONE, month: 'long', year: 'numeric' })

/** Noon of a day at the agency, for values that are about the day alone: from UTC-10 to UTC+13 it is the same day. */
export const noonOf = (day: Day) => new Date(startOfDay(day).getTime() + HALF_DAY_MS)

export const dayOf = (instant: string | Date): Day => agencyDay(new Date(instant))

/** The time of day of an instant, such as `14:05`. */
export const timeOf = (instant: string | Date) => agencyClock.format(new Date(instant))

/** A day in full: `Saturday, 31 January 2026`. */
export const dayInWords = (day: Day) => agencyDayName.format(noonOf(day))

/** A day without its weekday: `31 January 2026`. */
export const dayInShort = (day: Day) => shortDayName.format(noonOf(day))

/** A day for narrow places: `31 Jan 2026`. */
export const dayInBrief = (day: Day) => briefDayName.format(noonOf(day))

export const monthInWords = (day: Day) => monthName.format(noonOf(day))

/** A future moment, with the shortest clear name of its day: `today at 14:05`, within a week `Mon at 14:05`. */
export const futureMomentOf = (instant: Date, now: Date) => {
  const day = dayOf(instant)
  const today = dayOf(now)
  const isSoon = day < addDays(today, DAYS_PER_WEEK)
  const named = day === today ? 'today' : isSoon ? weekdayName.format(instant) : dayInShort(day)
  return `${named} at ${timeOf(instant)}`
}

/** A past moment: the time, and before it the day unless that is today. */
export const shortMomentOf = (instant: string | Date, now = serverNow()) =>
  dayOf(instant) === dayOf(now) ? timeOf(instant) : `${dayInShort(dayOf(instant))}, ${timeOf(instant)}`

/** A past moment for narrow places: the time if it is today, the weekday and the time within a week, else the day. */
export const briefMomentOf = (instant: string | Date, now = serverNow()) => {
  const [day, today] = [dayOf(instant), dayOf(now)]
  if (day === today) return timeOf(instant)
  return day > addDays(today, -DAYS_PER_WEEK)
    ? `${weekdayName.format(noonOf(day))} ${timeOf(instant)}`
    : dayInBrief(day)
}

/** The day and time of an instant: `Saturday, 31 January 2026, 14:05`. */
export const momentOf = (instant: string | Date) => `${dayInWords(dayOf(instant))}, ${timeOf(instant)}`
