import type { Party } from '../chat-desk.ts'
import { type ChatFile, MAX_FILE_BYTES_OF_CHAT, MAX_FILES_OF_CHAT } from '../chat-file.ts'
import { chatKeyToWrite, keysOf } from './chat-keys.ts'
import type { Queryable } from './decode.ts'
import { seal, unsealBytes } from './seal.ts'
import { keysForReading } from './subject-keys.ts'

/** A ciphertext opens as the file that it is, and no other. */
const sealedAs = (id: string) => `chat file ${id}`

/** What comes of a file: `full` where the chat holds as many files or bytes as it may. */
export type StoredFile = 'stored' | 'full' | 'erased'

/** Stores a file of a chat, encrypted by the key of the chat's visitor. Throws a LogError `erased` where that is gone. */
export const storeFile = async (
  sql: Queryable,
  { sessionId, party, file, content }: { sessionId: string; party: Party; file: ChatFile; content: Buffer },
): Promise<StoredFile> => {
  const { id, mediaType, size } = file
  const sealed = seal(await chatKeyToWrite(sql, sessionId), sealedAs(id), content)
  const [stored] = await sql<{ outcome: StoredFile }[]>`
    select store_chat_file(${id}, ${sessionId}, ${party}, ${mediaType}, ${size}, ${sealed},
      ${MAX_FILES_OF_CHAT}, ${MAX_FILE_BYTES_OF_CHAT}) as outcome`
  if (!stored) throw new Error('Postgres answered no row')
  return stored.outcome
}

/** A file that a side of a chat has stored there, without its bytes; undefined where there is none. */
export const findFile = async (
  sql: Queryable,
  { sessionId, party, id }: { sessionId: string; party: Party; id: string },
): Promise<ChatFile | undefined> => {
  const [file] = await sql<ChatFile[]>`
    select id, media_type as "mediaType", size from chat_files
    where id = ${id} and session_id = ${sessionId} and party = ${party}`
  return file && { ...file }
}

/** A file of a chat; undefined where there is none, it has expired, or the chat was erased. */
export const readFile = async (
  sql: Queryable,
  sessionId: string,
  id: string,
): Promise<{ mediaType: string; content: Buffer } | undefined> => {
  const [file] = await sql<{ mediaType: string; bytes: Buffer }[]>`
    select media_type as "mediaType", bytes from chat_files where id = ${id} and session_id = ${sessionId}`
  if (!file) return undefined
  const key = (await keysForReading(sql, keysOf(sql), [sessionId])).get(sessionId)
  return key ? { mediaType: file.mediaType, content: unsealBytes(key, sealedAs(id), file.bytes) } : undefined
}
