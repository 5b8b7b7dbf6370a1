import type { ImportMapping } from '../lead-import.ts'
import type { IMPORT_STATES } from '../wire/import.ts'
import { inTransaction, type Sql } from './connection.ts'
import type { CsvKind } from './csv.ts'
import { KeyError, type KeyRing, makeDataKey, rewrap, unwrap, type WrappedKey } from './key-ring.ts'
import type { Queryable } from './read.ts'
import { seal, unsealBytes } from './seal.ts'

/** How long a worker that does not come further keeps an import from others, in seconds. */
const CLAIM_SECONDS = 30
/** An import that fails is tried again after longer and longer pauses, for about a day. */
const FIRST_PAUSE_SECONDS = 30
const LONGEST_PAUSE_SECONDS = 60 * 60
const MAX_TRIES = 30
/** A file that nobody imports is kept for a day. */
const KEEP_UNUSED = '1 day'
/** Of the files that one of the staff has not imported, so many of the newest are kept. */
const MAX_UNUSED = 3

export type ImportState = (typeof IMPORT_STATES)[number]

/** What came of an import's rows so far; `done` is how far it, or its undoing, has come. */
export type ImportCounts = { done: number; added: number; skipped: number; refused: number }

/** An import. `total` is how many rows the file has, its header apart. */
export type LeadImport = ImportCounts & {
  id: string
  staffId: string
  state: ImportState
  createdAt: Date
  total: number
  mapping: ImportMapping | null
  addsDuplicates: boolean
}

/** An import that one worker has taken, by its `claim`. */
export type ClaimedImport = LeadImport & { claim: string }

const columns = (sql: Queryable) => sql`
  id, staff_id as "staffId", state, created_at as "createdAt", total_rows as total, mapping,
  adds_duplicates as "addsDuplicates", done_rows as done, added, skipped, refused`

const sealedAs = (id: string) => `lead import ${id}`

const ringOf = ({ keys }: Sql) => {
  if (!keys) throw new KeyError('Files of leads take a connection with keys')
  return keys.ring
}

/** Keeps a file that somebody may import, encrypted by a key of its own. */
export const storeImport = async (
  sql: Sql,
  { id, staffId, content, kind, total }: { id: string; staffId: string; content: Buffer; kind: CsvKind; total: number },
): Promise<void> => {
  const { key, wrapped, ringKey } = makeDataKey(ringOf(sql), id)
  await sql`
    insert into lead_imports (id, staff_id, encoding, delimiter, total_rows, wrapped, ring_key, content)
    values (${id}, ${staffId}, ${kind.encoding}, ${kind.delimiter}, ${total}, ${wrapped}, ${ringKey},
      ${seal(key, sealedAs(id), content)})`
  await sql`
    delete from lead_imports where id in (
      select id from lead_imports where staff_id = ${staffId} and state = 'uploaded'
      order by created_at desc offset ${MAX_UNUSED}
    ) and state = 'uploaded'`
}

