import { addDays, startOfDay, weekdayOf } from '../../../../events/base/agency-day.ts'
import type { Weekday } from '../../../../events/settings/week-start.ts'
import { type Day, dayInShort, dayInWords, FIRST_DAY, LAST_DAY, monthInWords } from '../../day.ts'

/**
 * The dashboard's period: a day, the week or the month that contains it, the last days up to today, the days from one
 * to another, or all days.
 */
export const PERIODS = ['day', 'week', 'month', 'last7', 'last30', 'range', 'all'] as const

export type Period = (typeof PERIODS)[number]

export const PERIOD_NAMES: Record<Period, string> = {
  day: 'Single Day',
  week: 'Entire Week',
  month: 'Entire Month',
  last7: 'Last 7 Days',
  last30: 'Last 30 Days',
  range: 'Custom Range',
  all: 'All Dates',
}

/** Periods that end today: no other day can be chosen for them. */
export const endsToday = (period: Period) => period === 'last7' || period === 'last30'

export type DayRange = { first: Day; last: Day }

/**
 * The days of the period that contains a day; a range extends to another day, whichever of the two is earlier.
 * Undefined for a week while `weekStart` is.
 */
export function rangeOf(period: Period, day: Day, weekStart: Weekday, until?: Day): DayRange
export function rangeOf(period: Period, day: Day, weekStart: Weekday | undefined, until?: Day): DayRange | undefined
export function rangeOf(period: Period, day: Day, weekStart: Weekday | undefined, until: Day = day) {
  switch (period) {
    case 'day':
      return { first: day, last: day }
    case 'week': {
      if (weekStart === undefined) return undefined
      const first = addDays(day, -((weekdayOf(day) - weekStart + 7) % 7))
      return { first, last: addDays(first, 6) }
    }
    case 'month': {
      const first = `${day.slice(0, 'yyyy-mm'.length)}-01`
      const next = `${addDays(first, 31).slice(0, 'yyyy-mm'.length)}-01`
      return { first, last: addDays(next, -1) }
    }
    case 'last7':
      return { first: addDays(day, -6), last: day }
    case 'last30':
      return { first: addDays(day, -29), last: day }
    case 'range':
      return day <= until ? { first: day, last: until } : { first: until, last: day }
    case 'all':
      return { first: FIRST_DAY, last: LAST_DAY }
    default:
      return period satisfies never
  }
}

/** The half-open interval of instants of the days. */
export const instantsOf = ({ first, last }: DayRange) => ({ from: startOfDay(first), to: startOfDay(addDays(last, 1)) })

export const periodTitle = (period: Period, { first, last }: DayRange) => {
  switch (period) {
    case 'day':
      return dayInWords(first)
    case 'week':
      return `Week of ${dayInShort(first)} - ${dayInShort(last)}`
    case 'month':
      return monthInWords(first)
    case 'last7':
    case 'last30':
    case 'range':
      return first === last ? dayInShort(first) : `${dayInShort(first)} - ${dayInShort(last)}`
    case 'all':
      return 'All dates'
    default:
      return period satisfies never
  }
}
