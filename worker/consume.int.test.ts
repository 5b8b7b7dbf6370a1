import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postMessage } from '../events/fixtures/samples.ts'
import { createTestDatabase, testRedisUrl } from '../events/local/test-database.ts'
import { TEST_KEYS } from '../events/local/test-keys.ts'
import { eventually } from '../events/local/test-node.ts'
import { type Appender, openAppender } from '../events/log/append.ts'
import { type Bus, openBus } from '../events/log/bus.ts'
import { prepareCheckpoint } from '../events/log/checkpoints.ts'
import { connect, type Sql } from '../events/log/connection.ts'
import { readConsumers } from '../events/log/consumers.ts'
import type { Follower } from '../events/log/follow.ts'
import { LogIntegrityError } from '../events/log/read.ts'
import { consume } from './consume.ts'

const READER = { name: 'reader', version: 3 }
const PATIENCE_MS = 400

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender
let bus: Bus
let follower: Follower

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS })
  bus = openBus(await testRedisUrl(), { prefix: `{${randomUUID()}}:`, onError: () => {} })
  await prepareCheckpoint(sql, READER, { isFilled: true })
})

beforeEach(async () => {
  await sql.unsafe('truncate events')
})

afterAll(async () => {
  bus.close()
  await appender.close()
  await sql.end()
  await database.drop()
})

const consumingWith = (isUp: () => boolean, lines: string[]) => ({
  sql,
  bus,
  logger: pino({ level: 'silent' }),
  patienceMs: PATIENCE_MS,
  areStoresUp: async () => isUp(),
  giveUp: (line: string) => lines.push(line),
})

/** Runs a consumer that fails as long as it is told to. */
const start = (error: Error, { isUp = () => true }: { isUp?: () => boolean } = {}) => {
  const state = { isFailing: true, failures: 0, successes: 0 }
  const lines: string[] = []
  follower = consume(consumingWith(isUp, lines), READER, async () => {
    if (state.isFailing) {
      state.failures += 1
      throw error
    }
    state.successes += 1
    return false
  })
  return { state, lines }
}
const append = () => appender.append(postMessage(randomUUID(), 'x'))
const noted = async () => (await readConsumers(sql)).consumers[0]?.haltReason

test('a consumer that cannot go on while the log has something for it gives up, in one line that says why', async () => {
  await append()
  const { lines } = start(new LogIntegrityError('The log has no event 1: 2 comes next'))
  await eventually(() => expect(lines.length).toBeGreaterThan(0))
  await follower.stop()
  expect(lines[0]).toMatch(
    /^reader \(version 3\) has not come past position 0 of the log for \d+\.\d minutes: The log has no event 1: 2 comes next; version 3 of reader waits here for a worker that keeps this version and gets past it$/,
  )
  expect(await noted()).toContain('The log has no event 1')
})

test('a failure that quotes somebody is told by its code alone', async () => {
  await append()
  const error = Object.assign(new Error('invalid input: "ana@private.example"'), {
    name: 'PostgresError',
    code: '22P02',
  })
  const { lines } = start(error)
  await eventually(() => expect(lines.length).toBeGreaterThan(0))
  await follower.stop()
  expect(lines[0]).toMatch(/: PostgresError 22P02$/)
})

test.each([
  ['while Postgres or Redis is away', () => false, true],
  ['while the log has nothing for it', () => true, false],
])('a consumer does not give up %s', async (_, isUp, hasEvents) => {
  if (hasEvents) await append()
  let asked = 0
  const { state, lines } = start(new Error('no connection'), {
    isUp: () => {
      asked += 1
      return isUp()
    },
  })
  await eventually(() => expect(asked).toBeGreaterThan(1))
  state.isFailing = false
  await eventually(() => expect(state.successes).toBeGreaterThan(0))
  await follower.stop()
  expect(lines).toEqual([])
})

/** Runs a consumer whose step never ends by itself, and may report progress. */
const startHanging = ({ isUp = () => true }: { isUp?: () => boolean } = {}) => {
  const lines: string[] = []
  const step = { onProgress: () => {} }
  follower = consume(consumingWith(isUp, lines), READER, async (signal, onProgress) => {
    step.onProgress = onProgress
    await once(signal, 'abort')
    return false
  })
  return { lines, step }
}

test('a consumer whose step never ends while the log has something for it gives up once, and says so', async () => {
  await append()
  const { lines } = startHanging()
  await eventually(() => expect(lines.length).toBeGreaterThan(0))
  await follower.stop()
  expect(lines).toEqual([
    expect.stringMatching(
      /^reader \(version 3\) has not come past position 0 of the log for \d+\.\d minutes: its step hangs$/,
    ),
  ])
})

test('a step that reports progress does not hang, however long it takes', async () => {
  await append()
  const { lines, step } = startHanging()
  const begin = performance.now()
  await eventually(() => {
    step.onProgress()
    expect(performance.now() - begin).toBeGreaterThan(3 * PATIENCE_MS)
  })
  expect(lines).toEqual([])
  await eventually(() => expect(lines).toHaveLength(1))
  await follower.stop()
})

test.each([
  ['while Postgres or Redis is away', false, true],
  ['while the log has nothing for it', true, false],
])('a step may hang %s', async (_, isUp, hasEvents) => {
  if (hasEvents) await append()
  let asked = 0
  const { lines } = startHanging({
    isUp: () => {
      asked += 1
      return isUp
    },
  })
  await eventually(() => expect(asked).toBeGreaterThan(1))
  await follower.stop()
  expect(lines).toEqual([])
})
