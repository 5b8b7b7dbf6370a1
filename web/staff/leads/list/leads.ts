import useSWR from 'swr'
import { type Lead, leadSummary, leads } from '../../../../events/lead/wire.ts'
import { get } from '../../../client/get.ts'
import { POLL_MS } from '../../requests/polling.ts'
import { useGet } from '../../requests/use-get.ts'
import { type DayCount, type Sort, slicesOf } from './groups.ts'
import type { LeadKinds } from './kinds.ts'
import { instantsOf } from './period.ts'

export const PAGE_LEADS = 50

/**
 * The leads of a list: those submitted between two instants, half-open, that contain a term and pass the filters; with
 * `quarantine` only the flagged ones, which are left out otherwise.
 */
export type LeadFilter = { from?: Date; to?: Date; term: string; kinds?: LeadKinds; quarantine?: boolean }

const SHOWN_AT_ONCE = { revalidateIfStale: true, keepPreviousData: true }

/** A live list: polled in case the stream missed something, and fetched again when it is shown. */
export const LIVE_LIST = { ...SHOWN_AT_ONCE, poll: 'lists' } as const

export const leadQuery = (
  { from, to, term, kinds = {}, quarantine }: LeadFilter,
  more: Record<string, string | number> = {},
) => {
  const query = new URLSearchParams()
  if (from) query.set('from', from.toISOString())
  if (to) query.set('to', to.toISOString())
  if (term) query.set('q', term)
  if (quarantine) query.set('quarantine', 'true')
  for (const [name, value] of Object.entries(kinds)) query.set(name, value)
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  return query
}

/** The number of leads in a list; nothing is fetched without a filter. */
export const useLeadSummary = (filter: LeadFilter | undefined) =>
  useGet(filter && `/api/leads/summary?${leadQuery(filter)}`, leadSummary, LIVE_LIST)

/** The number of pages of a list of this many leads; an empty one has one. */
export const pagesOf = (total: number, size = PAGE_LEADS) => Math.max(1, Math.ceil(total / size))

/** The last page if an address requests one beyond it; unchanged as long as the total is unknown. */
export const clampPage = (page: number, total: number | undefined, size = PAGE_LEADS) =>
  total === undefined ? page : Math.min(page, pagesOf(total, size))

/** `shown`: only so many leads of the page are read. */
type LeadPage = { sort: Sort; page: number; size?: number; shown?: number; byDay?: { days: DayCount[] | undefined } }

const addressesOf = (filter: LeadFilter, { sort, page, size = PAGE_LEADS, shown = size, byDay }: LeadPage) => {
  const [limit, offset] = [shown, (page - 1) * size]
  if (!byDay || sort === 'desc') return [`/api/leads?${leadQuery(filter, { sort, limit, offset })}`]
  if (!byDay.days) return undefined
  return slicesOf(byDay.days, { offset, limit }).map(({ first, last, ...part }) => {
    const days = { ...filter, ...instantsOf({ first, last }) }
    return `/api/leads?${leadQuery(days, { sort, ...part })}`
  })
}

/**
 * One page of a list, in one order from the first lead to the last; with `byDay` the newest day stays first whatever the
 * order within a day, which takes the summary's days.
 */
export const useLeadPage = (filter: LeadFilter, page: LeadPage) =>
  useSWR<Lead[]>(
    addressesOf(filter, page),
    async (addresses: string[]) => (await Promise.all(addresses.map((address) => get(address, leads)))).flat(),
    { ...SHOWN_AT_ONCE, refreshInterval: POLL_MS.lists },
  )
