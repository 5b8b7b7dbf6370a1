import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { emailResendRequested } from '../events/email/email.ts'
import { leadStreams, submitLead } from '../events/lead/lead.ts'
import { listLeads } from '../events/lead/store/lead-list.ts'
import { type Appender, openAppender } from '../events/log/append.ts'
import { inboxAddressesPart } from '../events/settings/inbox-addresses.ts'
import { SETTINGS_STREAM } from '../events/settings/settings.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { DELIVERED, json, openTestService, type TestService } from '../events/testing/email-service.ts'
import { type FaultProxy, openFaultProxy } from '../events/testing/fault-proxy.ts'
import { sampleLeadForm } from '../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../events/testing/keys.ts'
import { eventually, startTestWorker } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'

/** A worker looks for lost jobs every 15 s. */
const REQUEUE_TIMEOUT_MS = 60_000
const GAP_MS = 1_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redisUrl: string
let redis: FaultProxy
let postgres: FaultProxy
let direct: Redis
let sql: Sql
let log: Appender
let service: TestService
let workers: TestProcess[]

const startWorker = () =>
  startTestWorker(
    { databaseUrl: postgres.url, redisUrl: redis.url },
    { EMAIL_FORWARD_URL: service.url, PUBLIC_URL: 'https://www.agency.example' },
  )

beforeAll(async () => {
  database = await createTestDatabase()
  redisUrl = await testRedisUrl()
  redis = await openFaultProxy(redisUrl)
  postgres = await openFaultProxy(database.url)
  direct = new Redis(redisUrl)
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  log = openAppender(database.url, { keys: TEST_KEYS })
  service = await openTestService()
  workers = await Promise.all([startWorker(), startWorker()])
})

afterEach(async () => {
  await Promise.all([redis.resume(), postgres.resume()])
  service.reply(DELIVERED)
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all([redis.close(), postgres.close(), service.close(), log.close(), sql.end()])
  direct.disconnect()
  await database.drop()
})

const SECRETS = ['Nomvula', 'nomvula@private.example', '0825550188', 'Khumalo Interiors', 'a private message']

const submitContract = async () => {
  const id = randomUUID()
  const [name, email, phone, businessName, message] = SECRETS as [string, string, string, string, string]
  const contract = { leadSource: 'contract_premium', agreedToTerms: true }
  const form = sampleLeadForm({ name, email, phone, businessName, message, ...contract })
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

test('two workers send each email once, one at a time and with a gap', async () => {
  let under = 0
  let most = 0
  service.reply((response, submission) => {
    under += 1
    most = Math.max(most, under)
    setTimeout(() => {
      under -= 1
      DELIVERED(response, submission)
    }, 200)
  })
  const ids = [await submitContract(), await submitContract(), await submitContract(), await submitContract()]
  for (const id of ids) await isDelivered(id)
  expect(service.submissions).toHaveLength(4)
  expect(most).toBe(1)
  const times = service.submissions.map(({ at }) => at)
  // the first may have been long on its way, which shortens the gap after it
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(3 * GAP_MS * 0.7)
})

test('a failure is retried by itself', async () => {
  const before = service.submissions.length
  service.reply((response, submission) => {
    const isFirst = service.submissions.length === before + 1
    const answer = isFirst ? json({ success: 'false' }, 500) : DELIVERED
    answer(response, submission)
  })
  const id = await submitContract()
  await isDelivered(id)
  expect(sentSince(before)).toHaveLength(2)
})

test('no personal data is in Redis, with a job in progress there, or in the lines that workers print', async () => {
  const held: ServerResponse[] = []
  service.reply((response) => held.push(response))
  const id = await submitContract()
  await eventually(() => expect(held).toHaveLength(1))
  const keys = await direct.keys('*')
  const dumps = await Promise.all(keys.map((key) => direct.dumpBuffer(key)))
  const hashes = await Promise.all(keys.map((key) => direct.hgetall(key).catch(() => ({}))))
  const printed = workers.map((worker) => worker.printed())
  const text = [...keys, ...dumps.map(String), JSON.stringify(hashes), ...printed].join('\n')
  expect(text).toContain(id)
  for (const secret of SECRETS) expect(text).not.toContain(secret)
  for (const response of held) response.end(JSON.stringify({ success: 'true' }))
  await isDelivered(id)
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

test('an email that waits for an hour goes out at once when staff request it', async () => {
  service.reply(json({ success: 'false' }, 429, { 'retry-after': '3600' }))
  const id = await submitContract()
  await eventually(async () => expect(await attemptsOf(id)).toEqual({ state: 'retrying', attempts: 1 }))
  service.reply(DELIVERED)
  await askAgain(id, randomUUID())
  await isDelivered(id)
  expect(await attemptsOf(id)).toEqual({ state: 'delivered', attempts: 2 })
})

test('further inboxes get their copies without a restart', async () => {
  const event = inboxAddressesPart.changed({ addresses: ['second@agency.example'], by: randomUUID() })
  await log.append({ stream: SETTINGS_STREAM, expectedVersion: 0, events: [{ id: randomUUID(), ...event }] })
  await eventually(async () => {
    const before = service.submissions.length
    await isDelivered(await submitContract())
    expect(Object.fromEntries(sentSince(before)[0]?.fields ?? [])._cc).toBe('second@agency.example')
  })
})

test('without Redis the views continue, and emails are sent afterwards, once', async () => {
  const before = service.submissions.length
  await redis.refuse()
  const id = await submitContract()
  await eventually(async () => expect(await statusOf(id)).toBe('pending'))
  expect(sentSince(before)).toEqual([])
  await redis.resume()
  await isDelivered(id, REQUEUE_TIMEOUT_MS)
  expect(sentSince(before)).toHaveLength(1)
})

test('after Postgres was away everything continues by itself', async () => {
  await postgres.refuse()
  const id = await submitContract()
  await eventually(() => expect(workers[0]?.printed()).toContain('trying again'))
  await postgres.resume()
  await isDelivered(id, REQUEUE_TIMEOUT_MS)
})
