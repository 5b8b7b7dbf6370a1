import { NAMELESS, namesOf } from '../../../../events/lead/name.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { type Day, dayOf } from '../../day.ts'
import { leadAddress } from '../address.ts'

/** `asc` is oldest first. */
export type Sort = 'desc' | 'asc'

/** The number of leads submitted on a day. */
export type DayCount = { day: Day; count: number }

/** Adjacent leads of a list: `limit` leads of the days from `first` to `last`, after the first `offset`. */
export type Slice = { first: Day; last: Day; offset: number; limit: number }

const inOrder = (leads: readonly Lead[], sort: Sort): Lead[] =>
  leads.toSorted((a, b) => (sort === 'desc' ? -1 : 1) * (Date.parse(a.timestamp) - Date.parse(b.timestamp)))

/** Leads by calendar day, newest day first; within a day in the order of `sort`. */
export const groupByDay = (leads: readonly Lead[], sort: Sort) => {
  const days = Map.groupBy(inOrder(leads, sort), ({ timestamp }) => dayOf(timestamp))
  return [...days].sort(([a], [b]) => b.localeCompare(a)).map(([day, ofDay]) => ({ day, leads: ofDay }))
}

/** Leads that are in order already, by calendar day. */
export const daysOf = (leads: readonly Lead[]) =>
  [...Map.groupBy(leads, ({ timestamp }) => dayOf(timestamp))].map(([day, ofDay]) => ({ day, leads: ofDay }))

/**
 * The slices to fetch for a page of a list whose days run backward while each day runs forward: its first and its last
 * day may be cut, all days between them are whole. `days` are the list's, newest first.
 */
export const slicesOf = (days: readonly DayCount[], { offset, limit }: { offset: number; limit: number }): Slice[] => {
  const slices: (Slice & { isWhole: boolean })[] = []
  let begin = 0
  for (const { day, count } of days) {
    const skipped = Math.max(0, offset - begin)
    const taken = Math.min(count, offset + limit - begin) - skipped
    begin += count
    if (taken <= 0) continue
    const isWhole = taken === count
    const before = slices.at(-1)
    if (isWhole && before?.isWhole) Object.assign(before, { first: day, limit: before.limit + taken })
    else slices.push({ first: day, last: day, offset: skipped, limit: taken, isWhole })
  }
  return slices.map(({ isWhole: _, ...slice }) => slice)
}

/** A lead's name for labels and toasts; if there is room, `LeadName` has the company next to it. */
export const leadTitle = (lead: Lead) => namesOf(lead).person

export const cardTitle = ({ businessName, name }: Lead) => businessName || name || NAMELESS

export const aboutLead = (lead: Lead) => ({ name: leadTitle(lead), address: leadAddress(lead.id) })

/** The company, which falls back to the business name. */
export const leadCompany = ({ company, businessName }: Lead) => company || businessName || null

/** A lead's number as people read it; as typed if it cannot be read. */
export const shownPhone = ({ phone, phoneLinks }: Lead) => phoneLinks?.shown ?? phone
