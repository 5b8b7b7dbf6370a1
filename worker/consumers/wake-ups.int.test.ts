import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { CONSUMERS } from '../../events/consumers/registry.ts'
import { openWaker, openWorkQueue, wakeConsumers } from '../../events/consumers/wake-ups.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { Consumer, type Consuming } from './consumer.ts'
import { EXIT_AFTER_MS } from './consumer-retry.ts'
import { type Sweep, WorkLoop } from './work-loop.ts'

/** Timers fire up to a millisecond early, and count whole milliseconds. */
const TIMER_PRECISION_MS = 2

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let failFast: RedisClient
let patient: RedisClient
let queue: Queue
let prefix: string
let stopping: AbortController
const workers = new Set<WorkLoop>()

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const redisUrl = await testRedisUrl()
  failFast = connectRedis(redisUrl, { maxRetriesPerRequest: 1 })
  patient = connectRedis(redisUrl, { maxRetriesPerRequest: null })
})

beforeEach(() => {
  prefix = `{${randomUUID()}}:`
  stopping = new AbortController()
  queue = openWorkQueue(failFast, { prefix, onError: () => {} })
})

afterEach(async () => {
  stopping.abort()
  await Promise.all([...workers].map((worker) => worker.stop()))
  workers.clear()
  await queue.close()
})

afterAll(async () => {
  failFast.disconnect()
  patient.disconnect()
  await sql.end()
  await database.drop()
})

const consuming = (): Consuming => ({
  sql,
  logger: pino({ level: 'silent' }),
  signal: stopping.signal,
  exitAfterMs: EXIT_AFTER_MS,
  areStoresUp: async () => true,
  exit: () => {},
})

/** The consumers of a worker: one runs `step`, the others have nothing to do. */
const openConsumers = (step: () => Promise<void>, name: string = leadsProjection.name) =>
  CONSUMERS.map(
    (key) =>
      new Consumer(consuming(), key, async () => {
        if (key.name === name) await step()
        return 'done'
      }),
  )
const startWorker = (consumers: readonly Consumer[], sweeps: readonly Sweep[] = []) => {
  const work = { sql, logger: pino({ level: 'silent' }), consumers, sweeps, queue }
  workers.add(new WorkLoop(work, patient, { prefix, onError: () => {} }))
}
/** Records the calls by which consumers are woken. */
const recordCalls = () => {
  const calls: { begun: number; ended: number }[] = []
  const addBulk = queue.addBulk.bind(queue)
  queue.addBulk = async (jobs) => {
    const begun = performance.now()
    const added = await addBulk(jobs)
    calls.push({ begun, ended: performance.now() })
    return added
  }
  return calls
}
const waitingFor = async (name: string) => (await queue.getJobs(['waiting'])).filter((job) => job?.name === name).length

test('a wake-up during a step leads to one more, however many come, in one of two workers', async () => {
  const steps: PromiseWithResolvers<void>[] = []
  let atWork = 0
  let most = 0
  const step = async () => {
    atWork += 1
    most = Math.max(most, atWork)
    const own = Promise.withResolvers<void>()
    steps.push(own)
    await own.promise
    atWork -= 1
  }
  startWorker(openConsumers(step))
  startWorker(openConsumers(step))
  const calls = recordCalls()
  const waker = openWaker(queue)
  waker.wake(['LeadSubmitted'])
  await eventually(() => expect(steps).toHaveLength(1))
  for (let count = 0; count < 50; count += 1) waker.wake(['LeadSubmitted'])
  await eventually(() => expect(calls.length).toBeGreaterThan(1))
  await wakeConsumers(queue, CONSUMERS)
  await wakeConsumers(queue, CONSUMERS)
  expect(await waitingFor('leads')).toBe(0)
  steps[0]?.resolve()
  await eventually(() => expect(steps).toHaveLength(2))
  steps[1]?.resolve()
  await eventually(async () => expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 0, waiting: 0 }))
  expect(steps).toHaveLength(2)
  expect(most).toBe(1)
})

