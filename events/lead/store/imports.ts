import {
  type DataKey,
  KeyError,
  type KeyRing,
  makeDataKey,
  rewrap,
  unwrap,
  type WrappedKey,
} from '../../keys/key-ring.ts'
import { seal, unsealBytes } from '../../keys/seal.ts'
import type { Queryable } from '../../log/read.ts'
import { inTransaction, type Sql } from '../../stores/connection.ts'
import type { ImportMapping, IncompleteRow, LeftOutReason, LeftOutRow } from '../import/import.ts'
import type { IMPORT_STATES } from '../import/import-wire.ts'
import type { BadCell } from '../import/imported-row.ts'
import type { CsvKind } from './csv.ts'

/** How long a worker without progress blocks an import for others, in seconds. */
const CLAIM_SECONDS = 30
/** An import that fails is tried again after longer and longer pauses, for about a day. */
const FIRST_PAUSE_SECONDS = 30
const LONGEST_PAUSE_SECONDS = 60 * 60
const MAX_TRIES = 30
/** A file that is not imported is stored for a day, and one whose import does not end for three. */
const UNUSED_RETENTION = '1 day'
const UNDONE_RETENTION = '3 days'
/** A file with rows left out is stored for this long after its upload, for those to be corrected. */
const LEFT_OUT_RETENTION = '2 days'
/** How many of the newest files that a staff member has not imported are stored. */
const MAX_UNUSED = 3

export type ImportState = (typeof IMPORT_STATES)[number]

/** The results of an import's rows so far; `done` is the progress of it, or of its undoing. */
export type ImportCounts = { done: number; added: number; skipped: number; refused: number }

/**
 * An import. `total` is how many rows the file has without its header; `leftOut` how many rows were left out;
 * `hasLeftOutFile` whether those can still be downloaded; `incomplete` how many were added without an unusable cell.
 */
export type LeadImport = ImportCounts & {
  id: string
  staffId: string
  state: ImportState
  createdAt: Date
  total: number
  mapping: ImportMapping | null
  addsDuplicates: boolean
  leftOut: number
  hasLeftOutFile: boolean
  incomplete: number
}

/**
 * An import that one worker has claimed, by its `claim`. `erasures` counts the erasures of people to leave out that
 * this worker has seen.
 */
export type ClaimedImport = LeadImport & { claim: string; erasures: number }

const columns = (sql: Queryable) => sql`
  id, staff_id as "staffId", state, created_at as "createdAt", total_rows as total, mapping,
  adds_duplicates as "addsDuplicates", done_rows as done, added, skipped, refused,
  jsonb_array_length(left_out) as "leftOut", (state = 'done' and content is not null) as "hasLeftOutFile",
  jsonb_array_length(incomplete) as incomplete`

const sealedAs = (id: string) => `lead import ${id}`

const ringOf = ({ keys }: Sql) => {
  if (!keys) throw new KeyError('Files of leads take a connection with keys')
  return keys.ring
}

/** Stores a file for an import, encrypted with a key of its own. */
export const storeImport = async (
  sql: Sql,
  { id, staffId, content, kind, total }: { id: string; staffId: string; content: Buffer; kind: CsvKind; total: number },
): Promise<void> => {
  const { key, wrapped, ringKey } = makeDataKey(ringOf(sql), id)
  await inTransaction(sql, async (tx) => {
    await tx`
      insert into lead_imports (id, staff_id, encoding, delimiter, total_rows, content)
      values (${id}, ${staffId}, ${kind.encoding}, ${kind.delimiter}, ${total}, ${seal(key, sealedAs(id), content)})`
    await tx`insert into lead_import_keys (import_id, wrapped, ring_key) values (${id}, ${wrapped}, ${ringKey})`
  })
  await sql`
    delete from lead_imports where id in (
      select id from lead_imports where staff_id = ${staffId} and state = 'uploaded'
      order by created_at desc offset ${MAX_UNUSED}
    ) and state = 'uploaded'`
}

/** The key of an import's file; undefined once it is gone, with the file or in a restored backup. */
export const readImportKey = async (sql: Sql, id: string): Promise<DataKey | undefined> => {
  const [row] = await sql<WrappedKey[]>`
    select wrapped, ring_key as "ringKey" from lead_import_keys where import_id = ${id}`
  return row && unwrap(ringOf(sql), id, row)
}

