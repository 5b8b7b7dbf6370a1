import type { PendingQuery, Row } from 'postgres'
import { agencyDay, startOfDay } from '../../base/agency-day.ts'
import { idsOfReference } from '../../base/reference.ts'
import { hasTrigrams, likePattern } from '../../projections/like-pattern.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { FOLLOW_UP_STATUSES, type FollowUpStatus, OPEN_STATUSES } from '../follow-up/follow-up.ts'
import { LEAD_PACKAGES, LEAD_SOURCES, type LeadPackage, type LeadSource } from '../form/kind.ts'
import type { Lead } from '../lead.ts'
import type { Stage } from '../screens/pipeline.ts'
import { leadWords } from '../search/searched.ts'
import { listedColumns, listedLead } from './listed-lead.ts'
import { leadsProjection, UNASSIGNED_ID } from './view.ts'

const view = (sql: Sql) => sql(schemaOf(leadsProjection))

/**
 * How many leads, from the beginning of a list, are scanned one after the other. A term that fills no page there is so
 * rare that its trigrams lead to few leads; one that does is found here sooner than by them. The planner cannot
 * distinguish the two: it expects any term missing from its sample to be rare.
 */
const NEAR_LEADS = 10_000

/**
 * Days in the agency's time zone last 24 hours all year round: counting from here costs a quarter of using the zone's
 * name.
 */
const ANY_MIDNIGHT = startOfDay('2000-01-01')

/**
 * A filter of leads. `from` and `to` bound the time of submission, half-open. `q` is searched for in lower case, each
 * word in any field, and may be the reference of a lead. The status `open` is each that staff may still win. `ownerId` is null for unassigned leads. `overdueBy` selects
 * only those that came by then and still wait for their first reply, `nextActionBy` those whose next action is due by
 * that day (yyyy-mm-dd). `quarantine` selects only the flagged ones, which are left out otherwise.
 */
export type LeadFilter = {
  from?: Date
  to?: Date
  q?: string
  status?: FollowUpStatus | 'open'
  source?: LeadSource
  package?: LeadPackage
  ownerId?: string | null
  overdueBy?: Date
  nextActionBy?: string
  quarantine?: boolean
}

/** The last lead of a page, from which the next page continues. */
export type LeadCursor = { timestamp: string; id: string }

/** A piece of SQL, with its values. */
type Piece = PendingQuery<Row[]>

type Page = { limit: number; after?: LeadCursor | undefined; offset?: number }

/**
 * For each word of the search, its spellings, one of which has to match; undefined if some word cannot match at all.
 */
const spellingsOf = (q = ''): string[][] | undefined => {
  const words = leadWords(q)
  return words.some((spellings) => spellings.length === 0)
    ? undefined
    : words.map((spellings) => [...new Set(spellings)])
}

const isPair = (word: string) => /^[a-z0-9]{2}$/.test(word)

/**
 * The index has no trigram of two letters, but has those of two letters and the next character. That is ASCII or the
 * end: a pair before another letter is in the text once more, with a `~` for that letter (`searchedLines`).
 */
const pairFits = (sql: Sql, pair: string) => sql`search ~ ${`${pair}[\\x01-\\x7f]`} or search like ${`%${pair}`}`

const oneFits = (sql: Sql, spellings: string[], byPairs: boolean) => {
  const [only = ''] = spellings
  if (byPairs && spellings.length === 1 && isPair(only)) return pairFits(sql, only)
  const column = spellings.every(hasTrigrams) ? sql`search` : sql`search || ''`
  return spellings
    .map((spelling) => sql`${column} like ${likePattern(spelling)}`)
    .reduce((one, other) => sql`${one} or ${other}`)
}

/**
 * The condition that all words match, or that the text is the reference of the lead. The index is used for words of two
 * letters only if no other word is longer: they are in many leads.
 */
const allFit = (sql: Sql, words: string[][], q = '') => {
  const byPairs = !words.flat().some(hasTrigrams)
  const fits = words
    .map((each) => sql`(${oneFits(sql, each, byPairs)})`)
    .reduce((one, other) => sql`${one} and ${other}`)
  const named = idsOfReference(q)
  if (!named) return fits
  const { from, to } = named
  return sql`
    (${fits} or position = any(array(select position from ${view(sql)}.leads where id between ${from} and ${to})))`
}

/** A query of the ids of the leads that match a text, and of those that were merged into one of them. */
export const matchingLeads = (sql: Sql, q: string): Piece => {
  const words = spellingsOf(q)
  const matches = words?.length === 0 ? sql`true` : words ? allFit(sql, words, q) : sql`false`
  return sql`
    with recursive found as (
      select id from ${view(sql)}.entries where ${matches}
      union
      select l.id from found join ${view(sql)}.leads l on l.merged_into = found.id
    )
    select id from found`
}

