import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { openAppender } from '../../events/log/append.ts'
import { readHead } from '../../events/log/read.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { redisPrefix } from '../../events/stores/redis/prefix.ts'
import { QUEUES, queuePrefix } from '../../events/stores/redis/queues.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, startTestWorker } from '../../events/testing/node.ts'
import { memoryOf, type TestProcess } from '../../events/testing/process.ts'

const WAITING = 20_000
const CALLERS = 500
const MEBIBYTE = 1024 * 1024
/** More than an idle worker: it reads 500 rows at a time, and the jobs stay in Redis. */
const MOST_GROWTH_MIB = 100
const TIMEOUT_MS = 240_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redisUrl: string
let redis: Redis
let sql: Sql
let service: TestService
let worker: TestProcess | undefined

const startWorker = () =>
  startTestWorker(
    { databaseUrl: database.url, redisUrl },
    { EMAIL_FORWARD_URL: service.url, EMAIL_SERVICE_PER_MINUTE: '1' },
  )

beforeAll(async () => {
  database = await createTestDatabase()
  redisUrl = await testRedisUrl()
  redis = new Redis(redisUrl)
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  service = await openTestService()
})

afterAll(async () => {
  await worker?.stop()
  await Promise.all([service.close(), sql.end()])
  redis.disconnect()
  await database.drop()
})

const submitContracts = async () => {
  const log = openAppender(database.url, { keys: TEST_KEYS })
  const form = sampleLeadForm({ leadSource: 'contract_premium', businessName: 'Shop', agreedToTerms: true })
  const submit = async () => {
    const id = randomUUID()
    const events = [{ id, ...submitLead({ leadId: id, form }) }]
    await log.append({ stream: leadStreams.of(id), expectedVersion: 0, events })
  }
  for (let count = 0; count < WAITING; count += CALLERS) await Promise.all(Array.from({ length: CALLERS }, submit))
  await log.close()
}

/** Watches the memory of a process until something has happened; returns the maximum, in MiB. */
const mostMemoryUntil = async (pid: number, happened: () => Promise<void>) => {
  let most = 0
  await eventually(async () => {
    most = Math.max(most, await memoryOf(pid))
    await happened()
  }, TIMEOUT_MS)
  return Math.round(most / MEBIBYTE)
}

test(
  'a worker that restarts with 20,000 emails waiting holds hardly more memory than an idle one',
  async () => {
    worker = await startWorker()
    const idle = Math.round((await memoryOf(worker.pid)) / MEBIBYTE)
    await submitContracts()
    const { epoch } = await readHead(sql)
    const waiting = `${queuePrefix(redisPrefix(epoch))}:${QUEUES.emailService}:prioritized`
    const areQueued = async () => expect(await redis.zcard(waiting)).toBeGreaterThanOrEqual(WAITING - 50)
    const queueing = await mostMemoryUntil(worker.pid, areQueued)
    worker.kill('SIGKILL')
    await worker.ended

    worker = await startWorker()
    const { pid } = worker
    const sent = service.submissions.length
    const restarted = await mostMemoryUntil(pid, async () => expect(service.submissions.length).toBeGreaterThan(sent))
    worker.kill('SIGKILL')
    await worker.ended
    await redis.flushdb()

    worker = await startWorker()
    const emptied = await mostMemoryUntil(worker.pid, async () =>
      expect(await redis.zcard(waiting)).toBeGreaterThan(400),
    )
    process.stdout.write(
      `  a worker's memory in MiB: idle ${idle}, while it fills the views and queues ${WAITING} emails ${queueing}, restarted ${restarted}, restarted with an empty Redis ${emptied}\n`,
    )
    for (const most of [restarted, emptied]) expect(most).toBeLessThan(idle + MOST_GROWTH_MIB)
  },
  TIMEOUT_MS,
)
