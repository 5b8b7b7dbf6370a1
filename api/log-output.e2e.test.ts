import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { leadForm } from '../events/lead/form/form.ts'
import { touch } from '../events/lead/form/touch.ts'
import { websiteInfoForm } from '../events/lead/form/website-info.ts'
import { leadStreams } from '../events/lead/lead.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { DELIVERED, json, openTestService, type TestService } from '../events/testing/email-service.ts'
import { type FaultProxy, openFaultProxy } from '../events/testing/fault-proxy.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'
import { joinStaff, openTestClient, say } from './testing/socket-client.ts'

/** Put into every field that people can fill in. */
const MARKER = 'qzmarker'
const EMAIL = `${MARKER}@private.example`
const PHONE = '0825559137'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let postgres: FaultProxy
let redis: FaultProxy
let service: TestService
let node: TestNode
let worker: TestProcess
let staff: { cookie: string }

beforeAll(async () => {
  // services fail here, and requests that wait for them are still open when a process ends: each process is one of its
  // own
  vi.stubEnv('WARM_PROCESSES', 'false')
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test' })
  postgres = await openFaultProxy(database.url)
  redis = await openFaultProxy(await testRedisUrl())
  service = await openTestService()
  const stores = { databaseUrl: postgres.url, redisUrl: redis.url }
  const env = { LOG_LEVEL: 'trace' }
  ;[node, worker] = await Promise.all([
    startTestNode(stores, env),
    startTestWorker(stores, { ...env, EMAIL_FORWARD_URL: service.url, PUBLIC_URL: 'https://www.agency.example' }),
  ])
  staff = await signIn(node)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([node.stop(), worker.stop()])
  await Promise.all([postgres.close(), redis.close(), service.close(), sql.end()])
  await database.drop()
})

const filledIn = (entries: object, fields: object) => ({
  ...Object.fromEntries(Object.keys(entries).map((name) => [name, `${MARKER} ${name}`])),
  email: EMAIL,
  ...fields,
})

const TOUCH = filledIn(touch.entries, {})
const TOUCHES = { firstTouch: TOUCH, lastTouch: TOUCH }
const SPAM_SIGNS = { quartz: MARKER, openMs: 1 }
const LEAD = filledIn(leadForm.entries, {
  ...TOUCHES,
  phone: PHONE,
  agreedToTerms: true,
  leadSource: `contract_${MARKER}`,
})
const ANSWERS = filledIn(websiteInfoForm.entries, { ...TOUCHES, phoneNumber: PHONE })
const HEADERS = {
  'user-agent': MARKER,
  referer: `https://${MARKER}.example/${MARKER}`,
  'x-request-id': MARKER,
  'x-forwarded-for': MARKER,
  'accept-language': MARKER,
}

const printed = () => node.printed() + worker.printed()
const linesOf = (msg: string) =>
  printed()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line))

const submit = async () => {
  const response = await node.post('/api/leads', LEAD, HEADERS)
  expect(response.status).toBe(201)
  return (await response.json()).id as string
}

const fillInForms = async () => {
  for (const path of ['/api/leads', '/api/submit-website-info']) {
    const form = path === '/api/leads' ? LEAD : ANSWERS
    const texts = Object.entries(form).map(([name, value]): [string, string] => [name, String(value)])
    expect((await node.post(path, { ...form, ...SPAM_SIGNS }, HEADERS)).status).toBe(201)
    expect((await node.post(path, form, { ...HEADERS, 'idempotency-key': MARKER })).status).toBe(201)
    const conflicting = { ...form, additionalRequests: `${MARKER} again`, message: `${MARKER} again` }
    expect((await node.post(path, conflicting, { 'idempotency-key': MARKER })).status).toBe(422)
    expect((await node.call(path, { method: 'POST', body: new URLSearchParams(texts) })).status).toBe(303)
    expect((await node.post(path, { ...form, email: MARKER })).status).toBe(422)
    const broken = { method: 'POST', body: `{ "name": "${MARKER}`, headers: { 'content-type': 'application/json' } }
    expect((await node.call(path, broken)).status).toBe(400)
    const foreign = { method: 'POST', body: MARKER, headers: { 'content-type': `text/${MARKER}` } }
    expect((await node.call(path, foreign)).status).toBe(415)
  }
  await node.post('/api/login', { username: MARKER, password: `${MARKER} password` }, HEADERS)
  for (const path of [`/${MARKER}`, `/api/${MARKER}?q=${EMAIL}`, `/?q=${MARKER}`]) await node.call(path)
  const paths = [`/api/leads/${MARKER}`, `/api/leads?q=${MARKER}%00`, `/api/leads?q=${MARKER}&sort=${MARKER}`]
  for (const path of paths) await node.call(path, { headers: staff })
}

