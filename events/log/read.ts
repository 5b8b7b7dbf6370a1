import type { StreamOf } from '../base/definition.ts'
import type { AnyRecordedEvent, EventType, RecordedOf } from '../catalogue.ts'
import { LogIntegrityError } from '../keys/errors.ts'
import { columns, decode, type EventRow, isKnown, type Queryable, rowsOf } from './decode.ts'

export { LogIntegrityError } from '../keys/errors.ts'
export type { Queryable } from './decode.ts'

/** The types of events in a stream, by its name's type. */
type TypeIn<Event> = RecordedOf<Event>['type']

/** Those of the events of a stream that are of some types. */
type Typed<Event, Type> = Extract<RecordedOf<Event>, { type: Type }>

const selected = (sql: Queryable) => sql`select ${columns(sql)} from ${rowsOf(sql)}`

const ofTypes = (sql: Queryable, types: readonly EventType[] | undefined) =>
  types === undefined ? sql`` : sql`and e.type in ${sql([...types])}`

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
  const rows = await sql<EventRow[]>`${selected(sql)} where e.position > ${after} order by e.position limit ${limit}`
  assertDense(rows, after)
  return await decode(sql, rows)
}

/** The types of events that a consumer handles, and those of them whose personal part it needs (all by default). */
type Declared = { types: readonly EventType[]; opened?: readonly EventType[] }

/** The rows after a position, those of other types than the declared ones without their content. */
const declaredRows = (
  sql: Queryable,
  { after, limit, types, opened = types }: Declared & { after: number; limit: number },
) => sql`(
  select position, id, stream, version, type, schema_version, metadata, recorded_at,
    case when is_declared then data end as data, case when is_opened then personal end as personal,
    case when is_opened then subject_id end as subject_id
  from (
    select *, type = any(${types}::text[]) as is_declared, type = any(${opened}::text[]) as is_opened from events
    where position > ${after} order by position limit ${limit}
  ) part
)`

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
 * Reads the log from a position for a consumer that declares the types of events that it handles. It skips or returns
 * at most `limit` events; those of other types, known to this code or not, are skipped and their content is not
 * transferred. The personal part of events that are not `opened` stays closed: it is null. Throws LogIntegrityError if
 * the log has a hole, or if the next declared event has a version that this code does not know: the events before it
 * are returned first.
 */
export const readDeclared = async (
  sql: Queryable,
  after: number,
  limit: number,
  declared: Declared,
): Promise<DeclaredEvents> => {
  const rows = await sql<EventRow[]>`
    select ${columns(sql)} from ${rowsOf(sql, declaredRows(sql, { after, limit, ...declared }))} order by e.position`
  assertDense(rows, after)
  const types = new Set<string>(declared.types)
  const handled = rows.filter(({ type }) => types.has(type))
  const unknown = handled.find((row) => !isKnown(row))
  const readable = unknown ? handled.filter(({ position }) => position < unknown.position) : handled
  if (unknown?.position === after + 1) await decode(sql, [unknown])
  return {
    events: await decode(sql, readable),
    position: unknown ? unknown.position - 1 : after + rows.length,
    hasMore: unknown !== undefined || rows.length === limit,
  }
}

type Stretch = { after?: number; limit?: number }

const stretchOf = (sql: Queryable, stream: string, { after = 0, limit = 10_000 }: Stretch) =>
  sql<EventRow[]>`${selected(sql)}
    where e.stream = ${stream} and e.version > ${after} order by e.version limit ${limit}`

/** A stream's events after a version, oldest first, at most `limit`. */
export const readStream = async <Event = AnyRecordedEvent>(
  sql: Queryable,
  stream: StreamOf<Event>,
  stretch: Stretch = {},
): Promise<RecordedOf<Event>[]> => (await decode(sql, await stretchOf(sql, stream, stretch))) as RecordedOf<Event>[]

/**
 * Reads a stream after a version as `readStream` does, and skips events that only newer code knows, which may run at
 * the same time. `version` is the last version that was read; `hasMore`: whether there may be more.
 */
