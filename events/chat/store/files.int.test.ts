import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../base/time.ts'
import { openAppender } from '../../log/append.ts'
import { connect, inTransaction, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { storeTestKey, TEST_KEYS } from '../../testing/keys.ts'
import { chatActivityStreams, chatErased } from '../activity.ts'
import {
  MAX_FILE_BYTES,
  MAX_FILE_BYTES_IN_ALL,
  MAX_FILE_BYTES_OF_CHAT,
  MAX_FILES_IN_ALL,
  MAX_FILES_OF_CHAT,
} from '../file.ts'
import type { Party } from '../parties.ts'
import { deleteChatTraces, expireChatTraces, PRESENCE_RETENTION_DAYS } from './chat-traces.ts'
import {
  claimFile,
  deleteErasedFiles,
  type FileRoom,
  ORPHAN_AFTER_MS,
  REMOVE_BATCH_BYTES,
  REMOVE_BATCH_FILES,
  readFile,
  readHeldFiles,
  removeOrphanFiles,
  SWEEP_BATCH_FILES,
  storeFile,
  sweepErasedFiles,
} from './files.ts'

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

/** Stores a file; `size` is its declared size, so that the largest need not be sent. */
const store = async (
  sessionId: string,
  { size = 5, room, party = 'visitor' }: { size?: number; room?: FileRoom; party?: Party } = {},
) => {
  const file = { id: randomUUID(), name: 'Fotó.png', mediaType: 'image/png', size }
  const content = Buffer.from('bytes of it')
  return { ...file, outcome: await storeFile(sql, { sessionId, party, file, content }, room) }
}

/** Files of a chat that are said to be of this size. */
const fill = (sessionId: string, { files, size }: { files: number; size: number }) => sql`
  insert into chat_files (id, session_id, party, media_type, size, name, bytes)
  select gen_random_uuid(), ${sessionId}, 'visitor', 'image/png', ${size}, 'x', 'x' from generate_series(1, ${files}::integer)`

const outcomesOf = async (stores: ReturnType<typeof store>[]) =>
  (await Promise.all(stores)).map(({ outcome }) => outcome).sort()

const countFiles = async () => (await sql`select from chat_files`).count

test('a file is read as it was stored, and only from its own chat', async () => {
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

test('visitors who have filled their room leave the rest to staff', async () => {
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

test('reports how much the files of each side take, and how full the room of each is', async () => {
  expect(await readHeldFiles(sql)).toEqual([
    { party: 'admin', bytes: 0, share: 0 },
    { party: 'visitor', bytes: 0, share: 0 },
  ])
  await fill(randomUUID(), { files: 512, size: MAX_FILE_BYTES })
  expect((await store(await newChat(), { party: 'admin', size: 10 })).outcome).toBe('stored')
  expect(await readHeldFiles(sql)).toEqual([
    { party: 'admin', bytes: 10, share: expect.closeTo(0.5, 6) },
    { party: 'visitor', bytes: MAX_FILE_BYTES_IN_ALL / 2, share: expect.closeTo(0.625, 6) },
  ])
  await sql`truncate chat_files`
  await fill(randomUUID(), { files: MAX_FILES_IN_ALL / 4, size: 1 })
  expect((await readHeldFiles(sql)).map(({ share }) => share)).toEqual([0.25, 0.3125])
})

test('only files that no message names are deleted after an hour, in batches by many workers', async () => {
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

test('files are deleted with their chat: after long silence, and when its person is erased', async () => {
  const [silent, erased, other] = [await newChat(), await newChat(), await newChat()]
  for (const sessionId of [silent, erased, other]) await store(sessionId)
  await sql`update chat_files set stored_at = ${new Date(Date.now() - (PRESENCE_RETENTION_DAYS + 1) * DAY_MS)}
    where session_id = ${silent}`
  expect(await expireChatTraces(sql, { now: new Date() })).toBe(1)
  expect(await inTransaction(sql, (tx) => deleteChatTraces(tx, [erased]))).toBe(true)
  const rows = await sql<{ id: string }[]>`select session_id as id from chat_files`
  expect(rows.map(({ id }) => id)).toEqual([other])
})

test('files of erased chats are deleted in steps of bounded size, with any pause between them', async () => {
  const [first, second, other] = [randomUUID(), randomUUID(), randomUUID()]
  for (const sessionId of [first, second, other]) await fill(sessionId, { files: 15, size: MAX_FILE_BYTES })
  const atOnce = REMOVE_BATCH_BYTES / MAX_FILE_BYTES
  expect(await inTransaction(sql, (tx) => deleteChatTraces(tx, [first, second]))).toBe(false)
  expect(await countFiles()).toBe(45 - atOnce)
  // a step that breaks off has done nothing
  const breakOff = inTransaction(sql, async (tx) => {
    await deleteChatTraces(tx, [first, second])
    throw new Error('broken off')
  })
  await expect(breakOff).rejects.toThrow('broken off')
  expect(await inTransaction(sql, (tx) => deleteChatTraces(tx, [first, second]))).toBe(true)
  expect(await countFiles()).toBe(15)
  expect(await deleteErasedFiles(sql, [other], 1)).toBe(false)
  expect(await countFiles()).toBe(14)
})

test('files that an older worker has left of an erased chat are found among any number, and no others are deleted', async () => {
  const appender = openAppender(database.runtimeUrl, { keys: TEST_KEYS })
  onTestFinished(() => appender.close())
  const erased = [randomUUID(), randomUUID()]
  for (const sessionId of erased) {
    await appender.append({
      stream: chatActivityStreams.of(sessionId),
      expectedVersion: 'any',
      events: [{ id: randomUUID(), ...chatErased({ by: randomUUID() }) }],
    })
    await fill(sessionId, { files: 3, size: 1 })
  }
  const others = Array.from({ length: 3 }, () => randomUUID())
  for (const sessionId of others) await fill(sessionId, { files: SWEEP_BATCH_FILES / 2 + 1, size: 1 })
  let looks = 0
  let after: string | undefined
  do {
    after = await sweepErasedFiles(sql, after)
    looks += 1
  } while (after !== undefined)
  expect(looks).toBeGreaterThan(1)
  const rows = await sql<{ id: string }[]>`select distinct session_id as id from chat_files order by 1`
  expect(rows.map(({ id }) => id)).toEqual(others.toSorted())
  expect(await countFiles()).toBe(3 * (SWEEP_BATCH_FILES / 2 + 1))
})