const chat = async () => {
  const admin = await joinStaff(node, staff)
  const visitor = await openTestClient(node, { 'user-agent': MARKER })
  for (const frame of [
    `{ "type": "${MARKER}`,
    `"${MARKER}"`,
    { type: MARKER },
    { type: 'join_chat', visitorName: 5, pageUrl: MARKER },
  ]) {
    visitor.send(frame)
  }
  visitor.send({ type: 'join_chat', visitorName: MARKER, visitorEmail: EMAIL, pageUrl: `/${MARKER}` })
  const { sessionId, resumeToken } = await visitor.take('chat_joined')
  await say(visitor, sessionId, `${MARKER} message`, `${MARKER}-1`)
  visitor.send({ type: 'send_message', sessionId, message: `${MARKER} other`, clientMessageId: `${MARKER}-1` })
  await visitor.take('error', ({ code }) => code === 'id_reused')
  await say(admin, sessionId, `${MARKER} answer`, `${MARKER}-2`)
  visitor.send({ type: 'join_chat', sessionId, resumeToken: MARKER, visitorName: MARKER, pageUrl: `/${MARKER}-2` })
  visitor.send({ type: 'join_chat', sessionId, resumeToken, visitorName: MARKER, pageUrl: `/${MARKER}-2` })
  await visitor.take('chat_joined')
  const transcript = () => node.call(`/api/chats/${sessionId}/transcript`, { method: 'POST', headers: staff })
  await eventually(async () => expect((await transcript()).status).toBe(202))
  await Promise.all([visitor.close(), admin.close()])
  return sessionId
}

const work = async (leadId: string) => {
  const put = (path: string, body: object, version: number) =>
    node.call(path, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { ...staff, 'content-type': 'application/json', 'if-match': `"${version}"` },
    })
  expect((await node.post(`/api/leads/${leadId}/notes`, { note: MARKER }, staff)).status).toBe(201)
  const replies = {
    replies: [{ name: MARKER, subject: MARKER, text: MARKER, chat: true, email: true, whatsapp: false }],
  }
  expect((await put('/api/settings/replies', replies, 0)).status).toBe(200)
  expect((await put('/api/settings/inbox-addresses', { addresses: [EMAIL] }, 1)).status).toBe(200)
}

/** The error text of a service or Postgres may contain its input. */
const fail = async () => {
  service.reply(json({ success: 'false', message: `${MARKER} ${EMAIL} ${PHONE}` }, 500))
  const id = await submit()
  await eventually(() =>
    expect(linesOf('email attempted').some(({ eventId, state }) => eventId && state === 'retrying')).toBe(true),
  )
  service.reply(DELIVERED)
  await Promise.all([postgres.refuse(), redis.refuse()])
  const refused = await node.post('/api/leads', LEAD, HEADERS)
  expect(refused.status).toBe(503)
  expect((await node.call(`/api/leads/${MARKER}/history`, { headers: staff })).status).toBe(404)
  const asked = await node.call(`/api/leads/${randomUUID()}/history?q=${MARKER}`, { headers: staff })
  expect(asked.status).toBe(503)
  await eventually(() => expect(linesOf('consumer failed, trying again').length).toBeGreaterThan(0))
  await Promise.all([postgres.resume(), redis.resume()])
  await eventually(async () => expect((await node.call('/readyz')).status).toBe(200))
  return id
}

/** Postgres attaches the row that it refuses to its error. */
const failToBuildView = async () => {
  const [view] = await sql<{ schemaname: string }[]>`
    select schemaname from pg_tables where schemaname like 'view_leads%' and tablename = 'leads'`
  const table = sql(`${view?.schemaname}.leads`)
  await sql`alter table ${table} add constraint refusal check (false) not valid`
  await submit()
  await eventually(() => expect(worker.printed()).toContain('"code":"23514"'))
  await sql`alter table ${table} drop constraint refusal`
}

test('a node and a worker print nothing that people typed, whatever they did with it', async () => {
  await fillInForms()
  const leadId = await submit()
  await chat()
  await work(leadId)
  const failedId = await fail()
  await failToBuildView()
  await eventually(async () => {
    const [row] = await sql`select state from deliveries where stream = ${leadStreams.of(failedId)}`
    expect(row?.state).toBe('delivered')
  }, 60_000)
  await eventually(async () =>
    expect((await node.post(`/api/leads/${leadId}/erase`, { contracts: 'erase' }, staff)).status).toBe(204),
  )

  await eventually(() => {
    expect(linesOf('lead erased').length).toBeGreaterThan(1)
    // leads and chats are erased at the same time
    expect(linesOf('chat erased').length).toBeGreaterThan(0)
  })
  for (const msg of ['request', 'request failed', 'chat frame', 'transcript requested', 'chat erased', 'lead erased']) {
    expect(linesOf(msg).length, msg).toBeGreaterThan(0)
    for (const line of linesOf(msg)) expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/)
  }
  for (const msg of ['email attempted', 'consumer failed, trying again']) {
    for (const line of linesOf(msg)) expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/)
  }
  for (const { eventId } of linesOf('email attempted')) expect(eventId).toMatch(/^[0-9a-f-]{36}$/)
  expect(printed().toLowerCase()).not.toContain(MARKER)
  expect(printed()).not.toContain(PHONE)
})