/** The bytes of an import's file, and its format; undefined once they are gone. */
export const readImportFile = async (sql: Sql, id: string): Promise<(CsvKind & { content: Buffer }) | undefined> => {
  const [row] = await sql<(CsvKind & { content: Buffer | null })[]>`
    select encoding, delimiter, content from lead_imports where id = ${id}`
  const key = row?.content ? await readImportKey(sql, id) : undefined
  if (!row?.content || !key) return undefined
  const { encoding, delimiter, content } = row
  return { encoding, delimiter, content: unsealBytes(key, sealedAs(id), content) }
}

/** Deletes the files of imports, with their keys and the records of erased people. */
const dropFiles = async (tx: Queryable, ids: string[]) => {
  await tx`update lead_imports set content = null where id = any(${ids}::uuid[])`
  await tx`delete from lead_import_keys where import_id = any(${ids}::uuid[])`
  await tx`delete from lead_import_erasures where import_id = any(${ids}::uuid[])`
}

/** An import by its id. */
export const findImport = async (sql: Sql, id: string): Promise<LeadImport | undefined> => {
  const [row] = await sql<LeadImport[]>`select ${columns(sql)} from lead_imports where id = ${id}`
  return row
}

/** The newest imports that were begun, newest first. */
export const listImports = (sql: Sql, limit: number): Promise<LeadImport[]> =>
  sql<LeadImport[]>`
    select ${columns(sql)} from lead_imports where state <> 'uploaded' order by created_at desc limit ${limit}`

/** Starts adding the rows of a file, as the log requests. One that was begun stays as it is. */
export const beginImport = async (
  sql: Sql,
  id: string,
  { by, mapping, addsDuplicates }: { by: string; mapping: ImportMapping; addsDuplicates: boolean },
): Promise<void> => {
  await sql`
    update lead_imports set state = 'running', staff_id = ${by}, mapping = ${sql.json(mapping)}, adds_duplicates = ${addsDuplicates}
    where id = ${id} and state = 'uploaded'`
}

/** Has workers take an import back, from its first row on; its file goes. */
export const beginUndo = (sql: Sql, id: string): Promise<void> =>
  inTransaction(sql, async (tx) => {
    const begun = await tx`
      update lead_imports set state = 'undoing', done_rows = 0, tries = 0, retry_at = null
      where id = ${id} and state in ('running', 'done', 'failed')`
    if (begun.count > 0) await dropFiles(tx, [id])
  })

/**
 * Claims the oldest import with work left for one worker, which has to make progress within CLAIM_SECONDS. One at a
 * time is carried out: the next one has to find its leads among the known ones.
 */
