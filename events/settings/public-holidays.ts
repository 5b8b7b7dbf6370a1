import { DAY_MS } from '../base/time.ts'

/** Month and day of each holiday that falls on the same date every year. */
const FIXED = ['01-01', '03-21', '04-27', '05-01', '06-16', '08-09', '09-24', '12-16', '12-25', '12-26']

const iso = (dayMs: number) => new Date(dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Easter Sunday by the Gregorian computus (Meeus, Jones and Butcher), in ms of UTC midnight. */
const easterSunday = (year: number) => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}

const known = new Map<number, Set<string>>()

const findHolidays = (year: number) => {
  const easter = easterSunday(year)
  const fixed = FIXED.map((monthAndDay) => Date.parse(`${year}-${monthAndDay}T00:00:00Z`))
  const mondays = fixed.filter((day) => new Date(day).getUTCDay() === 0).map((sunday) => sunday + DAY_MS)
  return new Set([...fixed, ...mondays, easter - 2 * DAY_MS, easter + DAY_MS].map(iso))
}

const holidaysOf = (year: number) => {
  const found = known.get(year) ?? findHolidays(year)
  known.set(year, found)
  return found
}

/**
 * Whether a day (`yyyy-mm-dd`) is a public holiday of South Africa: by the Public Holidays Act 36 of 1994, the Monday
 * after a holiday on a Sunday is one too. Days that are proclaimed for one year only, such as elections, are not
 * included.
 */
export const isPublicHoliday = (day: string) => holidaysOf(Number(day.slice(0, 4))).has(day)
