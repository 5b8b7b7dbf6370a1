import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../testing/fault-proxy.ts'
import { messageEvent, postMessage } from '../testing/fixtures/samples.ts'
import { countWaitingAppends, holdHead } from '../testing/head-lock.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { type Appender, openAppender } from './append.ts'
import { readHead, readStream } from './read.ts'

/** The deadline of an append, one try at a batch beyond it, and room for a busy machine. */
const ANSWERED_WITHIN_MS = 10_000 + 4_000 + 8_000
const WAIT = { timeout: 30_000, interval: 5 }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let proxy: FaultProxy
let appender: Appender
/** Releases the head's lock if a test holds it. */
let release = async () => {}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 3, name: 'test', keys: TEST_KEYS })
})

beforeEach(async () => {
  proxy = await openFaultProxy(database.url)
  appender = openAppender(proxy.url, { keys: TEST_KEYS })
  await appender.append(postMessage(randomUUID(), 'connected'))
})

afterEach(async () => {
  await release()
  await proxy.resume()
  await appender.close()
  await proxy.close()
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const appendsWaitInPostgres = (count: number) =>
  vi.waitFor(async () => expect(await countWaitingAppends(sql)).toBe(count), WAIT)

const copiesOf = (id: string) => sql`select position, version from events where id = ${id}`

test('an answer that is lost after the commit is fetched by a retry, and the event is stored once', async () => {
  release = await holdHead(sql)
  const { position } = await readHead(sql)
  const id = randomUUID()
  const appended = appender.append(postMessage(randomUUID(), 'once', { id }))
  await appendsWaitInPostgres(1)
  proxy.stall()
  await release()
  await vi.waitFor(async () => expect(await readHead(sql)).toMatchObject({ position: position + 1 }), WAIT)
  proxy.cut()
  await proxy.resume()
  expect(await appended).toMatchObject({ isDuplicate: true, events: [{ id, position: position + 1, version: 1 }] })
  expect(await copiesOf(id)).toEqual([{ position: position + 1, version: 1 }])
})

test('a connection that is cut while its batch waits for the lock leaves each event stored once', async () => {
  release = await holdHead(sql)
  const session = randomUUID()
  const ids = Array.from({ length: 20 }, () => randomUUID())
  const appends = Promise.all(ids.map((id) => appender.append(postMessage(session, 'once', { id }))))
  await appendsWaitInPostgres(1)
  proxy.cut()
  // the first attempt is still in Postgres, and will commit although its caller gets no response
  await appendsWaitInPostgres(2)
  await release()
  const appended = await appends
  expect(appended.map(({ events }) => events[0]?.version)).toEqual(ids.map((_, index) => index + 1))
  const stored = await readStream(sql, `chat-messages-${session}`)
  expect(stored.map(({ id, position }) => ({ id, position }))).toEqual(
    appended.map(({ events }) => ({ id: events[0]?.id, position: events[0]?.position })),
  )
})

test('appends that find Postgres away wait for its return', async () => {
  await proxy.refuse()
  const append = appender.append(postMessage(randomUUID(), 'patient'))
  let isSettled = false
  append.finally(() => {
    isSettled = true
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isSettled).toBe(false)
  await proxy.resume()
  expect(await append).toMatchObject({ isDuplicate: false })
})

test('while Postgres is stalled appends fail by their deadline, and once it responds later ones work', async () => {
  proxy.stall()
  const start = performance.now()
  const id = randomUUID()
  const session = randomUUID()
  // several batches: the later ones must not wait for the tries of all before them
  const appends = await Promise.allSettled([
    appender.append(postMessage(session, 'stalled', { id })),
    ...Array.from({ length: 1_000 }, () => appender.append(postMessage(session, 'stalled too'))),
  ])
  const took = performance.now() - start
  expect(appends.filter((result) => result.status === 'fulfilled')).toEqual([])
  for (const result of appends) expect(result).toMatchObject({ reason: { code: 'log_unavailable' } })
  expect(took).toBeGreaterThan(9_900)
  expect(took).toBeLessThan(ANSWERED_WITHIN_MS)
  expect(appender.queued).toBe(0)

  await proxy.resume()
  expect(await appender.append(postMessage(randomUUID(), 'later'))).toMatchObject({ isDuplicate: false })
  await appender.append(postMessage(session, 'stalled', { id }))
  expect(await copiesOf(id)).toHaveLength(1)
})

test('a queue of 10,000 requests is full: the next is refused, and all that wait are stored', async () => {
  release = await holdHead(sql)
  const { position } = await readHead(sql)
  const session = randomUUID()
  const appends = Array.from({ length: 10_000 }, () => appender.append(postMessage(session, 'x')))
  await expect(appender.append(postMessage(session, 'too many'))).rejects.toMatchObject({
    code: 'log_full',
    message: 'Too much is waiting to be stored (at most 10000 requests)',
  })
  expect(appender.queued).toBe(10_000)
  await release()
  await Promise.all(appends)
  expect(await readHead(sql)).toMatchObject({ position: position + 10_000 })
  expect(await appender.append(postMessage(session, 'room again'))).toMatchObject({ isDuplicate: false })
})

test('a queue of 64 MiB, a third of it for the encryption, is full, however few its requests', async () => {
  release = await holdHead(sql)
  const stream = `chat-messages-${randomUUID()}`
  const large = () =>
    appender.append({ stream, expectedVersion: 'any', events: [messageEvent('x'.repeat(6 * 1024 * 1024 - 1_000))] })
  const appends = Array.from({ length: 8 }, large)
  await expect(large()).rejects.toMatchObject({ code: 'log_full' })
  await release()
  // a slow disk may take longer for them than a request waits
  await Promise.allSettled(appends)
  expect(appender.queued).toBe(0)
})
