import { createHash } from 'node:crypto'
import type { Queryable } from './decode.ts'

const HASH_BYTES = 32

/** A row of `events` as it is stored: JSON as Postgres writes it, the time in microseconds since 1970. */
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

/** Where a chain of hashes has come to. */
export type ChainHead = { position: number; hash: Buffer }

/** Before the first event: 32 bytes of zero. */
export const CHAIN_START: ChainHead = { position: 0, hash: Buffer.alloc(HASH_BYTES) }

/** The columns of a StoredRow, of `events e`. No function of ours is called: what checks the log trusts none in it. */
export const storedColumns = (sql: Queryable) => sql`
  e.position, e.id, e.stream, e.version, e.type, e.schema_version as "schemaVersion", e.data::text as data,
  e.subject_id as "subjectId", e.personal, e.metadata::text as metadata,
  (extract(epoch from e.recorded_at) * 1000000)::bigint as "recordedAtUs", e.hash`

/** The bytes that an event's hash covers, as `event_bytes` in 0001_log.sql puts them together. */
const coveredBytes = (row: StoredRow): Buffer => {
  const texts = [
    row.position,
    row.id,
    row.version,
    row.schemaVersion,
    row.recordedAtUs,
    row.subjectId ?? '-',
    row.personal?.length ?? -1,
    Buffer.byteLength(row.stream),
    row.stream,
    row.type,
    row.data,
    row.metadata,
    '',
  ]
  return Buffer.concat([Buffer.from(texts.join('\n')), row.personal ?? Buffer.alloc(0)])
}

/** The hash of an event: SHA-256 over the hash before it and the event's bytes. */
export const hashOf = (before: Buffer, row: StoredRow): Buffer =>
  createHash('sha256').update(before).update(coveredBytes(row)).digest()
