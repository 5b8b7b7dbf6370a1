import { LEAD_FORM_TYPE, type Lead } from '../../events/lead.ts'

/** The agency's own time, whatever clock the reader's machine has: days begin and end by it. */
const TIME_ZONE = 'Africa/Johannesburg'

/** `asc` is oldest first. */
export type Sort = 'desc' | 'asc'

const dayKey = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE, dateStyle: 'short' })
const dayName = new Intl.DateTimeFormat('en-ZA', {
  timeZone: TIME_ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const clock = new Intl.DateTimeFormat('en-ZA', {
  timeZone: TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})

/** The calendar day of an instant, such as `2026-01-31`. */
export const dayOf = (timestamp: string) => dayKey.format(new Date(timestamp))

/** The time of day of an instant, such as `14:05`. */
export const timeOf = (timestamp: string) => clock.format(new Date(timestamp))

/** The date and time of an instant, in words. */
export const momentOf = (timestamp: string) => `${dayName.format(new Date(timestamp))}, ${timeOf(timestamp)}`

export const sortLeads = (leads: readonly Lead[], sort: Sort): Lead[] =>
  [...leads].sort((a, b) => (sort === 'desc' ? -1 : 1) * (Date.parse(a.timestamp) - Date.parse(b.timestamp)))

/** Leads by calendar day, newest day first; within a day as `sort` says (specification, 2: advanced dashboard). */
export const groupByDay = (leads: readonly Lead[], sort: Sort) => {
  const days = Map.groupBy(sortLeads(leads, sort), ({ timestamp }) => dayOf(timestamp))
  return [...days]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([day, ofDay]) => ({ day, title: dayName.format(new Date(`${day}T12:00:00+02:00`)), leads: ofDay }))
}

/** The leads that hold a term, whatever its case, in one of the fields that search covers (specification, 5). */
export const searchLeads = (leads: readonly Lead[], term: string): Lead[] => {
  const wanted = term.trim().toLowerCase()
  if (!wanted) return [...leads]
  return leads.filter(({ name, businessName, email, phone, company }) =>
    [name, businessName, email, phone, company, LEAD_FORM_TYPE].some((field) => field?.toLowerCase().includes(wanted)),
  )
}

/** What a card is headed with. */
export const leadTitle = ({ businessName, name }: Lead) => businessName || name || 'New Submission'

/** The company, which falls back to the business name. */
export const leadCompany = ({ company, businessName }: Lead) => company || businessName || null