export const readKnown = async <Event = AnyRecordedEvent>(
  sql: Queryable,
  stream: StreamOf<Event>,
  { after = 0, limit = 10_000 }: Stretch = {},
): Promise<{ events: RecordedOf<Event>[]; version: number; hasMore: boolean }> => {
  const rows = await stretchOf(sql, stream, { after, limit })
  const events = (await decode(sql, rows.filter(isKnown))) as RecordedOf<Event>[]
  return { events, version: rows.at(-1)?.version ?? after, hasMore: rows.length === limit }
}

/**
 * The events of some streams, of all types or some, in the order of the log, at most `limit`; those after a position of
 * the log, up to another one, if these are given.
 */
export const readStreams = async <Event = AnyRecordedEvent, Type extends TypeIn<Event> = TypeIn<Event>>(
  sql: Queryable,
  streams: StreamOf<Event>[],
  {
    limit = 10_000,
    types,
    after,
    upTo,
  }: { limit?: number; types?: readonly Type[]; after?: number; upTo?: number } = {},
): Promise<Typed<Event, Type>[]> => {
  // without `offset 0` Postgres may read the whole log in its order, for a small limit, until it has found enough
  const ofStreams = sql`(select * from events where stream = any(${streams}) offset 0)`
  const rows = await sql<EventRow[]>`select ${columns(sql)} from ${rowsOf(sql, ofStreams)}
    where true ${ofTypes(sql, types)} ${after === undefined ? sql`` : sql`and e.position > ${after}`}
      ${upTo === undefined ? sql`` : sql`and e.position <= ${upTo}`}
    order by e.position limit ${limit}`
  return (await decode(sql, rows)) as Typed<Event, Type>[]
}

/**
 * The newest events of a stream, oldest first, at most `limit`; optionally only those before a version, of some types,
 * and with some members in their data. `isOutline` leaves out the personal part, so no key is needed.
 */
export const readNewest = async <Event = AnyRecordedEvent, Type extends TypeIn<Event> = TypeIn<Event>>(
  sql: Queryable,
  stream: StreamOf<Event>,
  {
    limit,
    before,
    types,
    data,
    isOutline = false,
  }: {
    limit: number
    before?: number
    types?: readonly Type[]
    data?: Record<string, string>
    isOutline?: boolean
  },
): Promise<Typed<Event, Type>[]> => {
  const rows = await sql<EventRow[]>`${selected(sql)} where e.stream = ${stream}
    ${before === undefined ? sql`` : sql`and e.version < ${before}`}
    ${ofTypes(sql, types)}
    ${data === undefined ? sql`` : sql`and e.data::jsonb @> ${sql.json(data)}`}
    order by e.version desc limit ${limit}`
  const wanted = isOutline ? rows.map((row) => ({ ...row, personal: null })) : rows
  return (await decode(sql, wanted.toReversed())) as Typed<Event, Type>[]
}

/** The part of a stream that is read: events after a version (0), at most `limit`. */
export type StreamPart<Event> = { stream: StreamOf<Event>; after?: number; limit: number }

/** A part of each of some streams, its newest events or its oldest, in one statement; in the order of the log. */
export const readParts = async <Event = AnyRecordedEvent>(
  sql: Queryable,
  parts: readonly StreamPart<Event>[],
  first: 'newest' | 'oldest',
): Promise<RecordedOf<Event>[]> => {
  const streams = parts.map(({ stream }) => stream)
  const afters = parts.map(({ after = 0 }) => after)
  const limits = parts.map(({ limit }) => limit)
  // offset 0: each by index, as for `readEach`
  const each = sql`(
    select found.* from unnest(${streams}::text[], ${afters}::integer[], ${limits}::integer[]) as part (name, after, most)
    cross join lateral (
      select * from events where stream = part.name and version > part.after
      order by version ${first === 'newest' ? sql`desc` : sql`asc`} limit part.most offset 0
    ) found
  )`
  const rows = await sql<EventRow[]>`select ${columns(sql)} from ${rowsOf(sql, each)} order by e.position`
  return (await decode(sql, rows)) as RecordedOf<Event>[]
}

