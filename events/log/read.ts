import type postgres from 'postgres'
import { type AnyRecordedEvent, catalogue, type EventType } from '../catalogue.ts'
import type { Sql } from './connection.ts'

/** The log has a hole, comes from another history, or holds what this code does not know: the consumer must halt. */
export class LogIntegrityError extends Error {
  override name = 'LogIntegrityError'
}

type EventRow = {
  position: number
  id: string
  stream: string
  version: number
  type: string
  schema_version: number
  data: unknown
  subject_id: string | null
  personal: unknown
  recorded_at: Date
}

/** A pool, or a connection of it in a transaction. */
export type Queryable = Sql | postgres.ReservedSql<{ bigint: number }>

const events = (sql: Queryable) => sql`
  select position, id, stream, version, type, schema_version, data, subject_id, personal, recorded_at from events`

/** Whether this code knows the type of an event in this version. */
const isKnown = ({ type, schema_version }: Pick<EventRow, 'type' | 'schema_version'>) =>
  catalogue.get(type)?.schemaVersion === schema_version

const recorded = (row: EventRow): AnyRecordedEvent => {
  if (!isKnown(row)) {
    throw new LogIntegrityError(
      `Event ${row.position} is ${row.type} in version ${row.schema_version}, which this code does not know: run newer code`,
    )
  }
  return {
    position: row.position,
    id: row.id,
    stream: row.stream,
    version: row.version,
    type: row.type,
    schemaVersion: row.schema_version,
    data: row.data,
    subjectId: row.subject_id,
    personal: row.personal,
    recordedAt: row.recorded_at,
  } as AnyRecordedEvent
}

/** Throws LogIntegrityError unless the first row is at `after` + 1 and the rest follow without a hole. */
const assertDense = (rows: readonly Pick<EventRow, 'position'>[], after: number) => {
  for (const [index, { position }] of rows.entries()) {
    if (position !== after + index + 1) {
      throw new LogIntegrityError(`The log has no event ${after + index + 1}: ${position} comes next`)
    }
  }
}

/**
 * The events after a position, in order, at most `limit`. Throws LogIntegrityError unless the first is `after` + 1 and the
 * rest follow without a hole: a reader must never skip.
 */
export const readLog = async (sql: Queryable, after: number, limit: number): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<EventRow[]>`${events(sql)} where position > ${after} order by position limit ${limit}`
  assertDense(rows, after)
  return rows.map(recorded)
}

/** A part of the log as one consumer reads it. */
export type DeclaredEvents = {
  /** The events of the declared types, in order. */
  events: AnyRecordedEvent[]
  /** The position up to which the log was read, events of other types included. */
  position: number
  /** Whether there may be more. */
  hasMore: boolean
}

/**
 * Reads on in the log for a consumer that declares the types of events that it handles. At most `limit` events are passed
 * over or handed over; those of other types, known to this code or not, are passed over and their content is not
 * transferred. Throws LogIntegrityError where the log has a hole, and where the next declared event is of a version that
 * this code does not know: what comes before such an event is handed over first.
 */
export const readDeclared = async (
  sql: Queryable,
  after: number,
  limit: number,
  types: readonly EventType[],
): Promise<DeclaredEvents> => {
  const rows = await sql<(EventRow & { is_declared: boolean })[]>`
    select e.position, e.id, e.stream, e.version, e.type, e.schema_version, e.subject_id, e.recorded_at, is_declared,
      case when is_declared then e.data end as data, case when is_declared then e.personal end as personal
    from (select *, type = any(${types}::text[]) as is_declared from events where position > ${after}
      order by position limit ${limit}) e
    order by e.position`
  assertDense(rows, after)
  const declared = rows.filter(({ is_declared }) => is_declared)
  const unknown = declared.find((row) => !isKnown(row))
  const readable = unknown ? declared.filter(({ position }) => position < unknown.position) : declared
  if (unknown?.position === after + 1) recorded(unknown)
  return {
    events: readable.map(recorded),
    position: unknown ? unknown.position - 1 : after + rows.length,
    hasMore: unknown !== undefined || rows.length === limit,
  }
}

/** A stream's events after a version, oldest first, at most `limit`. */
export const readStream = async (
  sql: Queryable,
  stream: string,
  { after = 0, limit = 10_000 }: { after?: number; limit?: number } = {},
): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<
    EventRow[]
  >`${events(sql)} where stream = ${stream} and version > ${after} order by version limit ${limit}`
  return rows.map(recorded)
}

/** The events of some streams, of all types or some, in the order of the log, at most `limit`. */
export const readStreams = async (
  sql: Queryable,
  streams: string[],
  { limit = 10_000, types }: { limit?: number; types?: EventType[] } = {},
): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<EventRow[]>`${events(sql)} where stream = any(${streams})
    ${types === undefined ? sql`` : sql`and type in ${sql(types)}`}
    order by position limit ${limit}`
  return rows.map(recorded)
}

/**
 * The newest events of a stream, oldest first, at most `limit`: those before a version, of some types, and with some
 * members in their data, as asked for.
 */
export const readNewest = async (
  sql: Queryable,
  stream: string,
  {
    limit,
    before,
    types,
    data,
  }: { limit: number; before?: number; types?: EventType[]; data?: { senderType: string } },
): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<EventRow[]>`${events(sql)} where stream = ${stream}
    ${before === undefined ? sql`` : sql`and version < ${before}`}
    ${types === undefined ? sql`` : sql`and type in ${sql(types)}`}
    ${data === undefined ? sql`` : sql`and data @> ${sql.json(data)}`}
    order by version desc limit ${limit}`
  return rows.reverse().map(recorded)
}

/** The events of some types after a position, in order: for folding what a view has not reached yet. */
export const readTail = async (sql: Queryable, after: number, types: EventType[]): Promise<AnyRecordedEvent[]> => {
  const rows = await sql<
    EventRow[]
  >`${events(sql)} where position > ${after} and type in ${sql(types)} order by position`
  return rows.map(recorded)
}

/** The event with this id. */
export const readEvent = async (sql: Queryable, id: string): Promise<AnyRecordedEvent | undefined> => {
  const [row] = await sql<EventRow[]>`${events(sql)} where id = ${id}`
  return row && recorded(row)
}

/** The log's epoch, which changes when a backup is restored, and its last position. */
export const readHead = async (sql: Queryable): Promise<{ epoch: string; position: number }> => {
  const [head] = await sql<{ epoch: string; position: number }[]>`
    select epoch, last_position as position from log_head`
  if (!head) throw new LogIntegrityError('The log has no head row: restore it from a backup')
  return head
}
