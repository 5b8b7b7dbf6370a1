import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { emailResendRequested } from '../events/email/email.ts'
import { leadStreams, submitLead } from '../events/lead/lead.ts'
import { listLeads } from '../events/lead/store/lead-list.ts'
import { type Appender, openAppender } from '../events/log/append.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { DELIVERED, openTestService, type TestService } from '../events/testing/email-service.ts'
import { sampleLeadForm } from '../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../events/testing/keys.ts'
import { eventually, startTestWorker } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'

/** A worker looks for lost jobs every 15 s. */
const REQUEUE_TIMEOUT_MS = 60_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redisUrl: string
let direct: Redis
let sql: Sql
let log: Appender
let service: TestService
let workers: TestProcess[]

const startWorker = () =>
  startTestWorker(
    { databaseUrl: database.url, redisUrl },
    { EMAIL_FORWARD_URL: service.url, PUBLIC_URL: 'https://www.agency.example' },
  )

beforeAll(async () => {
  database = await createTestDatabase()
  redisUrl = await testRedisUrl()
  direct = new Redis(redisUrl)
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  log = openAppender(database.url, { keys: TEST_KEYS })
  service = await openTestService()
  workers = await Promise.all([startWorker(), startWorker()])
})

afterEach(() => {
  service.reply(DELIVERED)
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all([service.close(), log.close(), sql.end()])
  direct.disconnect()
  await database.drop()
})

const submitContract = async () => {
  const id = randomUUID()
  const form = sampleLeadForm({
    leadSource: 'contract_premium',
    businessName: 'Khumalo Interiors',
    agreedToTerms: true,
  })
  await log.append({
    stream: leadStreams.of(id),
    expectedVersion: 0,
    events: [{ id, ...submitLead({ leadId: id, form }) }],
  })
  return id
}

const statusOf = async (id: string) =>
  (await listLeads(sql, { sort: 'desc' }, { limit: 1_000 })).find((lead) => lead.id === id)?.emailStatus
const isDelivered = (id: string, timeoutMs?: number) =>
  eventually(async () => expect(await statusOf(id)).toBe('delivered'), timeoutMs)
/** The pause after the last sending counts for the next test too. */
const sentSince = (count: number) => service.submissions.slice(count)

test('emails of a killed worker, and those that waited in a lost Redis, are sent from the deliveries', async () => {
  await direct.flushdb()
  service.reply(() => {})
  const before = service.submissions.length
  const id = await submitContract()
  await eventually(() => expect(sentSince(before)).toHaveLength(1), REQUEUE_TIMEOUT_MS)
  const waiting = await submitContract()
  await eventually(async () => expect(await statusOf(waiting)).toBe('pending'))
  for (const worker of workers) worker.kill('SIGKILL')
  await Promise.all(workers.map(({ ended }) => ended))
  await direct.flushdb()

  service.reply(DELIVERED)
  const sent = service.submissions.length
  const [row] = await sql`select claimed_until > now() as held from deliveries where event_id = ${id}`
  expect(row).toEqual({ held: true })
  workers = await Promise.all([startWorker(), startWorker()])
  await sql`update deliveries set claimed_until = now() - interval '1 second' where event_id in ${sql([id, waiting])}`
  await isDelivered(id, REQUEUE_TIMEOUT_MS)
  await isDelivered(waiting)
  const subjects = sentSince(sent).map(({ fields }) => Object.fromEntries(fields)._subject)
  expect(subjects).toHaveLength(2)
  expect(subjects).toContain(`New contract: premium 50% off (reference ${id.slice(0, 8)})`)
})

const askAgain = async (id: string, requestId: string) => {
  const event = { id: requestId, ...emailResendRequested({ emailId: id, by: randomUUID() }) }
  await log.append({ stream: leadStreams.of(id), expectedVersion: 'any', events: [event] })
}
const attemptsOf = async (id: string) => {
  const [row] = await sql<{ state: string; attempts: number }[]>`
    select state, attempts from deliveries where event_id = ${id}`
  return row
}

test('emails that staff request again go out again, from two workers and an emptied Redis', async () => {
  const before = service.submissions.length
  const id = await submitContract()
  await isDelivered(id)
  await direct.flushdb()
  await askAgain(id, randomUUID())
  await eventually(
    async () => expect(await attemptsOf(id)).toEqual({ state: 'delivered', attempts: 2 }),
    REQUEUE_TIMEOUT_MS,
  )
  await isDelivered(id)
  expect(sentSince(before)).toHaveLength(2)
})

test('a worker that is killed while it sends a requested email leaves it to the next', async () => {
  const id = await submitContract()
  await isDelivered(id)
  service.reply(() => {})
  const before = service.submissions.length
  await askAgain(id, randomUUID())
  await eventually(() => expect(sentSince(before)).toHaveLength(1))
  for (const worker of workers) worker.kill('SIGKILL')
  await Promise.all(workers.map(({ ended }) => ended))
  await direct.flushdb() // else BullMQ takes its job for alive for half a minute more
  service.reply(DELIVERED)
  workers = await Promise.all([startWorker(), startWorker()])
  await sql`update deliveries set claimed_until = now() - interval '1 second' where event_id = ${id}`
  // the view may still say that it was delivered the first time
  await eventually(
    async () => expect(await attemptsOf(id)).toEqual({ state: 'delivered', attempts: 3 }),
    REQUEUE_TIMEOUT_MS,
  )
  const tries = await sql`select kind from delivery_tries where event_id = ${id} order by attempt`
  expect(tries.map(({ kind }) => kind)).toEqual(['delivered', null, 'delivered'])
})
