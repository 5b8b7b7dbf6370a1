import { createHash } from 'node:crypto'
import type { Queryable } from './decode.ts'

const HASH_BYTES = 32

/** A row of `events` as it is stored: JSON as text, the time in microseconds since 1970. */
export type StoredRow = {
  position: number
  id: string
  stream: string
  version: number
  type: string
  schemaVersion: number
  data: string
  subjectId: string | null
  personal: Buffer | null
  metadata: string
  recordedAtUs: number
  hash: Buffer
}

/** The end of a chain of hashes. */
export type ChainHead = { position: number; hash: Buffer }

/** Before the first event: 32 bytes of zero. */
export const CHAIN_START: ChainHead = { position: 0, hash: Buffer.alloc(HASH_BYTES) }

/**
 * The columns of a StoredRow, of `events e`. None of our functions is called: verification must not trust code in the
 * database.
 */
export const storedColumns = (sql: Queryable) => sql`
  e.position, e.id, e.stream, e.version, e.type, e.schema_version as "schemaVersion", e.data::text as data,
  e.subject_id as "subjectId", e.personal, e.metadata::text as metadata,
  (extract(epoch from e.recorded_at) * 1000000)::bigint as "recordedAtUs", e.hash`

/** Built-in types of Postgres by their object ids, which are the same in every version and cluster. */
const OID = { bytea: 17, bigint: 20, smallint: 21, integer: 23, text: 25, json: 114, timestamptz: 1_184, uuid: 2_950 }

/** Postgres counts the time from the beginning of 2000. */
const POSTGRES_EPOCH_US = Date.UTC(2000, 0, 1) * 1_000

const int32 = (value: number) => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

const int64 = (value: number) => {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

const int16 = (value: number) => {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeInt16BE(value)
  return bytes
}

const uuid = (value: string) => Buffer.from(value.replaceAll('-', ''), 'hex')

/**
 * The bytes that an event's hash covers, as `event_bytes` in 0002_schema.sql makes them: a row in Postgres's binary format.
 * That is the number of columns, then for each its type, its length (-1: null) and its value.
 */
const coveredBytes = (row: StoredRow): Buffer => {
  const columns: [type: number, value: Buffer | null][] = [
    [OID.bigint, int64(row.position)],
    [OID.uuid, uuid(row.id)],
    [OID.text, Buffer.from(row.stream)],
    [OID.integer, int32(row.version)],
    [OID.text, Buffer.from(row.type)],
    [OID.smallint, int16(row.schemaVersion)],
    [OID.json, Buffer.from(row.data)],
    [OID.uuid, row.subjectId === null ? null : uuid(row.subjectId)],
    [OID.bytea, row.personal],
    [OID.json, Buffer.from(row.metadata)],
    [OID.timestamptz, int64(row.recordedAtUs - POSTGRES_EPOCH_US)],
  ]
  const parts = columns.flatMap(([type, value]) => [int32(type), int32(value?.length ?? -1), value ?? Buffer.alloc(0)])
  return Buffer.concat([int32(columns.length), ...parts])
}

/** The hash of an event: SHA-256 over the hash before it and the event's bytes. */
export const hashOf = (before: Buffer, row: StoredRow): Buffer =>
  createHash('sha256').update(before).update(coveredBytes(row)).digest()
