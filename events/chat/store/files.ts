import { seal, unseal, unsealBytes } from '../../keys/seal.ts'
import { keysForReading } from '../../keys/subject-keys.ts'
import type { Queryable } from '../../log/decode.ts'
import { chatActivityStreams } from '../activity.ts'
import {
  type ChatFile,
  MAX_FILE_BYTES_IN_ALL,
  MAX_FILE_BYTES_OF_CHAT,
  MAX_FILES_IN_ALL,
  MAX_FILES_OF_CHAT,
} from '../file.ts'
import type { Party } from '../parties.ts'
import { chatKeyToWrite, keysOf } from './keys.ts'

/** How long a file is stored that no message names: its sender may still be without a connection. */
export const ORPHAN_AFTER_MS = 60 * 60 * 1000

/** How many files go in one statement: of the largest, 250 MiB. */
export const REMOVE_BATCH_FILES = 50

/**
 * The most bytes of erased chats' files deleted in one transaction (at least one file): a few seconds' work for a slow
 * disk.
 */
export const REMOVE_BATCH_BYTES = 100 * 1024 * 1024

/** How many files one search for those of erased chats reads. */
export const SWEEP_BATCH_FILES = 1_000

/** The capacity for files of all chats together; tests fill less. */
export type FileRoom = { files: number; bytes: number }

/** A fifth of the room is reserved for staff: strangers can fill only their own part. */
const VISITORS_SHARE = 0.8
const ROOM: Record<Party, FileRoom> = {
  admin: { files: MAX_FILES_IN_ALL, bytes: MAX_FILE_BYTES_IN_ALL },
  visitor: { files: MAX_FILES_IN_ALL * VISITORS_SHARE, bytes: MAX_FILE_BYTES_IN_ALL * VISITORS_SHARE },
}

/** The associated data of a file's encryption: the ciphertext decrypts only as this file. */
const sealedAs = (id: string) => `chat file ${id}`
const nameSealedAs = (id: string) => `name of chat file ${id}`

/**
 * The result of storing a file: `chat_full` if the chat's limit of files or bytes is reached, `full` if that of all
 * chats is.
 */
export type StoredFile = 'stored' | 'chat_full' | 'full' | 'erased'

/**
 * Stores a file of a chat, encrypted with the key of the chat's visitor. Throws a LogError `erased` if that key is
 * gone.
 */
export const storeFile = async (
  sql: Queryable,
  { sessionId, party, file, content }: { sessionId: string; party: Party; file: ChatFile; content: Buffer },
  room: FileRoom = ROOM[party],
): Promise<StoredFile> => {
  const { id, name, mediaType, size } = file
  const key = await chatKeyToWrite(sql, sessionId)
  const sealed = seal(key, sealedAs(id), content)
  const [stored] = await sql<{ outcome: StoredFile }[]>`
    select store_chat_file(
      ${id}, ${sessionId}, ${party}, ${mediaType}, ${size}, ${seal(key, nameSealedAs(id), name)}, ${sealed},
      ${MAX_FILES_OF_CHAT}, ${MAX_FILE_BYTES_OF_CHAT}, ${room.files}, ${room.bytes}
    ) as outcome`
  if (!stored) throw new Error('Postgres answered no row')
  return stored.outcome
}

type FileRow = { mediaType: string; size: number; name: Buffer }

/**
 * Claims a stored file of one side of a chat for a message that is about to name it: from now on it is stored as long
 * as the chat's files are. Undefined if it no longer exists. Idempotent.
 */
export const claimFile = async (
  sql: Queryable,
  { sessionId, party, id }: { sessionId: string; party: Party; id: string },
): Promise<ChatFile | undefined> => {
  const [row] = await sql<FileRow[]>`
    update chat_files set posted_at = coalesce(posted_at, clock_timestamp())
    where id = ${id} and session_id = ${sessionId} and party = ${party}
    returning media_type as "mediaType", size, name`
  if (!row) return undefined
  const { mediaType, size, name } = row
  return { id, name: unseal(await chatKeyToWrite(sql, sessionId), nameSealedAs(id), name), mediaType, size }
}

/** A file of a chat with its bytes; undefined if there is none, it has expired, or the chat was erased. */
export const readFile = async (
  sql: Queryable,
  { sessionId, id }: { sessionId: string; id: string },
): Promise<(ChatFile & { content: Buffer<ArrayBuffer> }) | undefined> => {
  const [row] = await sql<(FileRow & { bytes: Buffer })[]>`
    select media_type as "mediaType", size, name, bytes from chat_files where id = ${id} and session_id = ${sessionId}`
  if (!row) return undefined
  const key = (await keysForReading(sql, keysOf(sql), [sessionId])).get(sessionId)
  if (!key) return undefined
  const { mediaType, size, name, bytes } = row
  return {
    id,
    name: unseal(key, nameSealedAs(id), name),
    mediaType,
    size,
    content: unsealBytes(key, sealedAs(id), bytes),
  }
}

