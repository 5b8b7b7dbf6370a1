import type { EventType } from '../catalogue.ts'
import { erasureStreams } from '../erasure.ts'
import { actingConsumer, readPosition } from './checkpoints.ts'
import type { Sql } from './connection.ts'

/** The types of events by which an erasure is asked for. */
export const ERASURE_EVENTS = ['ErasureRequested'] as const satisfies EventType[]

/** The workers' carrying out of erasures, among the consumers of the log. */
export const ERASURES = actingConsumer('erasures', ERASURE_EVENTS)

/** Up to where workers have carried out erasures: a position of the log. */
export const erasuresPosition = (sql: Sql): Promise<number> => readPosition(sql, ERASURES)

/**
 * How much of what was asked for from a lead is still to be erased, and the position of its last request. `isWhole` says
 * that the lead itself, which goes last, is still among it, by a list as of this position of the log.
 */
export type ErasureLeft = { left: number; lastPosition: number; isWhole: boolean }

/** Tells how far the erasure of a lead's person is. Its cost grows with what is left alone. */
export const readErasureLeft = async (sql: Sql, leadId: string, asOf?: number): Promise<ErasureLeft> => {
  const erasedTo = await erasuresPosition(sql)
  const [row] = await sql<ErasureLeft[]>`
    select count(distinct id)::integer as left, coalesce(max(position), 0) as "lastPosition",
      coalesce(bool_or(id = ${leadId} and as_of = ${asOf ?? null}::bigint), false) as "isWhole"
    from (
      select e.position, (e.data ->> 'asOf')::bigint as as_of,
        jsonb_array_elements_text((e.data::jsonb -> 'leads') || (e.data::jsonb -> 'chats')) as id
      from events e where e.stream = ${erasureStreams.of(leadId)} and e.position > ${erasedTo}
    ) waiting`
  if (!row) throw new Error('Postgres answered no row')
  await sql.durable.upTo(row.lastPosition)
  return row
}
