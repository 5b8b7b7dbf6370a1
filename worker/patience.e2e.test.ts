import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Appender, openAppender } from '../events/log/append.ts'
import { connect, type Sql } from '../events/log/connection.ts'
import { listLeads } from '../events/projections/lead-search.ts'
import { createTestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../events/testing/fault-proxy.ts'
import { newLead } from '../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../events/testing/keys.ts'
import { eventually, startTestWorker } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'

/** After this long, and this many failures in it, the patience of these workers (4 s) is over. */
const FAILING_MS = 8_000
const FAILURES = 4

let database: Awaited<ReturnType<typeof createTestDatabase>>
let postgres: FaultProxy
let redis: FaultProxy
let sql: Sql
let log: Appender
let worker: TestProcess | undefined

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
  startTestWorker({ databaseUrl: postgres.url, redisUrl: redis.url }, {}, 'worker/impatient-worker.cli.ts')
const submit = () => log.append(newLead(randomUUID()))
const isListed = (count: number) =>
  eventually(async () => expect(await listLeads(sql, { sort: 'desc' }, { limit: 100 })).toHaveLength(count), 60_000)
const failuresOf = (consumer: string) =>
  (worker?.printed() ?? '')
    .split('\n')
    .filter((line) => line.includes('trying again') && line.includes(`"${consumer}"`))

test('a worker does not end because Postgres or Redis is away, and goes on by itself once it is back', async () => {
  worker = await start()
  let hasEnded = false
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
    }, 90_000)
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

test('a worker whose consumer cannot go on ends with status 1 and a line that says which, where and why', async () => {
  // as if the event before it had been removed
  await sql`
    insert into events (position, id, stream, version, type, schema_version, data, metadata, recorded_at, hash)
    select last_position + 2, gen_random_uuid(), 'lead-none', 1, 'LeadErased', 1, '{}', '{}', now(), '' from log_head`
  const ended = await worker?.ended
  expect(ended?.status).toBe(1)
  const ending =
    /^The worker ends, to be started again: \w+ \(version \d+\) has not come past position (\d+) of the log for [\d.]+ minutes: The log has no event (\d+): /m
  const [, position, missing] = ending.exec(worker?.printed() ?? '') ?? []
  expect(Number(missing)).toBe(Number(position) + 1)
  worker = undefined
})