/** One event of each of the given streams, the one at a version. In any order; a missing event is left out. */
export const readEach = async <Event = AnyRecordedEvent>(
  sql: Queryable,
  wanted: readonly { stream: StreamOf<Event>; version: number }[],
): Promise<RecordedOf<Event>[]> => {
  const streams = wanted.map(({ stream }) => stream)
  const versions = wanted.map(({ version }) => version)
  // offset 0: each by index, whatever number of rows the planner expects
  const each = sql`(
    select found.* from unnest(${streams}::text[], ${versions}::integer[]) as one (stream, version)
    cross join lateral (select * from events where stream = one.stream and version = one.version offset 0) found
  )`
  const rows = await sql<EventRow[]>`select ${columns(sql)} from ${rowsOf(sql, each)}`
  return (await decode(sql, rows)) as RecordedOf<Event>[]
}

/** How far back `readTail` reads at most, in events of all types. */
const MAX_TAIL_EVENTS = 10_000

/**
 * The events of some types after a position, in order, the newest `limit` among the log's last events (`within`): for
 * folding events that a view has not reached yet. The read stays this small however far behind the view is, and however
 * rare the types are.
 */
export const readTail = async <Type extends EventType>(
  sql: Queryable,
  after: number,
  types: readonly Type[],
  { limit = 10_000, within = MAX_TAIL_EVENTS }: { limit?: number; within?: number } = {},
): Promise<Typed<AnyRecordedEvent, Type>[]> => {
  const tail = sql`(select * from events where position > ${after} order by position desc limit ${within})`
  const rows = await sql<EventRow[]>`select ${columns(sql)} from ${rowsOf(sql, tail)}
    where true ${ofTypes(sql, types)} order by e.position desc limit ${limit}`
  return (await decode(sql, rows.toReversed())) as Typed<AnyRecordedEvent, Type>[]
}

/** The event with this id. */
export const readEvent = async (sql: Queryable, id: string): Promise<AnyRecordedEvent | undefined> => {
  const [event] = await decode(sql, await sql<EventRow[]>`${selected(sql)} where e.id = ${id}`)
  return event
}

/** The versions that some streams are at, on the disk (see `decode`), by name; a stream that does not exist is at 0. */
export const readVersions = async (sql: Queryable, streams: string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ stream: string; version: number; head: number }[]>`
    select s.stream, (select coalesce(max(e.version), 0) from events e where e.stream = s.stream) as version,
      (select last_position from log_head) as head
    from unnest(${streams}::text[]) as s (stream)`
  await sql.durable?.upTo(rows[0]?.head ?? 0)
  return new Map(rows.map(({ stream, version }) => [stream, version]))
}

/** Whether some of these streams began after a position of the log. */
export const hasBegunAfter = async (sql: Queryable, streams: string[], position: number): Promise<boolean> => {
  const later = await sql`
    select from unnest(${streams}::text[]) as s (stream)
    cross join lateral (select position from events where stream = s.stream and version = 1 offset 0) first
    where first.position > ${position} limit 1`
  return later.length > 0
}

/** Whether some of these streams have an event, of this type where one is named, after a position of the log. */
export const hasEventAfter = async (
  sql: Queryable,
  streams: string[],
  { position, type }: { position: number; type?: EventType },
): Promise<boolean> => {
  const later = await sql`
    select from unnest(${streams}::text[]) as s (stream)
    cross join lateral (
      select e.position from events e where e.stream = s.stream ${ofTypes(sql, type && [type])}
      order by e.version desc limit 1
    ) newest
    where newest.position > ${position} limit 1`
  return later.length > 0
}

/** The log's epoch, which changes when a backup is restored, and its last position, which is on the disk (see `decode`). */
export const readHead = async (sql: Queryable): Promise<{ epoch: string; position: number }> => {
  const [head] = await sql<{ epoch: string; position: number }[]>`
    select epoch, last_position as position from log_head`
  if (!head) throw new LogIntegrityError('The log has no epoch: restore it from a backup')
  await sql.durable?.upTo(head.position)
  return head
}