const inPeriod = (sql: Sql, { from, to, quarantine = false }: LeadFilter) => sql`
  ${quarantine ? sql`is_suspect` : sql`not is_suspect`}
  ${from ? sql`and submitted_at >= ${from}` : sql``}
  ${to ? sql`and submitted_at < ${to}` : sql``}`

const inCareOf = (sql: Sql, { ownerId, overdueBy, nextActionBy }: LeadFilter) => sql`
  ${ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId ?? UNASSIGNED_ID}`}
  ${overdueBy ? sql`and is_waiting and submitted_at <= ${overdueBy}` : sql``}
  ${nextActionBy ? sql`and next_action_on <= ${nextActionBy}` : sql``}`

/** Whether a filter selects some kinds of leads; otherwise a list is read in the order of submission. */
const isByKind = ({ status, source, package: wanted, ownerId, overdueBy, nextActionBy }: LeadFilter) =>
  [status, source, wanted, ownerId, overdueBy, nextActionBy].some((each) => each !== undefined)

const statusesOf = (status: LeadFilter['status']): readonly FollowUpStatus[] => {
  if (!status) return FOLLOW_UP_STATUSES
  return status === 'open' ? OPEN_STATUSES : [status]
}

/** The values of the leads of a filter: a lead that waits for a reply is new. */
const kindsOf = ({ status, source, package: wanted, overdueBy }: LeadFilter) => ({
  statuses: statusesOf(status).filter((each) => !overdueBy || each === 'new'),
  sources: source ? [source] : [...LEAD_SOURCES],
  packages: wanted ? [wanted] : [...LEAD_PACKAGES],
})

const within = (sql: Sql, filter: LeadFilter) => {
  if (!isByKind(filter)) return inPeriod(sql, filter)
  const { statuses, sources, packages } = kindsOf(filter)
  return sql`
    ${inPeriod(sql, filter)} ${inCareOf(sql, filter)} and status = any(${statuses}::text[])
    and source = any(${sources}::text[]) and package = any(${packages}::text[])`
}

/** The entries that match a filter, the words of its text included. */
const matching = (sql: Sql, filter: LeadFilter, words: string[][]) => sql`
  from ${view(sql)}.entries
  where ${within(sql, filter)} ${words.length > 0 ? sql`and ${allFit(sql, words, filter.q)}` : sql``}`

/**
 * How many leads there are on each day of Africa/Johannesburg (yyyy-mm-dd) that has any, newest day first. Without the
 * inner query the planner expects nearly as many days as leads, and sorts the leads.
 */
export const countLeads = async (sql: Sql, filter: LeadFilter): Promise<{ day: string; count: number }[]> => {
  const words = spellingsOf(filter.q)
  if (!words) return []
  const days = await sql<{ begin: Date; count: number }[]>`
    select begin, count(*) as count from (
      select date_bin('1 day', submitted_at, ${ANY_MIDNIGHT}) as begin ${matching(sql, filter, words)} offset 0
    ) found
    group by begin order by begin desc`
  return days.map(({ begin, count }) => ({ day: agencyDay(begin), count }))
}

/** The leads of a filter by status: how many, how many of them have a value, and their total value. */
export const sumStages = async (sql: Sql, filter: LeadFilter): Promise<Stage[]> => {
  const words = spellingsOf(filter.q)
  const found = words
    ? await sql<Stage[]>`
        select status, count(*)::integer as leads, count(project_value)::integer as valued,
          coalesce(sum(project_value), 0) as value
        ${matching(sql, filter, words)} group by status`
    : []
  return FOLLOW_UP_STATUSES.map(
    (status) => found.find((stage) => stage.status === status) ?? { status, leads: 0, valued: 0, value: 0 },
  )
}

/** How many of the newest `limit` flagged leads match a text. */
export const countNewestFlagged = async (sql: Sql, q: string, limit: number): Promise<number> => {
  const words = spellingsOf(q)
  if (!words) return 0
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select position, search from ${view(sql)}.entries where is_suspect
      order by submitted_at desc, id desc limit ${limit}
    ) newest
    where ${words.length > 0 ? allFit(sql, words, q) : sql`true`}`
  return row?.count ?? 0
}

/**
 * A list of leads and its page, in the form that the ways to read it need. `all` are the leads of the period after the
 * cursor, `wanted` those of them that match the filter, each from `from` on; `order` is that of the list.
 */
type List = ReturnType<typeof listOf>

