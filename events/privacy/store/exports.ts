import { chatKeyToWrite, keysOf } from '../../chat/store/keys.ts'
import { seal, unsealBytes } from '../../keys/seal.ts'
import { keysForReading } from '../../keys/subject-keys.ts'
import type { Queryable } from '../../log/decode.ts'
import type { Sql } from '../../stores/connection.ts'
import type { EXPORT_STATES, Subject, SubjectKind } from '../wire.ts'

/** How long a worker without progress blocks an export for others. */
const CLAIM_SECONDS = 60
/** After this many tries an export has failed. */
const MAX_TRIES = 5

/** An export of a person's data. `progress` is from 0 to 1, `size` in bytes. */
export type StoredExport = {
  id: string
  subjectId: string
  kind: SubjectKind
  madeBy: string
  requestedAt: Date
  hasNotes: boolean
  state: (typeof EXPORT_STATES)[number]
  progress: number
  size: number
}

/** An export that one worker has claimed. */
export type ClaimedExport = StoredExport & { claim: string }

const columns = (sql: Queryable) => sql`
  id, subject_id as "subjectId", kind, made_by as "madeBy", requested_at as "requestedAt", has_notes as "hasNotes", state,
  progress, size`

/** Requests an export. The same id again changes nothing. */
export const addExport = async (
  sql: Queryable,
  { id, subject, madeBy, hasNotes }: { id: string; subject: Subject; madeBy: string; hasNotes: boolean },
): Promise<void> => {
  await sql`
    insert into privacy_exports (id, subject_id, kind, subjects, made_by, has_notes)
    values (${id}, ${subject.id}, ${subject.kind}, array[${subject.id}]::uuid[], ${madeBy}, ${hasNotes})
    on conflict do nothing`
}

/** The exports in which a lead, chat or account is, newest first. */
export const listExports = (sql: Queryable, subjectId: string): Promise<StoredExport[]> =>
  sql<StoredExport[]>`
    select ${columns(sql)} from privacy_exports where subjects @> array[${subjectId}]::uuid[]
    order by requested_at desc`

export const findExport = async (sql: Queryable, id: string): Promise<StoredExport | undefined> => {
  const [found] = await sql<StoredExport[]>`select ${columns(sql)} from privacy_exports where id = ${id}`
  return found
}

/** Claims the oldest export that waits, for one worker. Parts of an earlier try go. */
export const claimExport = async (sql: Sql): Promise<ClaimedExport | undefined> => {
  await sql`
    update privacy_exports set state = 'failed' where state = 'waiting' and tries >= ${MAX_TRIES} and claimed_until < now()`
  const [claimed] = await sql<ClaimedExport[]>`
    update privacy_exports set claim = gen_random_uuid(), claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second',
      tries = tries + 1, progress = 0
    where id = (
      select id from privacy_exports
      where state = 'waiting' and tries < ${MAX_TRIES} and (claimed_until is null or claimed_until < now())
      order by requested_at limit 1 for update skip locked
    ) returning ${columns(sql)}, claim`
  if (claimed) await sql`delete from privacy_export_parts where export_id = ${claimed.id}`
  return claimed
}

/** Ends the claim of a worker that could not make an export: another try begins at once. */
export const releaseExport = async (sql: Sql, { id, claim }: ClaimedExport): Promise<void> => {
  await sql`update privacy_exports set claim = null, claimed_until = now() where id = ${id} and claim = ${claim}`
}

/**
 * Notes which leads and chats are in an export: it goes when one of them is erased. Returns false if it is another
 * worker's by now, or was deleted.
 */
export const noteSubjects = async (
  sql: Sql,
  { id, claim, subjectId }: ClaimedExport,
  subjects: readonly string[],
): Promise<boolean> => {
  const noted = await sql`
    update privacy_exports set subjects = ${[...new Set([subjectId, ...subjects])]}::uuid[]
    where id = ${id} and claim = ${claim}`
  return noted.count > 0
}

/** Notes the progress of an export. Returns false as `noteSubjects` does. */
export const noteExportProgress = async (
  sql: Sql,
  { id, claim }: ClaimedExport,
  progress: number,
): Promise<boolean> => {
  const noted = await sql`
    update privacy_exports set progress = ${progress}, claimed_until = now() + ${CLAIM_SECONDS} * interval '1 second'
    where id = ${id} and claim = ${claim}`
  return noted.count > 0
}

const sealedAs = (id: string, nth: number) => `privacy export ${id} ${nth}`

/** Stores the next part of an export, encrypted by the key of its person. Returns false as `noteSubjects` does. */
export const addPart = async (
  sql: Sql,
  { id, claim, subjectId }: ClaimedExport,
  nth: number,
  content: Buffer,
): Promise<boolean> => {
  const sealed = seal(await chatKeyToWrite(sql, subjectId), sealedAs(id, nth), content)
  const added = await sql`
    insert into privacy_export_parts (export_id, nth, bytes)
    select id, ${nth}, ${sealed} from privacy_exports where id = ${id} and claim = ${claim} for update`
  return added.count > 0
}

/** Ends an export that is whole. */
export const endExport = async (sql: Sql, { id, claim }: ClaimedExport, size: number): Promise<void> => {
  await sql`
    update privacy_exports set state = 'ready', progress = 1, size = ${size}, claim = null, claimed_until = null
    where id = ${id} and claim = ${claim}`
}

/** Reads an export part by part. Ends early, with an error, if the export is deleted during that time. */
export async function* readParts(sql: Sql, { id, subjectId, size }: StoredExport): AsyncGenerator<Buffer> {
  let left = size
  for (let nth = 0; left > 0; nth += 1) {
    const [row] = await sql<{ bytes: Buffer }[]>`
      select bytes from privacy_export_parts where export_id = ${id} and nth = ${nth}`
    const key = row && (await keysForReading(sql, keysOf(sql), [subjectId])).get(subjectId)
    if (!row || !key) throw new Error(`The export ${id} was deleted`)
    const content = unsealBytes(key, sealedAs(id, nth), row.bytes)
    left -= content.length
    yield content
  }
}

/** Deletes the exports that some leads, chats or accounts are in. */
export const deleteExportsOf = async (tx: Queryable, subjectIds: readonly string[]): Promise<void> => {
  if (subjectIds.length > 0) await tx`delete from privacy_exports where subjects && ${[...subjectIds]}::uuid[]`
}

/** Deletes the exports that are older than the owners' period. Any number of workers may call it at once. */
export const deleteOldExports = async (sql: Queryable, { days, now }: { days: number; now: Date }): Promise<number> => {
  const deleted = await sql`
    delete from privacy_exports where requested_at < ${now}::timestamptz - ${days} * interval '1 day'`
  return deleted.count
}
