import type { ImportMapping } from '../lead-import.ts'
import type { IMPORT_STATES } from '../wire/import.ts'
import type { Sql } from './connection.ts'
import type { CsvKind } from './csv.ts'
import { KeyError, makeDataKey, unwrap } from './key-ring.ts'
import type { Queryable } from './read.ts'
import { seal, unsealBytes } from './seal.ts'

/** How long a worker that does not come further keeps an import from others, in seconds. */
const CLAIM_SECONDS = 30
/** A file that nobody imports is kept for a day. */
const KEEP_UNUSED = '1 day'

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

/** Has workers add the rows of a file. One that was begun stays as it is. */
export const beginImport = async (
  sql: Sql,
  id: string,
  { mapping, addsDuplicates }: { mapping: ImportMapping; addsDuplicates: boolean },
): Promise<void> => {
  await sql`
    update lead_imports set state = 'running', mapping = ${sql.json(mapping)}, adds_duplicates = ${addsDuplicates}
    where id = ${id} and state = 'uploaded'`
}

/** Has workers take an import back, from its first row on. */
export const beginUndo = async (sql: Sql, id: string): Promise<void> => {
  await sql`
    update lead_imports set state = 'undoing', done_rows = 0 where id = ${id} and state in ('running', 'done')`
}

/** The oldest import that has work left, for one worker, which has to come further within CLAIM_SECONDS. */
export const claimImport = async (sql: Sql): Promise<LeadImport | undefined> => {
  const [row] = await sql<LeadImport[]>`
    update lead_imports set claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    where id = (
      select id from lead_imports
      where state in ('running', 'undoing') and (claimed_until is null or claimed_until < now())
      order by created_at limit 1 for update skip locked
    ) returning ${columns(sql)}`
  return row
}

/** Notes how far an import has come. False where it is in another state by now, or another worker was faster. */
export const noteProgress = async (
  sql: Sql,
  { id, state, done: before }: Pick<LeadImport, 'id' | 'state' | 'done'>,
  { done, added, skipped, refused }: ImportCounts,
): Promise<boolean> => {
  const noted = await sql`
    update lead_imports set done_rows = ${done}, added = ${added}, skipped = ${skipped}, refused = ${refused},
      claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    where id = ${id} and state = ${state} and done_rows = ${before}`
  return noted.count > 0
}

/** Gives an import up to others; where it is `over`, its file goes. */
export const endImport = async (
  sql: Sql,
  { id, state }: Pick<LeadImport, 'id' | 'state'>,
  over: 'done' | 'undone' | undefined,
): Promise<void> => {
  await sql`
    update lead_imports set claimed_until = null, state = case when state = ${state} then ${over ?? state} else state end,
      content = case when ${over !== undefined} then null else content end,
      wrapped = case when ${over !== undefined} then null else wrapped end
    where id = ${id}`
}

/** Deletes files that nobody has imported within a day. */
export const removeUnusedImports = async (sql: Sql): Promise<void> => {
  await sql`delete from lead_imports where state = 'uploaded' and created_at < now() - ${KEEP_UNUSED}::interval`
}
