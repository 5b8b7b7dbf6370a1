import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../base/time.ts'
import { connect, inTransaction, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { messageEvent } from '../../testing/fixtures/samples.ts'
import { storeTestKey, TEST_KEYS } from '../../testing/keys.ts'
import { openTestLog, type TestLog } from '../../testing/log.ts'
import { chatActivityStreams, chatErased } from '../activity.ts'
import { messageStreams } from '../chat.ts'
import { deleteChatTraces, EXPIRE_BATCH_ROWS, expireChatTraces, PRESENCE_RETENTION_DAYS } from './chat-traces.ts'
import { MAX_STORED_PAGES, notePage } from './pages.ts'
import { noteReceipt } from './receipts.ts'

const { id: _, ...MESSAGE } = messageEvent('hello')

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: TestLog
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
  log = await openTestLog(database.url)
})

beforeEach(() => sql.unsafe('truncate chat_receipts, chat_pages'))

afterAll(async () => {
  await log.close()
  await sql.end()
  await database.drop()
})

/** A chat with both stored; `since` is the time of that, and `wroteAt` that of its last message. */
const chatOf = async (since: Date, wroteAt = since) => {
  const sessionId = randomUUID()
  for (let count = 0; count < 2; count += 1) await log.record(messageStreams.of(sessionId), MESSAGE, wroteAt)
  await noteReceipt(sql, sessionId, 'visitor', { delivered: 2, seen: 2 })
  await storeTestKey(sql, sessionId)
  await notePage(sql, { sessionId, pageUrl: '/' }, '/faq')
  await sql`update chat_receipts set noted_on = ${since} where session_id = ${sessionId}`
  await sql`update chat_pages set viewed_at = ${since} where session_id = ${sessionId}`
  return sessionId
}

const stored = async () => {
  const rows = await sql<{ id: string }[]>`
    select session_id as id from chat_receipts union all select session_id from chat_pages`
  return rows.map(({ id }) => id).sort()
}

test('only the data of chats that have been silent for long expires', async () => {
  const fresh = await chatOf(daysAgo(PRESENCE_RETENTION_DAYS - 2))
  const stillGoingOn = await chatOf(daysAgo(PRESENCE_RETENTION_DAYS + 30), daysAgo(1))
  await chatOf(daysAgo(PRESENCE_RETENTION_DAYS + 2))
  await chatOf(daysAgo(PRESENCE_RETENTION_DAYS + 400))
  expect(await expireChatTraces(sql, { now })).toBe(4)
  expect(await stored()).toEqual([fresh, fresh, stillGoingOn, stillGoingOn].sort())
  expect(await expireChatTraces(sql, { now })).toBe(0)
})

test('much expired data is deleted in batches by many workers', async () => {
  const rows = 2 * EXPIRE_BATCH_ROWS + 10
  await sql`
    insert into chat_receipts select gen_random_uuid(), 'admin', 1, 1, current_date - 200 from generate_series(1, ${rows}::integer)`
  await sql`
    insert into chat_pages select gen_random_uuid(), 1, 'x', now() - interval '200 days' from generate_series(1, ${rows}::integer)`
  expect(await expireChatTraces(sql, { now })).toBe(2 * EXPIRE_BATCH_ROWS)
  const counts = await Promise.all(Array.from({ length: 3 }, () => expireChatTraces(sql, { now })))
  const later = await expireChatTraces(sql, { now })
  expect(counts.reduce((sum, count) => sum + count, later)).toBe(2 * EXPIRE_BATCH_ROWS + 20)
  expect(await stored()).toEqual([])
})

test('all data of erased chats is deleted, and none of other chats', async () => {
  const [erased, alsoErased, other] = [await chatOf(now), await chatOf(now), await chatOf(now)]
  await inTransaction(sql, (tx) => deleteChatTraces(tx, [erased, alsoErased]))
  expect(await stored()).toEqual([other, other])
  await inTransaction(sql, (tx) => deleteChatTraces(tx, []))
  expect(await stored()).toEqual([other, other])
})

const erase = async (sessionId: string) => {
  await log.record(chatActivityStreams.of(sessionId), chatErased({ by: randomUUID() }), now)
  await inTransaction(sql, (tx) => deleteChatTraces(tx, [sessionId]))
}

const countPages = async (sessionId: string) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from chat_pages where session_id = ${sessionId}`
  return row?.count
}

test('an erasure waits for a page that is being stored, and deletes it too', async () => {
  const sessionId = await chatOf(now)
  let erasing: Promise<void> | undefined
  await inTransaction(sql, async (tx) => {
    expect(await notePage(tx, { sessionId, pageUrl: '/' }, '/pricing')).toMatchObject({ version: 2 })
    erasing = erase(sessionId)
    const waiting = () => sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
  })
  await erasing
  expect(await countPages(sessionId)).toBe(0)
})

test('a chat that is erased while its visitor changes pages leaves nothing', async () => {
  for (let round = 1; round <= 20; round += 1) {
    const sessionId = await chatOf(now)
    let isErased = false
    const browse = async (tab: number) => {
      for (let count = 1; !isErased && count < MAX_STORED_PAGES; count += 1) {
        await notePage(sql, { sessionId, pageUrl: '/' }, `/${tab}/${count}`)
      }
    }
    const erasing = erase(sessionId).finally(() => {
      isErased = true
    })
    await Promise.all([erasing, browse(1), browse(2)])
    expect(await countPages(sessionId)).toBe(0)
  }
})

test('a receipt stored again on the same day does not change the indexes', async () => {
  const sessionId = randomUUID()
  const updates = 20
  for (let count = 0; count <= updates; count += 1) await log.record(messageStreams.of(sessionId), MESSAGE, now)
  const one = connect(database.url, { max: 1, name: 'test' })
  const changes = await inTransaction(one, async (tx) => {
    for (let seen = 0; seen <= updates; seen += 1) {
      await noteReceipt(tx, sessionId, 'visitor', { delivered: seen + 1, seen })
    }
    return await tx`
      select n_tup_upd as updates, n_tup_hot_upd as "heapOnly" from pg_stat_xact_user_tables where relname = 'chat_receipts'`
  })
  await one.end()
  expect([...changes]).toEqual([{ updates, heapOnly: updates }])
})
