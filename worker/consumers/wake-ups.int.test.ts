import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { CONSUMERS } from '../../events/readers/registry.ts'
import { openWaker, openWorkQueue, wakeConsumers } from '../../events/readers/wake-ups.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { Consumer, type Consuming } from './consumer.ts'
import { EXIT_AFTER_MS } from './retry-policy.ts'
import { WorkLoop } from './work-loop.ts'

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
const startWorker = (consumers: readonly Consumer[]) => {
  const work = { sql, logger: pino({ level: 'silent' }), consumers, sweeps: [], queue }
  workers.add(new WorkLoop(work, patient, { prefix, onError: () => {} }))
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
  const waker = openWaker(queue)
  waker.wake(['LeadSubmitted'])
  await eventually(() => expect(steps).toHaveLength(1))
  for (let count = 0; count < 50; count += 1) waker.wake(['LeadSubmitted'])
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

test('a wake-up wakes only the consumers that handle its types, and later ones go in one call', async () => {
  const waker = openWaker(queue)
  waker.wake(['LeadSubmitted'])
  waker.wake(['ChatErased', 'NoTypeOfOurs'])
  waker.wake(['ChatErased'])
  await eventually(async () => {
    const names = (await queue.getJobs(['waiting'])).map(({ name }) => name)
    expect([...new Set(names)].sort()).toEqual([
      'chats',
      'copies',
      'dispatch',
      'key-eraser',
      'leads',
      'overview',
      'webhooks',
    ])
    expect(names).toHaveLength(7)
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
