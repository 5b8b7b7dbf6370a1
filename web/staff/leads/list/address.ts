import type { Day } from '../../day.ts'
import type { Sort } from './groups.ts'
import { KIND_NAMES, type LeadKinds, readKinds } from './kinds.ts'
import { endsToday, PERIODS, type Period } from './period.ts'

/** Longer than any field that is searched: a longer term matches nothing. */
export const MAX_TERM_CHARACTERS = 300

/** The columns of the working list that put it in order, besides the time of submission. */
export const COLUMNS = ['status', 'name', 'package', 'owner', 'due'] as const

export type Column = (typeof COLUMNS)[number]

/**
 * The view of a list of leads. `day` is undefined for today, whichever day that is, and so is `until`, the other end of
 * a range; pages count from 1.
 */
export type LeadView = {
  /** The column by which the working list is in order, if not by the time of submission. */
  by: Column | undefined
  period: Period
  day: Day | undefined
  until: Day | undefined
  term: string
  kinds: LeadKinds
  sort: Sort
  page: number
}

const isDay = (text: string | null): text is Day =>
  text !== null &&
  /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

/** The view that an address requests; a missing or unreadable part is as on a first visit. */
export const readView = (query: URLSearchParams): LeadView => {
  const [date, until] = [query.get('date'), query.get('until')]
  const page = query.get('page') ?? ''
  return {
    period: PERIODS.find((period) => period === query.get('period')) ?? 'day',
    day: isDay(date) ? date : undefined,
    until: isDay(until) ? until : undefined,
    kinds: readKinds(query),
    term: (query.get('q') ?? '').slice(0, MAX_TERM_CHARACTERS).toWellFormed().trim(),
    by: COLUMNS.find((column) => column === query.get('by')),
    sort: query.get('sort') === 'asc' ? 'asc' : 'desc',
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

/** The query string with these changes applied; another list starts at its first page. */
export const withView = (query: URLSearchParams, change: Partial<LeadView>): URLSearchParams => {
  const { period, day, until, term, kinds, by, sort, page } = { ...readView(query), page: 1, ...change }
  const next = new URLSearchParams(query)
  const stated = {
    period: period !== 'day' && period,
    date: !endsToday(period) && day,
    until: period === 'range' && until,
    ...Object.fromEntries(KIND_NAMES.map((name) => [name, kinds[name]])),
    q: term.slice(0, MAX_TERM_CHARACTERS).toWellFormed().trim(),
    by,
    sort: sort === 'asc' && sort,
    page: page > 1 && String(page),
  }
  for (const [name, value] of Object.entries(stated)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}
