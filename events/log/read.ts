import type { AnyRecordedEvent, EventType } from '../catalogue.ts'
import type { StreamOf } from '../definition.ts'
import { columns, decode, type EventRow, type Queryable, rowsOf } from './decode.ts'
import { LogIntegrityError } from './errors.ts'

export type { Queryable } from './decode.ts'
export { LogIntegrityError } from './errors.ts'

/** The events that a stream's name says it holds. */
type EventsOf<Event> = Event extends AnyRecordedEvent ? Event[] : AnyRecordedEvent[]

const selected = (sql: Queryable) => sql`select ${columns(sql)} from ${rowsOf(sql)}`

/**
 * The events after a position, in order, at most `limit`. Throws LogIntegrityError unless the first is `after` + 1 and the
 * rest follow without a hole: a reader must never skip.
 */
export const readLog = async (sql: Queryable, after: number, limit: number): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<EventRow[]>`${selected(sql)} where e.position > ${after} order by e.position limit ${limit}`
  for (const [index, row] of rows.entries()) {
    if (row.position !== after + index + 1) {
      throw new LogIntegrityError(`The log has no event ${after + index + 1}: ${row.position} comes next`)
    }
  }
  return await decode(sql, rows)
}

/** A stream's events after a version, oldest first, at most `limit`. */
export const readStream = async <Event = AnyRecordedEvent>(
  sql: Queryable,
  stream: StreamOf<Event>,
  { after = 0, limit = 10_000 }: { after?: number; limit?: number } = {},
): Promise<EventsOf<Event>> => {
  const rows = await sql<EventRow[]>`${selected(sql)}
    where e.stream = ${stream} and e.version > ${after} order by e.version limit ${limit}`
  return (await decode(sql, rows)) as EventsOf<Event>
}

/** The events of some streams, of all types or some, in the order of the log, at most `limit`. */
export const readStreams = async (
  sql: Queryable,
  streams: string[],
  { limit = 10_000, types }: { limit?: number; types?: EventType[] } = {},
): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<EventRow[]>`${selected(sql)} where e.stream = any(${streams})
    ${types === undefined ? sql`` : sql`and e.type in ${sql(types)}`}
    order by e.position limit ${limit}`
  return await decode(sql, rows)
}

/**
 * The newest events of a stream, oldest first, at most `limit`: those before a version, of some types, and with some
 * members in their data, as asked for.
 */
export const readNewest = async <Event = AnyRecordedEvent>(
  sql: Queryable,
  stream: StreamOf<Event>,
  {
    limit,
    before,
    types,
    data,
  }: { limit: number; before?: number; types?: EventType[]; data?: { senderType: string } },
): Promise<EventsOf<Event>> => {
  const rows = await sql<EventRow[]>`${selected(sql)} where e.stream = ${stream}
    ${before === undefined ? sql`` : sql`and e.version < ${before}`}
    ${types === undefined ? sql`` : sql`and e.type in ${sql(types)}`}
    ${data === undefined ? sql`` : sql`and e.data::jsonb @> ${sql.json(data)}`}
    order by e.version desc limit ${limit}`
  return (await decode(sql, rows.toReversed())) as EventsOf<Event>
}

/** The events of some types after a position, in order: for folding what a view has not reached yet. */
export const readTail = async (sql: Queryable, after: number, types: EventType[]): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<EventRow[]>`${selected(sql)}
    where e.position > ${after} and e.type in ${sql(types)} order by e.position`
  return await decode(sql, rows)
}

/** The event with this id. */
export const readEvent = async (sql: Queryable, id: string): Promise<AnyRecordedEvent | undefined> => {
  const [event] = await decode(sql, await sql<EventRow[]>`${selected(sql)} where e.id = ${id}`)
  return event
}

/** The versions that some streams are at, by name; a stream that does not exist is at 0. */
export const readVersions = async (sql: Queryable, streams: string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ stream: string; version: number }[]>`
    select s.stream, (select coalesce(max(e.version), 0) from events e where e.stream = s.stream) as version
    from unnest(${streams}::text[]) as s (stream)`
  return new Map(rows.map(({ stream, version }) => [stream, version]))
}

/** The log's epoch, which changes when a backup is restored, and its last position. */
export const readHead = async (sql: Queryable): Promise<{ epoch: string; position: number }> => {
  const [head] = await sql<{ epoch: string; position: number }[]>`
    select epoch, last_position as position from log_head`
  if (!head) throw new LogIntegrityError('The log has no epoch: restore it from a backup')
  return head
}
