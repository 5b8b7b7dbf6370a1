import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listLeads } from '../../events/lead/store/lead-list.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { newLead } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, startTestWorker } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'

/**
 * Longer than a worker's own pauses and limits: up to 10 s between two attempts, 32 s for a missing response. With
 * less, a second failure just after the stores are back, or a step that a busy machine delays, would end the worker.
 */
const PATIENCE_MS = 40_000
/** After this long, and this many failures in it, their patience would be over. */
const FAILING_MS = PATIENCE_MS + 5_000
const FAILURES = 4
const BACK_WITHIN_MS = 120_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let postgres: FaultProxy
let redis: FaultProxy
let sql: Sql
let log: Appender
let worker: TestProcess | undefined
let hasEnded = false

beforeAll(async () => {
  database = await createTestDatabase()
  postgres = await openFaultProxy(database.url)
  redis = await openFaultProxy(await testRedisUrl())
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  log = openAppender(database.url, { keys: TEST_KEYS })
})

afterEach(async () => {
  await Promise.all([postgres.resume(), redis.resume()])
})

afterAll(async () => {
  await worker?.stop()
  await Promise.all([postgres.close(), redis.close(), log.close(), sql.end()])
  await database.drop()
})

const start = () =>
  startTestWorker(
    { databaseUrl: postgres.url, redisUrl: redis.url },
    { PATIENCE_MS: String(PATIENCE_MS) },
    'worker/testing/impatient-worker.cli.ts',
  )
const submit = () => log.append(newLead(randomUUID()))
const isListed = (count: number) =>
  eventually(async () => {
    expect(hasEnded, worker?.printed()).toBe(false)
    expect(await listLeads(sql, { sort: 'desc' }, { limit: 100 })).toHaveLength(count)
  }, BACK_WITHIN_MS)
const failuresOf = (consumer: string) =>
  (worker?.printed() ?? '')
    .split('\n')
    .filter((line) => line.includes('trying again') && line.includes(`"${consumer}"`))

test('a worker does not end because Postgres or Redis is away, and continues by itself once it is back', {
  timeout: 6 * BACK_WITHIN_MS,
}, async () => {
  worker = await start()
  worker.ended.then(() => {
    hasEnded = true
  })
  const goesOnFailing = async (consumer: string, before: number) => {
    await eventually(() => expect(failuresOf(consumer).length).toBeGreaterThan(before))
    const since = performance.now()
    await eventually(() => {
      expect(hasEnded, worker?.printed()).toBe(false)
      expect(failuresOf(consumer).length).toBeGreaterThan(before + FAILURES)
      expect(performance.now() - since).toBeGreaterThan(FAILING_MS)
    }, BACK_WITHIN_MS)
  }
  await submit()
  await isListed(1)

  await postgres.refuse()
  await submit()
  await goesOnFailing('leads', 0)
  await postgres.resume()
  await isListed(2)

  const before = failuresOf('dispatch').length
  await redis.refuse()
  await log.append(
    newLead(randomUUID(), { leadSource: 'contract_premium', businessName: 'Botha', agreedToTerms: true }),
  )
  await isListed(3)
  await goesOnFailing('dispatch', before)
  expect(hasEnded).toBe(false)
})