export const claimImport = (sql: Sql): Promise<ClaimedImport | undefined> =>
  inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('lead imports', 0))`
    const [row] = await tx<ClaimedImport[]>`
      update lead_imports set claim = gen_random_uuid(), claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
      where id = (
        select id from lead_imports
        where state in ('running', 'undoing') and (retry_at is null or retry_at < now())
        order by created_at limit 1
      ) and not exists (
        select from lead_imports where state in ('running', 'undoing') and claimed_until > now()
      ) returning ${columns(tx)}, claim, erasures`
    return row
  })

const NO_ROW_NOTES = { leftOut: [], incomplete: [] }

type Claim = Pick<ClaimedImport, 'id' | 'claim'>

/**
 * Stores the progress of an import. Returns false if it is in another state by now, another worker was faster, or a
 * person to leave out was erased during that time: then its rows are judged again.
 */
export const noteProgress = async (
  sql: Sql,
  { id, claim, state, erasures, done: before }: ClaimedImport,
  { done, added, skipped, refused }: ImportCounts,
  { leftOut, incomplete }: { leftOut: readonly LeftOutRow[]; incomplete: readonly IncompleteRow[] } = NO_ROW_NOTES,
): Promise<boolean> => {
  const updated = await sql`
    update lead_imports set done_rows = ${done}, added = ${added}, skipped = ${skipped}, refused = ${refused},
      left_out = left_out || ${sql.json([...leftOut])}::jsonb, incomplete = incomplete || ${sql.json([...incomplete])}::jsonb,
      claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second', tries = 0
    where id = ${id} and claim = ${claim} and state = ${state} and done_rows = ${before} and erasures = ${erasures}`
  return updated.count > 0
}

/**
 * Ends an import that is still in the same state, and deletes its file unless rows of it can be corrected. Returns
 * false if the state differs, or if a person to leave out was erased during that time.
 */
export const endImport = (
  sql: Sql,
  { id, claim, state, erasures }: ClaimedImport,
  over: 'done' | 'undone' | 'failed',
): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const [ended] = await tx<{ isWhole: boolean }[]>`
      update lead_imports set state = ${over}
      where id = ${id} and claim = ${claim} and state = ${state} and erasures = ${erasures}
      returning not jsonb_path_exists(left_out, '$[*][1] ? (@ != "erased")') as "isWhole"`
    if (ended && (over !== 'done' || ended.isWhole)) await dropFiles(tx, [id])
    return ended !== undefined
  })

/** Releases an import to other workers immediately. */
export const releaseImport = async (sql: Sql, { id, claim }: Claim): Promise<void> => {
  await sql`update lead_imports set claim = null, claimed_until = null where id = ${id} and claim = ${claim}`
}

/**
 * Defers a failed import for another try, behind others. Adding that has failed too often fails for good, and its file
 * is deleted; undoing is tried until it succeeds.
 */
export const deferImport = (sql: Sql, { id, claim }: Claim): Promise<void> =>
  inTransaction(sql, async (tx) => {
    const [deferred] = await tx<{ state: ImportState }[]>`
      update lead_imports set tries = tries + 1,
        retry_at = now() + least(${LONGEST_PAUSE_SECONDS}, ${FIRST_PAUSE_SECONDS} * 2 ^ least(tries, 10)) * interval '1 second',
        state = case when state = 'running' and tries + 1 >= ${MAX_TRIES} then 'failed' else state end
      where id = ${id} and claim = ${claim} returning state`
    if (deferred?.state === 'failed') await dropFiles(tx, [id])
  })

/** Wraps the keys of files with the active key of DATA_KEY. */
export const rewrapImportKeys = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const rows = await sql<(WrappedKey & { id: string })[]>`
    select import_id as id, wrapped, ring_key as "ringKey" from lead_import_keys where ring_key <> ${ring.active.id}`
  for (const row of rows) {
    const { wrapped, ringKey } = rewrap(ring, row.id, row)
    await sql`
      update lead_import_keys set wrapped = ${wrapped}, ring_key = ${ringKey}
      where import_id = ${row.id} and wrapped = ${row.wrapped}`
  }
}

/**
 * Deletes files that were not imported within a day. An import that has not ended after three days has failed: no file
 * is stored for longer. One with rows left out is deleted after two.
 */
export const removeOldImportFiles = (sql: Sql): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await tx`delete from lead_imports where state = 'uploaded' and created_at < now() - ${UNUSED_RETENTION}::interval`
    const failed = await tx<{ id: string }[]>`
      update lead_imports set state = 'failed'
      where state = 'running' and created_at < now() - ${UNDONE_RETENTION}::interval returning id`
    const corrected = await tx<{ id: string }[]>`
      select id from lead_imports
      where state = 'done' and content is not null and created_at < now() - ${LEFT_OUT_RETENTION}::interval`
    const over = [...failed, ...corrected].map(({ id }) => id)
    if (over.length > 0) await dropFiles(tx, over)
  })

/** Which rows are read: those after a line, at most `limit`. */
export type RowRange = { after: number; limit: number }

/** A row with a record of its import; `number` is the row's as a spreadsheet shows it. */
export type NotedRow<Noted> = { line: number; noted: Noted; number: number }

/** Rows in their order. */
const readRowNotes = <Noted>(
  sql: Sql,
  id: string,
  kind: 'left_out' | 'incomplete',
  { after, limit }: RowRange,
): Promise<NotedRow<Noted>[]> => sql<NotedRow<Noted>[]>`
  select (pair ->> 0)::integer as line, pair -> 1 as noted,
    (pair ->> 2)::integer as number
  from lead_imports cross join lateral jsonb_array_elements(${sql(kind)}) pair
  where id = ${id} and (pair ->> 0)::integer > ${after} order by 1 limit ${limit}`

/** The rows that an import has left out, and why. */
export const readLeftOut = (sql: Sql, id: string, range: RowRange) =>
  readRowNotes<LeftOutReason>(sql, id, 'left_out', range)

/** The rows that an import has added without these cells. */
export const readIncomplete = (sql: Sql, id: string, range: RowRange) =>
  readRowNotes<BadCell[]>(sql, id, 'incomplete', range)
