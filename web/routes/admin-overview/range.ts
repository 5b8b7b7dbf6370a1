import type { Day } from '../../staff/day.ts'

/** The ranges of days that the overview can show, with their names. */
export const RANGES = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'A year' },
] as const

const DEFAULT_DAYS = 30

/** The range of the overview: a number of days up to `asOf`, which is undefined for today. */
export type OverviewRange = { days: number; asOf: Day | undefined }

const isPastDay = (text: string | null, today: Day): text is Day =>
  text !== null &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  text >= '1970-01-01' &&
  text < today &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

/** The range that an address asks for; missing or invalid parts are as on a first visit. */
export const readRange = (query: URLSearchParams, today: Day): OverviewRange => {
  const asOf = query.get('asOf')
  return {
    days: RANGES.find(({ days }) => String(days) === query.get('days'))?.days ?? DEFAULT_DAYS,
    asOf: isPastDay(asOf, today) ? asOf : undefined,
  }
}

/** The query string of a range with these changes applied. */
export const withRange = (query: URLSearchParams, change: Partial<OverviewRange>, today: Day): URLSearchParams => {
  const { days, asOf } = { ...readRange(query, today), ...change }
  const next = new URLSearchParams(query)
  next.set('days', String(days))
  if (asOf && asOf < today) next.set('asOf', asOf)
  else next.delete('asOf')
  return next
}

/** A range within a sentence: `in 30 days`. */
export const rangeInWords = (days: number) => (days === 365 ? 'in a year' : `in ${days} days`)
