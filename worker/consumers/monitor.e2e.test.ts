import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { freePort } from '../../events/local/port.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { QUEUES } from '../../events/stores/redis/queues.ts'
import { asRuntimeUser, createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { TEST_DATA_KEY, TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, startTestWorker, type TestStores } from '../../events/testing/node.ts'
import { runTestProcess, type TestProcess } from '../../events/testing/process.ts'
import { openTestQueues } from '../../events/testing/queues.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let stores: TestStores
let postgresProxy: FaultProxy
let redisProxy: FaultProxy
let queues: Awaited<ReturnType<typeof openTestQueues>>
let worker: TestProcess
let log: Appender
let port: number

beforeAll(async () => {
  database = await createTestDatabase()
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  postgresProxy = await openFaultProxy(stores.databaseUrl)
  redisProxy = await openFaultProxy(stores.redisUrl)
  queues = await openTestQueues(stores)
  log = openAppender(database.url, { keys: TEST_KEYS })
  port = await freePort()
  const proxied = { databaseUrl: postgresProxy.url, redisUrl: redisProxy.url }
  worker = await startTestWorker(proxied, { WORKER_PORT: String(port) })
})

afterAll(async () => {
  await worker.stop()
  await Promise.all([postgresProxy.close(), redisProxy.close(), queues.close(), log.close()])
  await database.drop()
})

afterEach(() => Promise.all([postgresProxy.resume(), redisProxy.resume()]))

const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
const ready = async () => {
  const response = await ask('/readyz')
  return { status: response.status, ...(await response.json()) }
}
const readMetrics = async () => await (await ask('/metrics')).text()

/** The values of a metric by their labels. */
const valuesOf = (text: string, metric: string) =>
  new Map(
    [...text.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
      labels.replaceAll(', ', ','),
      Number(value),
    ]),
  )

test('reports that it lives, that its stores are available and that the consumers keep up', async () => {
  expect((await ask('/healthz')).status).toBe(200)
  await eventually(async () =>
    expect(await ready()).toEqual({
      status: 200,
      postgres: 'up',
      redis: 'up',
      behind: [],
      worker: 'up',
      failing: [],
    }),
  )
})

test('counts the jobs of every queue, and how far each view is behind', async () => {
  const text = await readMetrics()
  const counts = valuesOf(text, 'bullmq_job_count')
  for (const name of Object.values(QUEUES)) expect(counts.get(`queue="${name}",state="failed"`)).toBe(0)
  expect(text.match(/# TYPE bullmq_job_count gauge/g)).toHaveLength(1)
  for (const { name } of PROJECTIONS) {
    expect(valuesOf(text, 'log_consumer_lag_events').get(`consumer="${name}"`)).toBe(0)
    expect(valuesOf(text, 'log_consumer_waiting_seconds').get(`consumer="${name}"`)).toBe(0)
  }
  expect(valuesOf(text, 'process_resident_memory_bytes').get('')).toBeGreaterThan(1_000_000)
})

test('reports how long the oldest job of each lane and priority has waited', async () => {
  const email = queues.open(QUEUES.emailSmtp)
  await email.pause()
  const ages = [
    { priority: 0, ageS: 40 },
    { priority: 0, ageS: 400 },
    { priority: 1, ageS: 60 },
    { priority: 3, ageS: 7_000 },
    { priority: 3, ageS: 600 },
  ]
  for (const { priority, ageS } of ages.toSorted((a, b) => b.ageS - a.ageS)) {
    await email.add('test', {}, { timestamp: Date.now() - ageS * 1000, priority })
  }
  await email.add('test', {}, { timestamp: Date.now() - 90_000, delay: 3_600_000 })
  const oldest = valuesOf(await readMetrics(), 'queue_oldest_job_age_seconds')
  const own = [...oldest].filter(([labels]) => labels.includes(email.name))
  expect(own.map(([labels, age]) => [labels, Math.round(age / 20) * 20])).toEqual([
    [`queue="${email.name}",priority="0"`, 400],
    [`queue="${email.name}",priority="1"`, 60],
    [`queue="${email.name}",priority="3"`, 7_000],
  ])
  await email.obliterate({ force: true })
})

test('counts attempts by lane and result, jobs that are done, and the events of batches', async () => {
  const id = randomUUID()
  const form = sampleLeadForm({ leadSource: 'contract_premium', businessName: 'Nkosi and Sons', agreedToTerms: true })
  const events = [{ id, ...submitLead({ leadId: id, form }) }]
  await log.append({ stream: leadStreams.of(id), expectedVersion: 0, events })
  await eventually(async () => {
    const text = await readMetrics()
    expect(valuesOf(text, 'email_attempts_total').get('lane="service",result="outbox"')).toBe(1)
    expect(valuesOf(text, 'bullmq_job_completed_total').get(`queue="${QUEUES.emailService}"`)).toBe(1)
    expect(valuesOf(text, 'bullmq_job_completed_total').get(`queue="${QUEUES.work}"`)).toBeGreaterThan(0)
    expect(valuesOf(text, 'projection_batch_events_sum').get('view="leads"')).toBeGreaterThanOrEqual(1)
    expect(valuesOf(text, 'log_consumer_lag_events').get('consumer="leads"')).toBe(0)
    for (const personal of Object.values(form)) if (typeof personal === 'string') expect(text).not.toContain(personal)
  })
})

test('is not ready while Redis is away, and still serves the metrics of the log', async () => {
  await redisProxy.refuse()
  await eventually(async () => expect(await ready()).toMatchObject({ status: 503, redis: 'down', failing: ['redis'] }))
  expect((await ask('/healthz')).status).toBe(200)
  const began = performance.now()
  const text = await readMetrics()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(valuesOf(text, 'bullmq_job_count').size).toBe(0)
  expect(valuesOf(text, 'log_head_position').get('')).toBeGreaterThan(0)
  await redisProxy.resume()
  await eventually(async () => expect(await ready()).toMatchObject({ status: 200, failing: [] }))
  await eventually(async () => expect(valuesOf(await readMetrics(), 'bullmq_job_count').size).toBeGreaterThan(0))
})

test('is not ready while Postgres is away, and reports no position that it cannot know', async () => {
  await postgresProxy.refuse()
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: 503, postgres: 'down', failing: ['postgres'] }),
  )
  expect(valuesOf(await readMetrics(), 'log_head_position').size).toBe(0)
  await postgresProxy.resume()
  await eventually(async () => expect(await ready()).toMatchObject({ status: 200, failing: [] }))
})

test('names a stalled consumer', async () => {
  const owner = postgres(database.url, { max: 1 })
  const [before] = await owner`select epoch from checkpoints where consumer = 'leads'`
  await owner`update checkpoints set epoch = gen_random_uuid() where consumer = 'leads'`
  expect(await ready()).toMatchObject({ status: 503, behind: ['leads'], failing: ['leads'] })
  await owner`update checkpoints set epoch = ${before?.epoch} where consumer = 'leads'`
  expect(await ready()).toMatchObject({ status: 200, behind: [] })
  await owner.end()
})

test('a second worker with the same port reports that in one line and ends', async () => {
  const env = { DATABASE_URL: asRuntimeUser(stores.databaseUrl), REDIS_URL: stores.redisUrl, DATA_KEY: TEST_DATA_KEY }
  const { status, printed } = await runTestProcess('worker/main.ts', { ...env, WORKER_PORT: String(port) })
  expect([status, printed.trim()]).toEqual([
    1,
    `WORKER_PORT: ${port} cannot be used (EADDRINUSE): stop what uses it, or choose another`,
  ])
})
