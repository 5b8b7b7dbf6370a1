import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { openFaultProxy } from '../testing/fault-proxy.ts'
import { countWaitingAppends, holdHead } from '../testing/head-lock.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { numberedRequest } from '../testing/numbered-requests.ts'
import { type Appender, openAppender } from './append.ts'
import { readHead, readLog } from './read.ts'

const WRITER = fileURLToPath(new URL('../testing/mortal-writer.cli.ts', import.meta.url))
/**
 * The number of events after which a writer that is to die at work gets killed: it would continue for twenty times as
 * long.
 */
const ENOUGH_EVENTS = 600
const WAIT = { timeout: 30_000, interval: 5 }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender
/** Releases the head's lock if a test holds it. */
let release = async () => {}
let children: ChildProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 3, name: 'test', keys: TEST_KEYS })
})

beforeEach(() => {
  appender = openAppender(database.url, { keys: TEST_KEYS })
})

afterEach(async () => {
  await release()
  for (const child of children) child.kill('SIGKILL')
  children = []
  await appender.close()
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const startWriter = (url: string, name: string, { callers, requests }: { callers: number; requests: number }) => {
  const child = fork(WRITER, [url, name, String(callers), String(requests)])
  children.push(child)
  const exited = once(child, 'exit')
  const acknowledged = new Map<string, number>()
  const enough = Promise.withResolvers<void>()
  child.on('message', (places) => {
    for (const [id, position] of places as [string, number][]) acknowledged.set(id, position)
    if (acknowledged.size >= ENOUGH_EVENTS) enough.resolve()
  })
  return {
    acknowledged,
    hasWrittenEnough: () => Promise.race([enough.promise, exited]),
    kill: async () => {
      child.kill('SIGKILL')
      expect(await exited).toEqual([null, 'SIGKILL'])
    },
  }
}

const appendsWaitInPostgres = (count: number) =>
  vi.waitFor(async () => expect(await countWaitingAppends(sql)).toBe(count), WAIT)

const storedPositions = async (from: number) =>
  new Map((await readLog(sql, from, 100_000)).map(({ id, position }) => [id, position]))

test('the retry of a writer that died between its commit and the response finds its events', async () => {
  const { position } = await readHead(sql)
  const proxy = await openFaultProxy(database.url)
  release = await holdHead(sql)
  const writer = startWriter(proxy.url, 'unheard', { callers: 1, requests: 1 })
  await appendsWaitInPostgres(1)
  proxy.stall()
  await release()
  await vi.waitFor(async () => expect(await readHead(sql)).toMatchObject({ position: position + 2 }), WAIT)
  await writer.kill()
  await proxy.close()
  expect(writer.acknowledged.size).toBe(0)

  const request = numberedRequest('unheard-0', 0)
  expect(await appender.append(request)).toMatchObject({
    isDuplicate: true,
    events: request.events.map(({ id }, index) => ({ id, position: position + 1 + index, version: 1 + index })),
  })
  expect(await readHead(sql)).toMatchObject({ position: position + 2 })
})

test('a retry that overtakes the commit of a dead writer waits for it, and each event is stored once', async () => {
  const { position } = await readHead(sql)
  release = await holdHead(sql)
  const writer = startWriter(database.url, 'overtaken', { callers: 1, requests: 1 })
  await appendsWaitInPostgres(1)
  await writer.kill()
  // Postgres does not notice: the dead writer's call still waits for the lock
  const retry = appender.append(numberedRequest('overtaken-0', 0))
  await appendsWaitInPostgres(2)
  await release()
  const { events } = await retry
  expect(events.map((event) => event.position)).toEqual([position + 1, position + 2])
  await appendsWaitInPostgres(0)
  const again = await appender.append(numberedRequest('overtaken-0', 0))
  expect(again).toEqual({ isDuplicate: true, events })
  expect((await storedPositions(position)).size).toBe(2)
})

test('kill -9 while batches run: after a retry of all requests each event is stored once, at its acknowledged position', async () => {
  const load = { callers: 16, requests: 400 }
  for (const round of ['first', 'second', 'third']) {
    const { position } = await readHead(sql)
    const writer = startWriter(database.url, round, load)
    await writer.hasWrittenEnough()
    await writer.kill()

    const requests = Array.from({ length: load.callers }, (_, caller) =>
      Array.from({ length: load.requests }, (_, number) => numberedRequest(`${round}-${caller}`, number)),
    ).flat()
    const answers = await Promise.all(requests.map((request) => appender.append(request)))
    const stored = await storedPositions(position)
    expect(stored.size).toBe(load.callers * load.requests * 2)
    for (const { events } of answers) for (const { id, position: said } of events) expect(stored.get(id)).toBe(said)
    const known = new Set(
      answers.filter(({ isDuplicate }) => isDuplicate).flatMap(({ events }) => events.map(({ id }) => id)),
    )
    for (const [id, said] of writer.acknowledged) {
      expect(known.has(id)).toBe(true)
      expect(stored.get(id)).toBe(said)
    }
  }
})
