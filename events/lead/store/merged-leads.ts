import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import type { Lead } from '../lead.ts'
import { openFamily, withoutMerge } from '../person/merge.ts'
import { isListed } from '../wire.ts'
import { type StoredLead, storedColumns } from './listed-lead.ts'
import type { LeadRow } from './view.ts'

/**
 * These leads, those into which they were merged, and all that were merged into one of them. Each is looked up by
 * index, because merges are rare among the leads.
 */
const readFamily = (tx: Queryable, schema: string, ids: string[]) => tx<StoredLead[]>`
  with recursive up as (
    select id, merged_into from ${tx(schema)}.leads where id = any(${ids}::uuid[])
    union
    select l.id, l.merged_into from up
    cross join lateral (select id, merged_into from ${tx(schema)}.leads where id = up.merged_into offset 0) l
  ),
  down as (
    select id from up
    union
    select l.id from down
    cross join lateral (select id from ${tx(schema)}.leads where merged_into = down.id offset 0) l
  )
  select found.* from down
  cross join lateral (select ${storedColumns(tx)} from ${tx(schema)}.leads where id = down.id offset 0) found`

/** The ids of a lead and of all that were merged into it, according to the view. */
export const mergedWith = async (sql: Sql, schema: string, leadId: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    with recursive down as (
      select ${leadId}::uuid as id
      union
      select l.id from down
      cross join lateral (select id from ${sql(schema)}.leads where merged_into = down.id offset 0) l
    )
    select id from down`
  return rows.map(({ id }) => id)
}

/** The lead that stays of a merged one; a lead that has not gone stays itself. */
export const stayingLead = async (sql: Sql, schema: string, leadId: string): Promise<string> => {
  const rows = await sql<{ id: string }[]>`
    with recursive up as (
      select id, merged_into, 0 as steps from ${sql(schema)}.leads where id = ${leadId}
      union
      select l.id, l.merged_into, steps + 1 from up
      cross join lateral (select id, merged_into from ${sql(schema)}.leads where id = up.merged_into offset 0) l
    )
    select id from up order by steps desc limit 1`
  return rows[0]?.id ?? leadId
}

/**
 * Which rows of a batch have to do with merges: those that have gone or come back, those with others, and their
 * parents.
 */
const tiedRows = (rows: ReadonlyMap<string, LeadRow>, stored: ReadonlyMap<string, StoredLead>) => {
  const ids = new Set<string>()
  for (const [id, { merge }] of [...stored, ...rows]) {
    if (!merge) continue
    ids.add(id)
    ids.add(merge.into)
  }
  for (const [id, { hasOthers }] of stored) if (hasOthers) ids.add(id)
  return ids
}

/**
 * The `rows` of a batch that merges affect, as they have to be written, and all other leads of their families, whose
 * shown fields or search text may change because of them. `gone` are withdrawn leads.
 */
export const readTied = async (
  tx: Queryable,
  schema: string,
  {
    rows,
    stored,
    removedIds: gone,
    last,
  }: {
    rows: ReadonlyMap<string, LeadRow>
    stored: ReadonlyMap<string, StoredLead>
    removedIds: ReadonlySet<string>
    last: number
  },
): Promise<LeadRow[]> => {
  const tied = tiedRows(rows, stored)
  if (tied.size === 0) return []
  const found = new Map((await readFamily(tx, schema, [...tied])).map((row) => [row.own.id, row]))
  const members = new Map<string, LeadRow>(found)
  for (const id of tied) {
    const row = rows.get(id)
    if (row) members.set(id, row)
  }
  for (const [id, row] of rows) if (found.has(id)) members.set(id, row)
  for (const id of gone) members.delete(id)
  const family = openFamily(members)
  return [...members].map(([id, row]) => {
    const lead = family.shown(row)
    const before = found.get(id)
    const isSame = before && isDeepStrictEqual(before.lead, lead) && before.hasOthers === family.hasOthers(id)
    const changedPosition = rows.has(id) || isSame ? row.changedPosition : last
    return { ...row, lead, changedPosition, search: family.searched(row), hasOthers: family.hasOthers(id) }
  })
}

/** Adds to rows that were just inserted their own merge, and their own fields if they show more. */
export const tieRows = (tx: Queryable, schema: string, rows: readonly (LeadRow & { hasOthers?: boolean })[]) => tx`
  update ${tx(schema)}.leads l
  set merged_into = r.merged_into, merge = r.merge::json, own = r.own::json
  from unnest(
    ${rows.map(({ own }) => own.id)}::uuid[], ${rows.map(({ lead }) => lead.mergedInto ?? null)}::text[]::uuid[],
    ${rows.map(({ merge }) => merge && JSON.stringify(merge))}::text[],
    ${rows.map(({ own, hasOthers }) => (hasOthers ? JSON.stringify(withoutMerge(own)) : null))}::text[]
  ) as r (id, merged_into, merge, own)
  where l.id = r.id`

/** Deletes leads from the lists that are in none any longer. */
export const hideRows = (tx: Queryable, schema: string, rows: readonly { lead: Lead; position: number }[]) => {
  const hidden = rows.flatMap(({ lead, position }) => (isListed(lead) ? [] : [position]))
  return hidden.length > 0 ? [tx`delete from ${tx(schema)}.entries where position = any(${hidden}::bigint[])`] : []
}