test('each consumer has a name of its own, by which it is woken', () => {
  const names = CONSUMERS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('a wake-up wakes only the consumers that handle its types, and later ones go in one call', async () => {
  const waker = openWaker(queue)
  waker.wake(['LeadSubmitted'])
  waker.wake(['ChatErased', 'NoTypeOfOurs'])
  waker.wake(['ChatErased'])
  await eventually(async () => {
    const names = (await queue.getJobs(['waiting'])).map(({ name }) => name)
    expect([...new Set(names)].sort()).toEqual([
      'chats',
      'contracts',
      'dispatch',
      'key-eraser',
      'leads',
      'overview',
      'signed-copies',
      'visitor-copies',
      'webhooks',
    ])
    expect(names).toHaveLength(9)
  })
})

test('a consumer that wants a pause is woken at once, then once for all wake-ups during the pause', async () => {
  const { name, wakeEveryMs = 0 } = chatsProjection
  expect(wakeEveryMs).toBeGreaterThan(0)
  let steps = 0
  const consumers = openConsumers(async () => {
    steps += 1
  }, name)
  startWorker(consumers)
  const waker = openWaker(queue)
  const begun = performance.now()
  while (performance.now() - begun < 5 * wakeEveryMs || steps < 2) {
    waker.wake(['ChatMessagePosted'])
    await nextTurn()
  }
  const wakes = (performance.now() - begun) / wakeEveryMs
  expect(steps).toBeLessThanOrEqual(1 + wakes)
  const before = steps
  waker.wake(['ChatMessagePosted'])
  await eventually(() => expect(steps).toBeGreaterThan(before))
})

test('between two calls a node rests nine times as long as the first one took, at most 8 ms', async () => {
  const calls = recordCalls()
  const waker = openWaker(queue)
  while (calls.length < 10) {
    waker.wake(['LeadErased'])
    await nextTurn()
  }
  for (const [index, { begun, ended }] of calls.slice(0, -1).entries()) {
    const restMs = (calls[index + 1]?.begun ?? Number.NaN) - ended
    expect(restMs).toBeGreaterThan(Math.min(9 * (ended - begun), 8) - TIMER_PRECISION_MS)
  }
})

test('the schedules of sweeps are spread over a second', async () => {
  const sweeps = ['one', 'two', 'three', 'four'].map((name) => ({ name, everyMs: 60_000, run: async () => {} }))
  startWorker([], sweeps)
  const schedules = await eventually(async () => {
    const made = await queue.getJobSchedulers()
    expect(made).toHaveLength(sweeps.length)
    return made
  })
  const parts = schedules.map(({ next = 0 }) => next % 1_000).sort((one, other) => one - other)
  const distances = parts.map((part, index) => (parts[index + 1] ?? (parts[0] ?? 0) + 1_000) - part)
  expect(distances).toEqual([250, 250, 250, 250])
})

test('a step that fails is retried by its job, and Redis stores none of its words', async () => {
  let isFailing = true
  let successes = 0
  startWorker(
    openConsumers(async () => {
      if (isFailing) throw Object.assign(new Error('no place for ana@private.example'), { code: '23505' })
      successes += 1
    }),
  )
  openWaker(queue).wake(['LeadSubmitted'])
  const failed = await eventually(async () => {
    const job = (await queue.getJobs(['delayed'])).find((each) => each?.name === 'leads')
    expect(job?.attemptsMade).toBeGreaterThan(1)
    return job
  })
  expect(failed?.failedReason).toBe('Error 23505')
  expect(JSON.stringify(failed)).not.toContain('private')
  isFailing = false
  await eventually(() => expect(successes).toBeGreaterThan(0))
})

test('a wake-up of another version of a view is dropped', async () => {
  let steps = 0
  startWorker(
    openConsumers(async () => {
      steps += 1
    }),
  )
  await wakeConsumers(queue, [{ name: 'leads', version: leadsProjection.version + 1 }])
  await eventually(async () => expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 0, waiting: 0 }))
  expect(steps).toBe(0)
})
