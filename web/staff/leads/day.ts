/** The agency's own time, whatever clock the reader's machine has: days begin and end by it. */
const TIME_ZONE = 'Africa/Johannesburg'

/** What the zone has been ahead of UTC, all year round, since 1944. */
const OFFSET = '+02:00'

/** A calendar day where the agency is, such as `2026-01-31`. */
export type Day = string

/** The days that can be chosen anywhere: a year has four digits. */
export const FIRST_DAY: Day = '1970-01-01'
export const LAST_DAY: Day = '2199-12-31'

const dayKey = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE, dateStyle: 'short' })
const dayName = new Intl.DateTimeFormat('en-ZA', {
  timeZone: TIME_ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const shortDayName = new Intl.DateTimeFormat('en-ZA', {
  timeZone: TIME_ZONE,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const monthName = new Intl.DateTimeFormat('en-ZA', { timeZone: TIME_ZONE, month: 'long', year: 'numeric' })
const clock = new Intl.DateTimeFormat('en-ZA', {
  timeZone: TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** The instant at which a day begins. */
export const startOf = (day: Day) => new Date(`${day}T00:00:00${OFFSET}`)

/** An instant that falls on a day wherever it is read from, for what is about the day alone. */
export const noonOf = (day: Day) => new Date(`${day}T12:00:00${OFFSET}`)

/** The calendar day of an instant; years before 1000 have four digits too, as date fields have them. */
export const dayOf = (instant: string | Date): Day =>
  dayKey.format(new Date(instant)).padStart('yyyy-mm-dd'.length, '0')

/** The time of day of an instant, such as `14:05`. */
export const timeOf = (instant: string | Date) => clock.format(new Date(instant))

/** The day that lies so many days after another; before it where `count` is negative. */
export const plusDays = (day: Day, count: number): Day => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 'yyyy-mm-dd'.length)
}

/** From 0, a Sunday, to 6. */
export const weekdayOf = (day: Day) => new Date(`${day}T00:00:00Z`).getUTCDay()

/** A day in full: `Saturday, 31 January 2026`. */
export const dayInWords = (day: Day) => dayName.format(noonOf(day))

/** A day without its weekday: `31 January 2026`. */
export const dayInShort = (day: Day) => shortDayName.format(noonOf(day))

/** The month of a day: `January 2026`. */
export const monthInWords = (day: Day) => monthName.format(noonOf(day))

/** When something was, as short as can be: the time, and the day before it where that is not today. */
export const shortMomentOf = (instant: string | Date, now = new Date()) =>
  dayOf(instant) === dayOf(now) ? timeOf(instant) : `${dayInShort(dayOf(instant))}, ${timeOf(instant)}`

/** The date and time of an instant, in words. */
export const momentOf = (instant: string | Date) => `${dayInWords(dayOf(instant))}, ${timeOf(instant)}`