/** The bytes of an import's file, and how it is written; undefined once they are gone. */
export const readImportFile = async (sql: Sql, id: string): Promise<(CsvKind & { content: Buffer }) | undefined> => {
  const [row] = await sql<(CsvKind & { content: Buffer | null; wrapped: Buffer | null; ringKey: string | null })[]>`
    select encoding, delimiter, content, wrapped, ring_key as "ringKey" from lead_imports where id = ${id}`
  if (!row?.content || !row.wrapped || row.ringKey === null) return undefined
  const { encoding, delimiter, content, wrapped, ringKey } = row
  const key = unwrap(ringOf(sql), id, { wrapped, ringKey })
  return { encoding, delimiter, content: unsealBytes(key, sealedAs(id), content) }
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

/** Has workers add the rows of a file, as the log says that it was asked for. One that was begun stays as it is. */
export const beginImport = async (
  sql: Sql,
  id: string,
  { by, mapping, addsDuplicates }: { by: string; mapping: ImportMapping; addsDuplicates: boolean },
): Promise<void> => {
  await sql`
    update lead_imports set state = 'running', staff_id = ${by}, mapping = ${sql.json(mapping)}, adds_duplicates = ${addsDuplicates}
    where id = ${id} and state = 'uploaded'`
}

/** Has workers take an import back, from its first row on. */
export const beginUndo = async (sql: Sql, id: string): Promise<void> => {
  await sql`
    update lead_imports set state = 'undoing', done_rows = 0, tries = 0, retry_at = null
    where id = ${id} and state in ('running', 'done', 'failed')`
}

/**
 * The oldest import that has work left, for one worker, which has to come further within CLAIM_SECONDS. One at a time is
 * carried out: the next one has to find its leads among the known ones.
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
      ) returning ${columns(tx)}, claim`
    return row
  })

type Claim = Pick<ClaimedImport, 'id' | 'claim'>

/** Notes how far an import has come. False where it is in another state by now, or another worker was faster. */
export const noteProgress = async (
  sql: Sql,
  { id, claim, state, done: before }: Claim & Pick<LeadImport, 'state' | 'done'>,
  { done, added, skipped, refused }: ImportCounts,
): Promise<boolean> => {
  const noted = await sql`
    update lead_imports set done_rows = ${done}, added = ${added}, skipped = ${skipped}, refused = ${refused},
      claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second', tries = 0
    where id = ${id} and claim = ${claim} and state = ${state} and done_rows = ${before}`
  return noted.count > 0
}

/** Ends an import that is still in the same state; its file goes. */
export const endImport = async (
  sql: Sql,
  { id, claim, state }: Claim & Pick<LeadImport, 'state'>,
  over: 'done' | 'undone' | 'failed',
): Promise<void> => {
  await sql`
    update lead_imports set state = ${over}, content = null, wrapped = null
    where id = ${id} and claim = ${claim} and state = ${state}`
}

/** Gives an import up to other workers, at once. */
export const releaseImport = async (sql: Sql, { id, claim }: Claim): Promise<void> => {
  await sql`update lead_imports set claim = null, claimed_until = null where id = ${id} and claim = ${claim}`
}

/**
 * Lets an import that failed wait for another try, behind others. Adding that has failed too often has failed for good, and
 * its file goes; what is taken back is tried until it is.
 */
export const deferImport = async (sql: Sql, { id, claim }: Claim): Promise<void> => {
  await sql`
    update lead_imports set tries = tries + 1,
      retry_at = now() + least(${LONGEST_PAUSE_SECONDS}, ${FIRST_PAUSE_SECONDS} * 2 ^ least(tries, 10)) * interval '1 second',
      state = case when state = 'running' and tries + 1 >= ${MAX_TRIES} then 'failed' else state end,
      content = case when state = 'running' and tries + 1 >= ${MAX_TRIES} then null else content end,
      wrapped = case when state = 'running' and tries + 1 >= ${MAX_TRIES} then null else wrapped end
    where id = ${id} and claim = ${claim}`
}

/** Wraps the keys of files with the active key of DATA_KEY. */
export const rewrapImportKeys = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const rows = await sql<(WrappedKey & { id: string })[]>`
    select id, wrapped, ring_key as "ringKey" from lead_imports
    where wrapped is not null and ring_key <> ${ring.active.id}`
  for (const row of rows) {
    const { wrapped, ringKey } = rewrap(ring, row.id, row)
    await sql`
      update lead_imports set wrapped = ${wrapped}, ring_key = ${ringKey}
      where id = ${row.id} and wrapped = ${row.wrapped}`
  }
}

/** Deletes files that nobody has imported within a day. */
export const removeUnusedImports = async (sql: Sql): Promise<void> => {
  await sql`delete from lead_imports where state = 'uploaded' and created_at < now() - ${KEEP_UNUSED}::interval`
}
