import { ERASURES } from '../consumers/acting-consumers.ts'
import { leadStreams } from '../lead/lead.ts'
import { erasureStreams } from '../lead/person/erasure.ts'
import { readPosition } from '../log/checkpoints.ts'
import type { Sql } from '../stores/connection.ts'

/** The position of the log up to which workers have carried out erasures. */
export const erasuresPosition = (sql: Sql): Promise<number> => readPosition(sql, ERASURES)

/**
 * How many leads and chats of a requested erasure are still to be erased, and the position of its last request. `isWhole`:
 * the lead itself, which goes last, is among them, by the same list. `isChosen`: everything chosen from that list has
 * been requested, erased or not.
 */
export type ErasureLeft = { left: number; lastPosition: number; isWhole: boolean; isChosen: boolean }

/**
 * Returns the progress of erasing a lead's person. `asOf` is the log position of the list that the owner saw,
 * `chosenIds` are the leads they chose from it. The cost grows with the number left and the number chosen.
 */
export const readErasureLeft = async (
  sql: Sql,
  leadId: string,
  { asOf, chosenIds = [] }: { asOf?: number; chosenIds?: string[] } = {},
): Promise<ErasureLeft> => {
  const erasedTo = await erasuresPosition(sql)
  const stream = erasureStreams.of(leadId)
  const [row] = await sql<ErasureLeft[]>`
    select count(distinct id)::integer as left, coalesce(max(position), 0) as "lastPosition",
      coalesce(bool_or(id = ${leadId} and as_of = ${asOf ?? null}::bigint), false) as "isWhole", not exists (
        select unnest(${chosenIds}::text[]) except
        select jsonb_array_elements_text(e.data::jsonb -> 'leads') from events e
        where e.stream = ${stream} and (e.data ->> 'asOf')::bigint is not distinct from ${asOf ?? null}::bigint
      ) as "isChosen"
    from (
      select e.position, (e.data ->> 'asOf')::bigint as as_of,
        jsonb_array_elements_text((e.data::jsonb -> 'leads') || (e.data::jsonb -> 'chats')) as id
      from events e where e.stream = ${stream} and e.position > ${erasedTo}
    ) waiting`
  if (!row) throw new Error('Postgres answered no row')
  await sql.durable.upTo(row.lastPosition)
  return row
}

/** Returns those of these leads that are erased in the log, each by one look-up. */
export const erasedAmong = async (sql: Sql, leadIds: readonly string[]): Promise<Set<string>> => {
  const streams = leadIds.map(leadStreams.of)
  const rows = await sql<{ id: string; position: number }[]>`
    select lead.id, erased.position from unnest(${[...leadIds]}::text[], ${streams}::text[]) lead (id, stream)
    cross join lateral (
      select position from events where stream = lead.stream and type = 'LeadErased' limit 1 offset 0
    ) erased`
  await sql.durable.upTo(rows.reduce((last, { position }) => Math.max(last, position), 0))
  return new Set(rows.map(({ id }) => id))
}
