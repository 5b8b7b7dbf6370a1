import { DAY_MS, HOUR_MS } from './time.ts'

/** The agency's own time, whatever clock the reader's machine has: days begin and end by it. */
export const AGENCY_TIME_ZONE = 'Africa/Johannesburg'

/** The zone is two hours ahead of UTC all year round, and has been since 1944. */
const OFFSET_MS = 2 * HOUR_MS

/** The last instant whose year has four digits. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z') - OFFSET_MS

/** The day (yyyy-mm-dd) of an instant in the agency's time zone. */
export const agencyDay = (instant: Date): string =>
  new Date(Math.min(instant.getTime(), LAST_MS) + OFFSET_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Writes the day of an instant in full, in the agency's time zone: `Saturday, 31 January 2026`. */
export const agencyDayName = new Intl.DateTimeFormat('en-ZA', {
  timeZone: AGENCY_TIME_ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** Writes the time of day of an instant in the agency's time zone: `14:05`. */
export const agencyClock = new Intl.DateTimeFormat('en-ZA', {
  timeZone: AGENCY_TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** The first instant of a day in the agency's time zone. */
export const startOfDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) - OFFSET_MS)

/** The day this many days later; earlier for a negative number. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** The day of the week, from 0, a Sunday, to 6. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
