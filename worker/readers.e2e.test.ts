import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newLead } from '../events/fixtures/samples.ts'
import { type FaultProxy, openFaultProxy } from '../events/local/fault-proxy.ts'
import { createTestDatabase, testRedisUrl } from '../events/local/test-database.ts'
import { TEST_KEYS } from '../events/local/test-keys.ts'
import { eventually, startTestWorker } from '../events/local/test-node.ts'
import type { TestProcess } from '../events/local/test-process.ts'
import { type Appender, openAppender } from '../events/log/append.ts'
import { readCheckpoint } from '../events/log/checkpoints.ts'
import { connect, type Sql } from '../events/log/connection.ts'
import { redisPrefix } from '../events/log/prefix.ts'
import { readHead } from '../events/log/read.ts'
import { leadsProjection } from '../events/projections/leads.ts'
import { schemaOf } from '../events/projections/projection.ts'
import { openReaderQueue, openWaker, type ReaderQueue } from '../events/projections/read-jobs.ts'
import { READERS } from '../events/projections/readers.ts'
import { rebuildProjection } from '../events/projections/rebuild.ts'

const VIEW = schemaOf(leadsProjection)

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redis: FaultProxy
let direct: Redis
let sql: Sql
let queue: ReaderQueue
let log: Appender
const workers = new Set<TestProcess>()

beforeAll(async () => {
  database = await createTestDatabase()
  const redisUrl = await testRedisUrl()
  redis = await openFaultProxy(redisUrl)
  direct = new Redis(redisUrl)
  sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  queue = openReaderQueue(direct, { prefix: redisPrefix((await readHead(sql)).epoch), onError: () => {} })
  const waker = openWaker(queue)
  log = openAppender(database.url, { keys: TEST_KEYS, onCommit: (types) => waker.wake(types) })
})

afterEach(async () => {
  await redis.resume()
  await Promise.all([...workers].map((worker) => worker.stop()))
  workers.clear()
})

afterAll(async () => {
  await log.close()
  await queue.close()
  await Promise.all([redis.close(), sql.end()])
  direct.disconnect()
  await database.drop()
})

const startWorkers = async (count: number) => {
  const starts = Array.from({ length: count }, () =>
    startTestWorker({ databaseUrl: database.url, redisUrl: redis.url }),
  )
  for (const worker of await Promise.all(starts)) workers.add(worker)
}
const kill = async () => {
  const [worker] = workers
  if (!worker) return
  workers.delete(worker)
  worker.kill('SIGKILL')
  await worker.ended
}
const submit = (count = 1) =>
  Promise.all(Array.from({ length: count }, () => log.append(newLead(randomUUID(), { name: 'Ana Botha' }))))
const areAtHead = (timeoutMs?: number) =>
  eventually(async () => {
    const { position } = await readHead(sql)
    for (const reader of READERS) expect(await readCheckpoint(sql, reader)).toMatchObject({ position })
  }, timeoutMs)
const rows = () => sql.unsafe(`select * from ${VIEW}.leads order by id`)
/** The view is what a fill from the first event makes of the log: nothing was left out or taken in twice. */
const isExact = async () => {
  const kept = (await rows()).map(({ position: _, ...row }) => row)
  await rebuildProjection({ databaseUrl: database.runtimeUrl, keys: TEST_KEYS }, leadsProjection)
  expect((await rows()).map(({ position: _, ...row }) => row)).toEqual(kept)
}

test.each([2, 5])('%i workers take in each event once, while some are killed and Redis is emptied', async (count) => {
  await startWorkers(count)
  for (let round = 0; round < 3; round += 1) {
    const submitting = submit(100)
    await delay(20 * round) // a fault at another point of the work in each round
    await direct.flushdb()
    if (round > 0) await kill()
    await submitting
    if (workers.size === 0) await startWorkers(1)
  }
  await areAtHead(60_000)
  await isExact()
})

test('without Redis the views follow by the clock of the worker, and by jobs once it is back', async () => {
  await startWorkers(1)
  await redis.refuse()
  await submit(10)
  await eventually(async () => {
    const { position } = await readHead(sql)
    expect(await readCheckpoint(sql, leadsProjection)).toMatchObject({ position })
  })
  await redis.resume()
  await areAtHead(60_000)
  await isExact()
})

test('jobs that are removed by hand, waiting or for ever, hold nothing up', async () => {
  await startWorkers(2)
  await queue.obliterate({ force: true })
  await submit(10)
  await areAtHead()
  for (const { key } of await queue.getJobSchedulers()) await queue.removeJobScheduler(key)
  await submit(10)
  await areAtHead()
  await eventually(async () => expect(await queue.getJobScheduler('tick')).toBeDefined())
  await isExact()
})
