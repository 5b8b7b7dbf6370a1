import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { advanceCheckpoint, prepareCheckpoint, readCheckpoint } from '../../events/log/checkpoints.ts'
import { readConsumers } from '../../events/log/consumer-lag.ts'
import { LogIntegrityError } from '../../events/log/read.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase } from '../../events/testing/database.ts'
import { postMessage } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { Consumer, type Consuming, type Step, type StepOutcome } from './consumer.ts'

const KEY = { name: 'reader', version: 3 }
const PATIENCE_MS = 400

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender
let stopping: AbortController
let driving: Promise<void>

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS })
  await prepareCheckpoint(sql, KEY, { isFilled: true })
})

beforeEach(async () => {
  await sql.unsafe('truncate events; delete from checkpoint_positions')
  stopping = new AbortController()
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const consumingWith = (isUp: () => boolean, lines: string[]): Consuming => ({
  sql,
  logger: pino({ level: 'silent' }),
  signal: stopping.signal,
  exitAfterMs: PATIENCE_MS,
  areStoresUp: async () => isUp(),
  exit: (line: string) => lines.push(line),
})

/** Opens a consumer, and has it read and look repeatedly, as a worker does. */
const drive = (consuming: Consuming, step: Step) => {
  const consumer = new Consumer(consuming, KEY, step)
  const { signal } = stopping
  const goOn = async (work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch(() => {})
      await delay(5)
    }
  }
  driving = Promise.all([goOn(() => consumer.read()), goOn(() => consumer.look())]).then(() => {})
}
const stop = async () => {
  stopping.abort()
  await driving
}

/** Runs a consumer that fails while `isFailing`. */
const start = (error: Error, { isUp = () => true }: { isUp?: () => boolean } = {}) => {
  const state = { isFailing: true, failures: 0, successes: 0 }
  const lines: string[] = []
  drive(consumingWith(isUp, lines), async () => {
    if (state.isFailing) {
      state.failures += 1
      throw error
    }
    state.successes += 1
    return 'done'
  })
  return { state, lines }
}
const append = () => appender.append(postMessage(randomUUID(), 'x'))
const noted = async () => (await readConsumers(sql)).consumers[0]?.haltReason

test('a consumer that cannot continue while the log has events for it gives up, with the reason in one line', async () => {
  await append()
  const { lines } = start(new LogIntegrityError('The log has no event 1: 2 comes next'))
  await eventually(() => expect(lines.length).toBeGreaterThan(0))
  await stop()
  expect(lines[0]).toMatch(
    /^reader \(version 3\) has not come past position 0 of the log for \d+\.\d minutes: The log has no event 1: 2 comes next; version 3 of reader waits here for a worker that keeps this version and gets past it$/,
  )
  expect(await noted()).toContain('The log has no event 1')
})

test('a failure that quotes a person is reported only by its code', async () => {
  await append()
  const error = Object.assign(new Error('invalid input: "ana@private.example"'), {
    name: 'PostgresError',
    code: '22P02',
  })
  const { lines } = start(error)
  await eventually(() => expect(lines.length).toBeGreaterThan(0))
  await stop()
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
  await stop()
  expect(lines).toEqual([])
})

/** Runs a consumer whose step never ends by itself, and may report progress. */
const startHanging = ({ isUp = () => true }: { isUp?: () => boolean } = {}) => {
  const lines: string[] = []
  const step = { onProgress: () => {} }
  drive(consumingWith(isUp, lines), async (signal, onAlive) => {
    step.onProgress = onAlive
    await once(signal, 'abort')
    return 'done'
  })
  return { lines, step }
}

test('a consumer whose step never ends while the log has events for it gives up once, with a line', async () => {
  await append()
  const { lines } = startHanging()
  await eventually(() => expect(lines.length).toBeGreaterThan(0))
  await stop()
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
  await stop()
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
  await stop()
  expect(lines).toEqual([])
})

test('a consumer that another worker has moved forward does not give up', async () => {
  await append()
  const lines: string[] = []
  const consumer = new Consumer(
    consumingWith(() => true, lines),
    KEY,
    () => Promise.reject(new Error('not this code')),
  )
  await expect(consumer.read()).rejects.toThrow()
  await delay(PATIENCE_MS)
  const checkpoint = await readCheckpoint(sql, KEY)
  if (!checkpoint) throw new Error('There is no checkpoint')
  await advanceCheckpoint(sql, KEY, { from: checkpoint, to: checkpoint.head })
  await append()
  await expect(consumer.read()).rejects.toThrow()
  expect(lines).toEqual([])
  await eventually(async () => {
    await consumer.read().catch(() => {})
    expect(lines).toHaveLength(1)
  })
})

test('calls read one after the other, and each begins after the one before has ended', async () => {
  const begun: PromiseWithResolvers<void>[] = []
  const consumer = new Consumer(
    consumingWith(() => true, []),
    KEY,
    async () => {
      const step = Promise.withResolvers<void>()
      begun.push(step)
      await step.promise
      return 'done'
    },
  )
  const reads = [consumer.read(), consumer.read(), consumer.read()]
  for (const count of [1, 2, 3]) {
    await eventually(() => expect(begun).toHaveLength(count))
    expect(consumer.isBusy).toBe(true)
    begun[count - 1]?.resolve()
  }
  await Promise.all(reads)
  expect(consumer.isBusy).toBe(false)
})

test('a consumer steps as long as there is more, and not after a stop', async () => {
  let steps = 0
  const consumer = new Consumer(
    consumingWith(() => true, []),
    KEY,
    async () => {
      steps += 1
      if (steps === 100) stopping.abort()
      return 'more'
    },
  )
  await consumer.read()
  expect(steps).toBe(100)
  await consumer.read()
  expect(steps).toBe(100)
})

test('a step that a stop breaks off is no failure', async () => {
  const logged: unknown[] = []
  const logger = pino({ level: 'error' }, { write: (line) => logged.push(line) })
  const consumer = new Consumer({ ...consumingWith(() => true, []), logger }, KEY, async (signal) => {
    await once(signal, 'abort')
    throw new Error('broken off')
  })
  const reading = consumer.read()
  stopping.abort()
  await expect(reading).rejects.toThrow()
  expect(logged).toEqual([])
})

test('a failed consumer rests before the next attempt, and a step that waits for others is no success', async () => {
  await append()
  let outcome: StepOutcome | Error = new Error('it fails')
  const lines: string[] = []
  const consumer = new Consumer(
    consumingWith(() => true, lines),
    KEY,
    async () => {
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  )
  const begin = performance.now()
  await eventually(async () => {
    outcome = new Error('it fails')
    await consumer.read().catch(() => {})
    outcome = 'blocked'
    await consumer.read()
    expect(lines).toHaveLength(1)
  })
  expect(performance.now() - begin).toBeGreaterThan(PATIENCE_MS)
  expect(consumer.isBusy).toBe(true)
  outcome = 'done'
  await consumer.read()
  expect(consumer.isBusy).toBe(false)
})