/** The files of some chats, oldest first, without their bytes. */
export const listFiles = async (
  sql: Queryable,
  sessionIds: readonly string[],
): Promise<(ChatFile & { sessionId: string; storedAt: Date })[]> => {
  const rows = await sql<(FileRow & { id: string; sessionId: string; storedAt: Date })[]>`
    select id, session_id as "sessionId", media_type as "mediaType", size, name, stored_at as "storedAt" from chat_files
    where session_id = any(${[...sessionIds]}::uuid[]) order by stored_at, id`
  const keys = await keysForReading(sql, keysOf(sql), [...new Set(rows.map(({ sessionId }) => sessionId))])
  return rows.flatMap(({ name, ...row }) => {
    const key = keys.get(row.sessionId)
    return key ? [{ ...row, name: unseal(key, nameSealedAs(row.id), name) }] : []
  })
}

/**
 * Deletes files that no message has named within ORPHAN_AFTER_MS, oldest first, at most REMOVE_BATCH_FILES. Returns how
 * many were deleted. Any number of workers may call it at once.
 */
export const removeOrphanFiles = async (sql: Queryable, { now }: { now: Date }): Promise<number> => {
  const before = new Date(now.getTime() - ORPHAN_AFTER_MS)
  const removed = await sql`
    delete from chat_files where id in (
      select id from chat_files where posted_at is null and stored_at < ${before}
      order by stored_at limit ${REMOVE_BATCH_FILES} for update skip locked)`
  return removed.count
}

/**
 * Deletes files of erased chats, up to REMOVE_BATCH_BYTES and at least one file. Returns whether none is left;
 * otherwise the caller calls it again, in another transaction.
 */
export const deleteErasedFiles = async (
  sql: Queryable,
  sessionIds: readonly string[],
  mostBytes = REMOVE_BATCH_BYTES,
): Promise<boolean> => {
  await sql`
    delete from chat_files where id in (
      select id from (
        select id, sum(size) over (order by session_id, id) - size as earlier
        from chat_files where session_id = any(${[...sessionIds]}::uuid[])
      ) f where earlier < ${mostBytes})`
  const [left] = await sql`select from chat_files where session_id = any(${[...sessionIds]}::uuid[]) limit 1`
  return left === undefined
}

/**
 * Deletes files of erased chats, up to REMOVE_BATCH_BYTES: while versions overlap, a worker without support for files
 * may be the one that erases a chat. One call reads SWEEP_BATCH_FILES files, in the order of their chats, from the chat
 * after `after`. Returns the chat to continue after; undefined when done.
 */
export const sweepErasedFiles = async (sql: Queryable, after?: string): Promise<string | undefined> => {
  const chats = await sql<{ id: string; isErased: boolean; isLast: boolean }[]>`
    select c.id, c.files < ${SWEEP_BATCH_FILES} as "isLast", exists (
      select from events e where e.stream = ${chatActivityStreams.prefix}::text || c.id and e.type = 'ChatErased'
    ) as "isErased"
    from (
      select session_id as id, sum(count(*)) over () as files from (
        select session_id from chat_files where ${after === undefined ? sql`true` : sql`session_id > ${after}`}
        order by session_id limit ${SWEEP_BATCH_FILES}
      ) f group by session_id
    ) c order by c.id`
  const erased = chats.filter(({ isErased }) => isErased).map(({ id }) => id)
  if (erased.length > 0 && !(await deleteErasedFiles(sql, erased))) return after
  const last = chats.at(-1)
  return last?.isLast ? undefined : last?.id
}

/**
 * The bytes that the files of one side take in all chats, and the used share of the room that it may fill: at 1 no more
 * of its files are accepted.
 */
export type HeldFiles = { party: Party; bytes: number; share: number }

/**
 * The storage that chats' files take, for each side. Reads some 100 bytes per file: the files' contents are stored
 * apart from their rows.
 */
export const readHeldFiles = async (sql: Queryable): Promise<HeldFiles[]> => {
  const rows = await sql<{ party: Party; files: number; bytes: number }[]>`
    select party, count(*) as files, sum(size) as bytes from chat_files group by party`
  const sumOf = (unit: 'files' | 'bytes') => rows.reduce((sum, row) => sum + row[unit], 0)
  const [files, bytes] = [sumOf('files'), sumOf('bytes')]
  return (Object.keys(ROOM) as Party[]).map((party) => {
    const room = ROOM[party]
    const own = rows.find((row) => row.party === party)
    return { party, bytes: own?.bytes ?? 0, share: Math.max(files / room.files, bytes / room.bytes) }
  })
}
