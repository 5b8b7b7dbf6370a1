import { type AnyRecordedEvent, knownVersions, versionKey } from '../catalogue.ts'
import type { Metadata } from '../metadata.ts'
import type { Sql, Transaction } from './connection.ts'
import { LogIntegrityError } from './errors.ts'
import { KeyError, type WrappedKey } from './key-ring.ts'
import { unseal } from './seal.ts'
import { readKeys, type SubjectKeys } from './subject-keys.ts'

/** A pool, or a connection of it in a transaction. */
export type Queryable = Sql | Transaction

/** A row of `events` as Postgres has it, with its subject's key where the keys are beside the log. */
export type EventRow = {
  position: number
  id: string
  stream: string
  version: number
  type: string
  schemaVersion: number
  data: unknown
  subjectId: string | null
  personal: Buffer | null
  metadata: Metadata
  recordedAt: Date
  wrapped: Buffer | null
  ringKey: string | null
}

/** The columns of an EventRow, of `events e` and its `subject_keys k`. */
export const columns = (sql: Queryable) => sql`
  e.position, e.id, e.stream, e.version, e.type, e.schema_version as "schemaVersion", e.data, e.subject_id as "subjectId",
  e.personal, e.metadata, e.recorded_at as "recordedAt",
  ${sql.keys?.apart ? sql`null::bytea as wrapped, null as "ringKey"` : sql`k.wrapped, k.ring_key as "ringKey"`}`

/** The rows that `columns` reads, of `events` or a part of it. Where the keys are apart they are asked for by `decode`. */
export const rowsOf = (sql: Queryable, events = sql`events`) =>
  sql.keys?.apart ? sql`${events} e` : sql`${events} e left join subject_keys k on k.subject_id = e.subject_id`

/** Whether this code knows the type of an event in this version. */
export const isKnown = ({ type, schemaVersion }: Pick<EventRow, 'type' | 'schemaVersion'>): boolean =>
  knownVersions.has(versionKey(type, schemaVersion))

const storedKeys = async (rows: EventRow[], { apart }: SubjectKeys): Promise<(row: EventRow) => WrappedKey | null> => {
  if (!apart) {
    return ({ wrapped, ringKey }) => (wrapped === null || ringKey === null ? null : { wrapped, ringKey })
  }
  const subjects = new Set(rows.flatMap(({ personal, subjectId }) => (personal && subjectId ? [subjectId] : [])))
  const stored = subjects.size === 0 ? new Map<string, WrappedKey>() : await readKeys(apart, [...subjects])
  return ({ subjectId }) => stored.get(subjectId ?? '') ?? null
}

const openPersonal = (keys: SubjectKeys, stored: WrappedKey | null, { id, subjectId, personal }: EventRow): unknown => {
  if (personal === null || subjectId === null || stored === null) return null
  return JSON.parse(unseal(keys.open(subjectId, stored), id, personal))
}

/**
 * Makes events of rows: the only place that does. It decrypts what is personal, null where its person has been erased,
 * and brings earlier versions of an event to the current one. Throws LogIntegrityError for a type or a version that this
 * code does not know, and KeyError where a key does not fit.
 */
export const decode = async (sql: Queryable, rows: EventRow[]): Promise<AnyRecordedEvent[]> => {
  const { keys } = sql
  const keyOf = keys ? await storedKeys(rows, keys) : undefined
  return rows.map((row) => {
    const { position, id, stream, version, type, schemaVersion, subjectId, metadata, recordedAt } = row
    const known = knownVersions.get(versionKey(type, schemaVersion))
    if (!known) {
      const message = `Event ${position} is ${type} in version ${schemaVersion}, which this code does not know: run newer code`
      throw new LogIntegrityError(message)
    }
    if (row.personal !== null && !(keys && keyOf)) {
      throw new KeyError(`Event ${position} holds what is personal, and this connection was opened without keys`)
    }
    const personal = keys && keyOf ? openPersonal(keys, keyOf(row), row) : null
    const content = { data: row.data, personal }
    return {
      position,
      id,
      stream,
      version,
      type,
      schemaVersion: known.definition.schemaVersion,
      subjectId,
      metadata,
      recordedAt,
      ...(known.upcast ? known.upcast(content) : content),
    } as AnyRecordedEvent
  })
}