const listOf = (
  sql: Sql,
  { sort, ...filter }: LeadFilter & { sort: 'asc' | 'desc' },
  { limit, after, offset = 0 }: Page,
) => {
  const beyondCursor = after
    ? sql`and (submitted_at, id) ${sort === 'asc' ? sql`>` : sql`<`} (${after.timestamp}::timestamptz, ${after.id}::uuid)`
    : sql``
  return {
    sql,
    filter,
    limit,
    offset,
    beyondCursor,
    order: sort === 'asc' ? sql`submitted_at asc, id asc` : sql`submitted_at desc, id desc`,
    all: sql`from ${view(sql)}.entries where ${inPeriod(sql, filter)} ${beyondCursor}`,
    wanted: sql`from ${view(sql)}.entries where ${within(sql, filter)} ${beyondCursor}`,
  }
}

/** The leads of a page, of those that `found` names by id and time of submission. */
const readPage = async ({ sql, order, limit, offset }: List, found: Piece): Promise<Lead[]> => {
  const rows = await sql<{ lead: Lead; hasMerged: boolean }[]>`
    select lead, "hasMerged" from (${found} order by ${order} limit ${limit} offset ${offset}) page
    cross join lateral (select ${listedColumns(sql)} from ${view(sql)}.leads where leads.id = page.id offset 0) one
    order by ${order}`
  return rows.map(listedLead)
}

/** Reads the list from the index that has its order. */
const inOrder = ({ sql, wanted }: List) => sql`select id, submitted_at ${wanted}`

/** Reads all that the filter asks for, then puts it in order. */
const byNextAction = ({ sql, wanted }: List) =>
  sql`select id, submitted_at from (select id, submitted_at ${wanted} offset 0) due`

/** Reads of each kind the first leads, which an index has in order. */
const byKind = ({ sql, filter, beyondCursor, order, limit, offset }: List) => {
  const { statuses, sources, packages } = kindsOf(filter)
  return sql`
    select id, submitted_at
    from unnest(${statuses}::text[]) as s(kind_status), unnest(${sources}::text[]) as o(kind_source),
      unnest(${packages}::text[]) as p(kind_package)
    cross join lateral (
      select id, submitted_at from ${view(sql)}.entries
      where ${inPeriod(sql, filter)} ${inCareOf(sql, filter)} ${beyondCursor}
        and status = kind_status and source = kind_source and package = kind_package
      order by ${order} limit ${offset + limit}
    ) of_kind`
}

/** Searches all that the filter asks for, one after the other. */
const amongWanted = ({ sql, wanted }: List, matches: Piece) =>
  sql`select id, submitted_at from (select * ${wanted} offset 0) looked where ${matches}`

/** Searches the first `near` leads of the period, one after the other. */
const amongNear = ({ sql, filter, all, order }: List, matches: Piece, near: number) => sql`
  select id, submitted_at from (select * ${all} order by ${order} limit ${near}) looked
  where ${within(sql, filter)} and ${matches}`

/** Searches by the index of trigrams. */
const byTrigrams = ({ sql, wanted }: List, matches: Piece) =>
  sql`select id, submitted_at from (select id, submitted_at ${wanted} and ${matches} offset 0) found`

const hasMoreThan = async ({ sql }: List, leads: Piece, count: number) =>
  (await sql`select 1 ${leads} limit 1 offset ${count}`).length > 0

/** The way to read a list without a text to search for. */
const wayWithoutText = (list: List): Piece => {
  // those with a next action are few, and an index of their own has them
  if (list.filter.nextActionBy !== undefined) return byNextAction(list)
  // the cost is bound by the kinds, 300 at most, however few leads match all conditions at once
  if (isByKind(list.filter) && !list.filter.quarantine) return byKind(list)
  return inOrder(list)
}

/** A page of the leads that match a text: looked through in the order of the list, or by the index of trigrams. */
const searchPage = async (list: List, matches: Piece): Promise<Lead[]> => {
  // few enough to scan, which bounds the cost of any text
  if (isByKind(list.filter) && !(await hasMoreThan(list, list.wanted, NEAR_LEADS))) {
    return await readPage(list, amongWanted(list, matches))
  }
  // a frequent text fills the page near the beginning of the list; a rare one has few leads in the index
  const near = NEAR_LEADS + 4 * (list.offset + list.limit)
  const first = await readPage(list, amongNear(list, matches, near))
  const isWhole =
    first.length === list.limit || !(await hasMoreThan(list, list.sql`${list.all} order by ${list.order}`, near))
  return isWhole ? first : await readPage(list, byTrigrams(list, matches))
}

/** A page of leads in the order of their submission. */
export const listLeads = async (
  sql: Sql,
  wanted: LeadFilter & { sort: 'asc' | 'desc' },
  page: Page,
): Promise<Lead[]> => {
  const words = spellingsOf(wanted.q)
  if (!words) return []
  const list = listOf(sql, wanted, page)
  if (words.length === 0) return await readPage(list, wayWithoutText(list))
  return await searchPage(list, allFit(sql, words, wanted.q))
}
