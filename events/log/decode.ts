import type { Metadata } from '../base/metadata.ts'
import { type AnyRecordedEvent, knownVersions, versionKey } from '../catalogue.ts'
import { LogIntegrityError } from '../keys/errors.ts'
import { type DataKey, KeyError } from '../keys/key-ring.ts'
import { unseal } from '../keys/seal.ts'
import { openKeysIn, openStored, type SubjectKeys } from '../keys/subject-keys.ts'
import type { Sql, Transaction } from '../stores/connection.ts'

/** A pool, or a connection of it in a transaction. */
export type Queryable = Sql | Transaction

/** A row of `events` as Postgres returns it, with its subject's key if keys are in the log's database. */
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
  isErased: boolean
}

/** The columns of an EventRow, of `events e` and its `subject_keys k`. */
export const columns = (sql: Queryable) => sql`
  e.position, e.id, e.stream, e.version, e.type, e.schema_version as "schemaVersion", e.data, e.subject_id as "subjectId",
  e.personal, e.metadata, e.recorded_at as "recordedAt",
  ${sql.keys?.apart ? sql`null::bytea as wrapped, null as "ringKey"` : sql`k.wrapped, k.ring_key as "ringKey"`},
  k.destroyed_at is not null as "isErased"`

/**
 * Reads the rows of `events`, or of a part of it. With a separate database of keys `decode` fetches the keys, and the
 * log's own table shows only who has been erased. Each key is looked up by index (`offset 0` keeps the planner from
 * making a join of it, which would read the whole table of keys for each batch).
 */
export const rowsOf = (sql: Queryable, events = sql`events`) =>
  sql`${events} e left join lateral (select * from subject_keys where subject_id = e.subject_id offset 0) k on true`

/** Whether this code knows the type of an event in this version. */
export const isKnown = ({ type, schemaVersion }: Pick<EventRow, 'type' | 'schemaVersion'>): boolean =>
  knownVersions.has(versionKey(type, schemaVersion))

/** Opens the key of a row's subject; null if it was destroyed. */
type KeyOf = (row: EventRow, subjectId: string) => DataKey | null

const openKeysOf = async (rows: EventRow[], keys: SubjectKeys): Promise<KeyOf> => {
  if (!keys.apart) {
    const opened = new Map<string, DataKey | null>()
    return ({ wrapped, ringKey, isErased }, subjectId) => {
      const known = opened.get(subjectId)
      if (known !== undefined) return known
      const stored = wrapped === null || ringKey === null ? undefined : { wrapped, ringKey }
      const key = openStored(keys, subjectId, isErased ? null : stored)
      opened.set(subjectId, key)
      return key
    }
  }
  const living = rows.filter(({ personal, isErased }) => personal && !isErased)
  const subjects = new Set(living.flatMap(({ subjectId }) => subjectId ?? []))
  const known = await openKeysIn(keys.apart, keys, [...subjects])
  return ({ isErased }, subjectId) => (isErased ? null : (known.get(subjectId) ?? null))
}

const openPersonal = (keyOf: KeyOf, row: EventRow): unknown => {
  const { id, subjectId, personal } = row
  if (personal === null || subjectId === null) return null
  const key = keyOf(row, subjectId)
  return key && JSON.parse(unseal(key, id, personal))
}

/**
 * Turns rows into events; nothing else does. Outside a transaction it waits until they are on the disk: nothing that a
 * crash can take away leaves Postgres. In a transaction the caller waits itself before it passes on what it read.
 * Decrypts personal data, null if its person has been erased, and brings earlier versions of an event to the current
 * one. Throws LogIntegrityError for a type or a version that this code does not know, KeyError if a key is missing or
 * does not fit, and KeyStoreError if the separate database of keys does not respond.
 */
export const decode = async (sql: Queryable, rows: EventRow[]): Promise<AnyRecordedEvent[]> => {
  const { keys, durable } = sql
  await durable?.upTo(rows.reduce((last, { position }) => Math.max(last, position), 0))
  const keyOf = keys ? await openKeysOf(rows, keys) : undefined
  return rows.map((row) => {
    const { position, id, stream, version, type, schemaVersion, subjectId, metadata, recordedAt } = row
    const known = knownVersions.get(versionKey(type, schemaVersion))
    if (!known) {
      const message = `Event ${position} is ${type} in version ${schemaVersion}, which this code does not know: run newer code`
      throw new LogIntegrityError(message)
    }
    if (row.personal !== null && !keyOf) {
      throw new KeyError(`Event ${position} holds what is personal, and this connection was opened without keys`)
    }
    const personal = keyOf ? openPersonal(keyOf, row) : null
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
