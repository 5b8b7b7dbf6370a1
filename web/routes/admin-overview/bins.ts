import { AGENCY_TIME_ZONE, addDays } from '../../../events/base/agency-day.ts'
import { type Day, dayInShort, monthInWords, noonOf } from '../../staff/day.ts'
import { rangeOf } from '../../staff/leads/list/period.ts'

/** The unit into which a range of days is divided for a chart. */
export type Unit = 'day' | 'week' | 'month'

/** The days of one bar: the first of them in the range, the label on the axis, and the full title. */
export type Bin = { first: Day; label: string; title: string }

const SUNDAY = 0

const shortDay = new Intl.DateTimeFormat('en-ZA', { timeZone: AGENCY_TIME_ZONE, day: 'numeric', month: 'short' })
const shortMonth = new Intl.DateTimeFormat('en-ZA', { timeZone: AGENCY_TIME_ZONE, month: 'short' })
const wholeDay = new Intl.DateTimeFormat('en-ZA', {
  timeZone: AGENCY_TIME_ZONE,
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** Days below 10 with one digit, which en-ZA writes with two. */
const plain = (text: string) => text.replace(/(?<=^|\D)0(?=\d\D)/, '')

const namesOf = (unit: Unit, first: Day): Bin => {
  const day = plain(shortDay.format(noonOf(first)))
  switch (unit) {
    case 'day':
      return { first, label: day, title: plain(wholeDay.format(noonOf(first))) }
    case 'week':
      return { first, label: day, title: `Week of ${dayInShort(first)}` }
    case 'month':
      return { first, label: shortMonth.format(noonOf(first)), title: monthInWords(first) }
    default:
      return unit satisfies never
  }
}

/**
 * The days from `from` to `asOf` in bins, oldest first, and the bin of a day. Weeks begin on Sunday; the first and the
 * last may be parts of a week or a month.
 */
export const binsOf = ({ from, asOf }: { from: Day; asOf: Day }, unit: Unit) => {
  const bins: Bin[] = []
  for (let first = from; first <= asOf; first = addDays(rangeOf(unit, first, SUNDAY).last, 1)) {
    bins.push(namesOf(unit, first))
  }
  return { bins, binOf: (day: Day) => bins.findLast(({ first }) => first <= day) }
}

export const daysOf = ({ from, asOf }: { from: Day; asOf: Day }) =>
  Math.round((Date.parse(asOf) - Date.parse(from)) / (24 * 60 * 60 * 1000)) + 1
