import { agencyDay, startOfDay } from '../agency-day.ts'
import { LEAD_FORM_TYPE, type Lead } from '../lead.ts'
import type { Sql } from '../log/connection.ts'
import { dialledDigits } from '../person.ts'
import { idsOfReference } from '../reference.ts'
import { asSearched } from '../searched-text.ts'
import { leadsProjection } from './leads.ts'
import { hasTrigrams, likePattern } from './like-pattern.ts'
import { schemaOf } from './projection.ts'

const view = (sql: Sql) => sql(schemaOf(leadsProjection))

/** No field that is searched is longer in lower case: what is longer is found nowhere. */
const MAX_FIELD_CHARACTERS = 800

/** Fewer digits than this are no piece of a telephone number. */
const MIN_PIECE_DIGITS = 3

/**
 * How many leads, from the beginning of a list, are looked through one after the other. A term that fills no page there is
 * so rare that its trigrams lead to few leads; one that does is found here sooner than by them. The planner cannot tell
 * the two apart: it takes any term that its sample lacks for rare.
 */
const NEAR_LEADS = 10_000

/** Days there last 24 hours all year round: counted off from here they cost a quarter of what the zone's name costs. */
const ANY_MIDNIGHT = startOfDay('2000-01-01')

/**
 * Which leads are wanted. `from` and `to` bound the time of submission, half-open; `q` is searched for in lower case, and
 * may be the reference of a lead; `quarantine` asks for the suspects alone, which are kept out otherwise.
 */
export type LeadFilter = { from?: Date; to?: Date; q?: string; quarantine?: boolean }

/** The last lead of a page: where the next one goes on. */
export type LeadCursor = { timestamp: string; id: string }

type Page = { limit: number; after?: LeadCursor | undefined; offset?: number }

/** What to look for, as patterns of which one has to fit; undefined where every lead has it: the form type is the same. */
const patternsOf = (q = ''): string[] | undefined => {
  const text = asSearched(q)
  if (LEAD_FORM_TYPE.toLowerCase().includes(text)) return undefined
  if (text.length > MAX_FIELD_CHARACTERS) return []
  const digits = /^[\d\s()+./-]+$/.test(text) ? dialledDigits(text) : ''
  const pieces = digits.length < MIN_PIECE_DIGITS ? [text] : [text, digits]
  return [...new Set(pieces.map(likePattern))]
}

const anyOf = (sql: Sql, patterns: string[], q = '') => {
  const column = patterns.every(hasTrigrams) ? sql`search` : sql`search || ''`
  const fits = patterns.map((pattern) => sql`${column} like ${pattern}`).reduce((one, other) => sql`${one} or ${other}`)
  const named = idsOfReference(q)
  if (!named) return fits
  const { from, to } = named
  return sql`
    ${fits} or position = any(array(select position from ${view(sql)}.leads where id between ${from} and ${to}))`
}

const within = (sql: Sql, { from, to, quarantine = false }: LeadFilter) => sql`
  ${quarantine ? sql`is_suspect` : sql`not is_suspect`}
  ${from ? sql`and submitted_at >= ${from}` : sql``}
  ${to ? sql`and submitted_at < ${to}` : sql``}`

/** How many leads there are on each day of Africa/Johannesburg (yyyy-mm-dd) that has any, newest day first. */
export const countLeads = async (sql: Sql, filter: LeadFilter): Promise<{ day: string; count: number }[]> => {
  const patterns = patternsOf(filter.q)
  if (patterns?.length === 0) return []
  const days = await sql<{ begin: Date; count: number }[]>`
    select date_bin('1 day', submitted_at, ${ANY_MIDNIGHT}) as begin, count(*) as count
    from ${view(sql)}.entries
    where ${within(sql, filter)} ${patterns ? sql`and (${anyOf(sql, patterns, filter.q)})` : sql``}
    group by 1 order by 1 desc`
  return days.map(({ begin, count }) => ({ day: agencyDay(begin), count }))
}

/** A page of leads in the order of their submission. */
export const listLeads = async (
  sql: Sql,
  { sort, ...filter }: LeadFilter & { sort: 'asc' | 'desc' },
  { limit, after, offset = 0 }: Page,
): Promise<Lead[]> => {
  const patterns = patternsOf(filter.q)
  if (patterns?.length === 0) return []
  const order = sort === 'asc' ? sql`submitted_at asc, id asc` : sql`submitted_at desc, id desc`
  const beyond = sort === 'asc' ? sql`>` : sql`<`
  const entries = sql`
    from ${view(sql)}.entries where ${within(sql, filter)}
    ${after ? sql`and (submitted_at, id) ${beyond} (${after.timestamp}::timestamptz, ${after.id}::uuid)` : sql``}`

  const read = async (found: ReturnType<typeof sql>) => {
    const rows = await sql<{ lead: Lead }[]>`
      select lead from (${found} order by ${order} limit ${limit} offset ${offset}) page
      cross join lateral (select lead from ${view(sql)}.leads where leads.id = page.id offset 0) one
      order by ${order}`
    return rows.map(({ lead }) => lead)
  }

  if (!patterns) return await read(sql`select id, submitted_at ${entries}`)
  const matches = anyOf(sql, patterns, filter.q)
  const near = NEAR_LEADS + 4 * (offset + limit)
  const first = await read(sql`
    select id, submitted_at from (select position, id, submitted_at, search ${entries} order by ${order} limit ${near}) near
    where ${matches}`)
  if (first.length === limit) return first
  const [further] = await sql`select 1 ${entries} order by ${order} limit 1 offset ${near}`
  if (!further) return first
  return await read(sql`
    select id, submitted_at from (select id, submitted_at ${entries} and (${matches}) offset 0) found`)
}
