import { hasTrigrams, likeLiteral } from '../../projections/like-pattern.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import type { Lead } from '../lead.ts'
import { asSearched } from '../search/searched-text.ts'
import { countNewestFlagged, listLeads } from './lead-list.ts'
import { leadsProjection } from './view.ts'

/**
 * One or two letters are searched for at the beginnings of words, in a number of the newest leads: they match
 * thousands, and the next letter is on its way. It bounds the cost of a key, however many leads there are.
 */
const NEWEST_LEADS = 10_000

/** Of so many flagged leads, the newest, those are counted that match: they too are asked for at every key. */
const NEWEST_FLAGGED = 2_000

/** The pattern for a field or a word that begins with a text. */
const prefixPatterns = (text: string) => {
  const escaped = likeLiteral(text)
  return [`%\n${escaped}%`, `% ${escaped}%`]
}

/** The newest leads that match some letters, at most `limit`: from three letters on, among all leads. */
export const findLeadsNamed = async (sql: Sql, q: string, limit: number): Promise<Lead[]> => {
  const text = asSearched(q)
  if (hasTrigrams(text)) return await listLeads(sql, { q, sort: 'desc' }, { limit })
  const view = sql(schemaOf(leadsProjection))
  const rows = await sql<{ lead: Lead }[]>`
    select lead from (
      select id, submitted_at from (
        select id, submitted_at, search from ${view}.entries where not is_suspect
        order by submitted_at desc, id desc limit ${NEWEST_LEADS}
      ) newest
      where (chr(10) || search) like any(${prefixPatterns(text)}::text[])
      order by submitted_at desc, id desc limit ${limit}
    ) found
    cross join lateral (select lead from ${view}.leads where leads.id = found.id offset 0) one
    order by submitted_at desc, found.id desc`
  return rows.map(({ lead }) => lead)
}

/** How many of the newest flagged leads match a text of three letters or more; 0 for fewer, which match nearly all. */
export const countFlagged = async (sql: Sql, q: string): Promise<number> => {
  const text = asSearched(q)
  return hasTrigrams(text) ? await countNewestFlagged(sql, text, NEWEST_FLAGGED) : 0
}
