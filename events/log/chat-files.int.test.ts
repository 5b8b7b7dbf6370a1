import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Party } from '../chat-desk.ts'
import { MAX_FILE_BYTES, MAX_FILE_BYTES_IN_ALL, MAX_FILE_BYTES_OF_CHAT, MAX_FILES_OF_CHAT } from '../chat-file.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { storeTestKey, TEST_KEYS } from '../local/test-keys.ts'
import {
  claimFile,
  type FileRoom,
  ORPHAN_AFTER_MS,
  REMOVE_BATCH_FILES,
  readFile,
  removeOrphanFiles,
  storeFile,
} from './chat-files.ts'
import { expireChatPresence, forgetChatPresence, PRESENCE_KEPT_DAYS } from './chat-presence.ts'
import { connect, inTransaction, type Sql } from './connection.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
})

beforeEach(() => sql.unsafe('truncate chat_files'))

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const newChat = async () => {
  const sessionId = randomUUID()
  await storeTestKey(sql, sessionId)
  return sessionId
}

/** Stores a file; `size` is what it is said to be, so that the largest need not be sent. */
const store = async (
  sessionId: string,
  { size = 5, room, party = 'visitor' }: { size?: number; room?: FileRoom; party?: Party } = {},
) => {
  const file = { id: randomUUID(), name: 'Fotó.png', mediaType: 'image/png', size }
  const content = Buffer.from('bytes of it')
  return { ...file, outcome: await storeFile(sql, { sessionId, party, file, content }, room) }
}

const outcomesOf = async (stores: ReturnType<typeof store>[]) =>
  (await Promise.all(stores)).map(({ outcome }) => outcome).sort()

const countFiles = async () => (await sql`select from chat_files`).count

test('a file is read as it was stored, and from its own chat alone', async () => {
  const sessionId = await newChat()
  const { outcome, ...file } = await store(sessionId)
  expect(outcome).toBe('stored')
  expect(await readFile(sql, { sessionId, id: file.id })).toEqual({ ...file, content: Buffer.from('bytes of it') })
  expect(await readFile(sql, { sessionId: await newChat(), id: file.id })).toBeUndefined()
  expect(await claimFile(sql, { sessionId, party: 'admin', id: file.id })).toBeUndefined()
  expect(await claimFile(sql, { sessionId, party: 'visitor', id: file.id })).toEqual(file)
  const [row] = await sql<{ text: string }[]>`select f::text as text from chat_files f`
  for (const secret of ['Fotó.png', 'bytes of it']) expect(row?.text).not.toContain(Buffer.from(secret).toString('hex'))
})

test('a chat never holds more files or bytes than its limits, also when many come at once', async () => {
  const many = await newChat()
  const counted = await outcomesOf(Array.from({ length: MAX_FILES_OF_CHAT + 10 }, () => store(many)))
  expect(counted).toEqual([...Array(10).fill('chat_full'), ...Array(MAX_FILES_OF_CHAT).fill('stored')])
  const large = await newChat()
  const fitting = MAX_FILE_BYTES_OF_CHAT / MAX_FILE_BYTES
  const weighed = await outcomesOf(Array.from({ length: fitting + 3 }, () => store(large, { size: MAX_FILE_BYTES })))
  expect(weighed).toEqual([...Array(3).fill('chat_full'), ...Array(fitting).fill('stored')])
  expect((await store(large, { size: 1 })).outcome).toBe('chat_full')
})

test('all chats together never hold more files or bytes than their limits, also when many come at once', async () => {
  const chats = await Promise.all(Array.from({ length: 12 }, newChat))
  const storeIn = (room: FileRoom) => outcomesOf(chats.map((chat) => store(chat, { size: 10, room })))
  expect(await storeIn({ files: 5, bytes: 1_000 })).toEqual([...Array(7).fill('full'), ...Array(5).fill('stored')])
  await sql`truncate chat_files`
  expect(await storeIn({ files: 100, bytes: 49 })).toEqual([...Array(8).fill('full'), ...Array(4).fill('stored')])
})

test('visitors who have filled their room leave some to staff', async () => {
  const sessionId = await newChat()
  const filled = MAX_FILE_BYTES_IN_ALL * 0.8
  const rows = Math.ceil(filled / MAX_FILE_BYTES)
  await sql`
    insert into chat_files (id, session_id, party, media_type, size, name, bytes)
    select gen_random_uuid(), gen_random_uuid(), 'visitor', 'image/png', ${MAX_FILE_BYTES}, 'x', 'x'
    from generate_series(1, ${rows}::integer)`
  expect((await store(sessionId)).outcome).toBe('full')
  expect((await store(sessionId, { party: 'admin' })).outcome).toBe('stored')
})

test('a file that no message names goes after an hour, in batches to which many workers add up, and no other', async () => {
  const sessionId = await newChat()
  const posted = await store(sessionId)
  await claimFile(sql, { sessionId, party: 'visitor', id: posted.id })
  const orphan = await store(sessionId)
  const now = new Date()
  const later = new Date(now.getTime() + ORPHAN_AFTER_MS + 60_000)
  expect(await removeOrphanFiles(sql, { now })).toBe(0)
  expect(await removeOrphanFiles(sql, { now: later })).toBe(1)
  expect(await claimFile(sql, { sessionId, party: 'visitor', id: orphan.id })).toBeUndefined()
  const rows = 3 * REMOVE_BATCH_FILES + 5
  await sql`
    insert into chat_files (id, session_id, party, media_type, size, name, bytes)
    select gen_random_uuid(), gen_random_uuid(), 'visitor', 'image/png', 1, 'x', 'x' from generate_series(1, ${rows}::integer)`
  const gone = await Promise.all(Array.from({ length: 2 }, () => removeOrphanFiles(sql, { now: later })))
  expect(Math.max(...gone)).toBe(REMOVE_BATCH_FILES)
  let left = rows - gone.reduce((sum, count) => sum + count, 0)
  while (left > 0) left -= await removeOrphanFiles(sql, { now: later })
  expect(await countFiles()).toBe(1)
  expect(await readFile(sql, { sessionId, id: posted.id })).toBeDefined()
})

test('files go with their chat: when it has been silent for long, and when its person is erased', async () => {
  const [silent, erased, other] = [await newChat(), await newChat(), await newChat()]
  for (const sessionId of [silent, erased, other]) await store(sessionId)
  await sql`update chat_files set stored_at = ${new Date(Date.now() - (PRESENCE_KEPT_DAYS + 1) * DAY_MS)}
    where session_id = ${silent}`
  expect(await expireChatPresence(sql, { now: new Date() })).toBe(1)
  await inTransaction(sql, (tx) => forgetChatPresence(tx, [erased]))
  const rows = await sql<{ id: string }[]>`select session_id as id from chat_files`
  expect(rows.map(({ id }) => id)).toEqual([other])
})
