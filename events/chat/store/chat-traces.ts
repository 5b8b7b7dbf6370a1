import { DAY_MS } from '../../base/time.ts'
import type { Queryable } from '../../log/read.ts'
import { messageStreams } from '../chat.ts'
import { deleteErasedFiles, REMOVE_BATCH_FILES } from './files.ts'

/** How long receipts, pages and files are stored after the chat's last activity. */
export const PRESENCE_RETENTION_DAYS = 90

/** How many receipts, and how many pages, expire in one go. */
export const EXPIRE_BATCH_ROWS = 1_000

/** Whether no one has written in the chat of a row since. Such a chat ends within a day. */
const isSilentSince = (sql: Queryable, before: Date) => sql`coalesce((
  select recorded_at from events where stream = ${messageStreams.prefix}::text || chat.session_id order by version desc limit 1
), '-infinity') < ${before}`

/**
 * Deletes receipts, pages and files of chats that have been silent for PRESENCE_RETENTION_DAYS, oldest first, at most
 * EXPIRE_BATCH_ROWS of each, and REMOVE_BATCH_FILES files. Returns how many were deleted. Any number of workers may
 * call it at once.
 */
export const expireChatTraces = async (sql: Queryable, { now }: { now: Date }): Promise<number> => {
  const before = new Date(now.getTime() - PRESENCE_RETENTION_DAYS * DAY_MS)
  const receipts = await sql`
    delete from chat_receipts where (session_id, party) in (
      select session_id, party from chat_receipts chat
      where noted_on < ${before.toISOString().slice(0, 10)}::date and ${isSilentSince(sql, before)}
      order by noted_on limit ${EXPIRE_BATCH_ROWS} for update skip locked)`
  const pages = await sql`
    delete from chat_pages where (session_id, version) in (
      select session_id, version from chat_pages chat
      where viewed_at < ${before} and ${isSilentSince(sql, before)}
      order by viewed_at limit ${EXPIRE_BATCH_ROWS} for update skip locked)`
  const files = await sql`
    delete from chat_files where id in (
      select id from chat_files chat
      where stored_at < ${before} and ${isSilentSince(sql, before)}
      order by stored_at limit ${REMOVE_BATCH_FILES} for update skip locked)`
  return receipts.count + pages.count + files.count
}

/**
 * Deletes the receipts, pages and files of erased chats. `tx` is a transaction that began after the erasures were
 * committed: a page or file that is being stored at the same time is either deleted too or refused. Returns whether all
 * are deleted: one transaction deletes REMOVE_BATCH_BYTES of files, and if there are more the caller commits and calls
 * again in another one.
 */
export const deleteChatTraces = async (tx: Queryable, sessionIds: string[]): Promise<boolean> => {
  if (sessionIds.length === 0) return true
  // in one order, so that two erasures of the same chats cannot deadlock
  const ids = sessionIds.toSorted()
  await tx`select lock_chat_pages(id) from unnest(${ids}::uuid[]) as chat (id)`
  if (!(await deleteErasedFiles(tx, ids))) return false
  await tx`delete from chat_pages where session_id = any(${ids}::uuid[])`
  await tx`delete from chat_receipts where session_id = any(${ids}::uuid[])`
  return true
}
