import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const LEAD = { name: 'Ana Botha', email: 'ana@example.com', phone: '+27 82 555 0199', leadSource: 'hero_form' }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redisUrl: string
/** Between Redis and both nodes, and between Postgres and the first node. */
let redis: FaultProxy
let postgres: FaultProxy
let nodes: [TestNode, TestNode]
let worker: TestProcess
let admin: TestClient

beforeAll(async () => {
  database = await createTestDatabase()
  redisUrl = await testRedisUrl()
  redis = await openFaultProxy(redisUrl)
  postgres = await openFaultProxy(database.url)
  ;[nodes, worker] = await Promise.all([
    Promise.all([
      startTestNode({ databaseUrl: postgres.url, redisUrl: redis.url }),
      startTestNode({ databaseUrl: database.url, redisUrl: redis.url }),
    ]),
    startTestWorker({ databaseUrl: database.url, redisUrl }),
  ])
  admin = await joinStaff(nodes[1], await signIn(nodes[1]))
})

const ready = async (node: TestNode) => (await node.call('/readyz')).json()
const redisIs = (state: 'up' | 'down') =>
  eventually(async () => {
    for (const node of nodes) expect(await ready(node)).toMatchObject({ redis: state })
  })

afterEach(async () => {
  await Promise.all([redis.resume(), postgres.resume()])
  await redisIs('up')
  await eventually(async () => expect(await ready(nodes[0])).toMatchObject({ postgres: 'up' }))
})

afterAll(async () => {
  await Promise.all([...nodes, worker].map((process) => process.stop()))
  await Promise.all([redis.close(), postgres.close()])
  await database.drop()
})

/** Checks that a client has every message of a chat once and in order. */
const expectWhole = (client: TestClient, sessionId: string, texts: string[]) =>
  eventually(() => {
    const seen = client.framesOf('new_message').filter((frame) => frame.sessionId === sessionId)
    expect(seen.map(({ sequence, message }) => `${sequence} ${message}`)).toEqual(
      texts.map((text, index) => `${index + 1} ${text}`),
    )
  })

describe('while Redis is unavailable', () => {
  test('leads are accepted, and chats continue over both nodes; afterwards nothing is lost or doubled', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await say(client, sessionId, 'before')
    await redis.refuse()
    await redisIs('down')

    for (const node of nodes) expect((await node.post('/api/leads', LEAD)).status).toBe(201)
    await say(client, sessionId, 'from the visitor')
    await say(admin, sessionId, 'from staff')
    await expectWhole(admin, sessionId, ['before', 'from the visitor', 'from staff'])
    await expectWhole(client, sessionId, ['before', 'from the visitor', 'from staff'])

    const newcomer = await joinChat(nodes[0], 'Newcomer')
    await admin.take('new_chat_session', (frame) => frame.sessionId === newcomer.sessionId)
    await say(newcomer.client, newcomer.sessionId, 'anybody there?')
    await expectWhole(admin, newcomer.sessionId, ['anybody there?'])

    const secondTab = await openTestClient(nodes[0])
    await say(admin, sessionId, 'just before the tab')
    secondTab.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, afterSequence: 3 })
    const { messages } = await secondTab.take('chat_history')
    expect(messages.map(({ sequence }) => sequence)).toEqual([4])

    await redis.resume()
    await redisIs('up')
    await say(client, sessionId, 'after')
    const texts = ['before', 'from the visitor', 'from staff', 'just before the tab', 'after']
    await expectWhole(client, sessionId, texts)
    await expectWhole(admin, sessionId, texts)
    await secondTab.take('new_message', ({ sequence }) => sequence === 5)
    expect(secondTab.framesOf('new_message').map(({ sequence }) => sequence)).toEqual([5])

    newcomer.client.send({ type: 'end_chat', sessionId: newcomer.sessionId })
    await admin.take('chat_ended', (frame) => frame.sessionId === newcomer.sessionId)
    await Promise.all([client, newcomer.client, secondTab].map((participant) => participant.close()))
  })

  test('a chat that ends is ended for all participants', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    await admin.take('new_chat_session', (frame) => frame.sessionId === sessionId)
    await redis.refuse()
    await redisIs('down')
    admin.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
    await admin.take('chat_ended', (frame) => frame.sessionId === sessionId)
    await client.close()
  })

  test('staff can sign in, and limits hold on each node', async () => {
    await redis.refuse()
    await redisIs('down')
    await signIn(nodes[0])
    const statuses: number[] = []
    for (let asked = 0; asked < 4; asked += 1) {
      statuses.push((await nodes[0].call('/api/email-activation', { method: 'POST' })).status)
    }
    expect(statuses).toEqual([202, 202, 202, 429])
  })
})

describe('a Redis', () => {
  test('whose connections break over and over loses and doubles nothing', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    const texts: string[] = []
    for (let index = 0; index < 30; index += 1) {
      if (index % 5 === 2) redis.cut()
      texts.push(`message ${index}`)
      await say(index % 2 === 0 ? client : admin, sessionId, `message ${index}`)
    }
    await redisIs('up')
    await expectWhole(client, sessionId, texts)
    await expectWhole(admin, sessionId, texts)
    await client.close()
  })

  test('that is emptied changes nothing', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    await say(client, sessionId, 'before')
    const direct = new Redis(redisUrl)
    await direct.flushdb()
    direct.disconnect()
    await say(admin, sessionId, 'after')
    await expectWhole(client, sessionId, ['before', 'after'])
    expect((await nodes[0].post('/api/leads', LEAD)).status).toBe(201)
    await client.close()
  })

  test('that accepts connections and never responds lets people chat over both nodes', async () => {
    redis.stall()
    const { client, sessionId } = await joinChat(nodes[0])
    await say(client, sessionId, 'hello')
    await expectWhole(client, sessionId, ['hello'])
    await admin.take('new_message', (frame) => frame.sessionId === sessionId)
    await say(admin, sessionId, 'good day')
    await expectWhole(client, sessionId, ['hello', 'good day'])
    expect((await nodes[0].post('/api/leads', LEAD)).status).toBe(201)
    await client.close()
  })
})

describe('a Postgres', () => {
  test('that breaks off in the middle of sends stores each message once, by its clientMessageId', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    const texts = Array.from({ length: 40 }, (_, index) => `message ${index}`)
    const sending = Promise.all(texts.map((text) => say(client, sessionId, text)))
    postgres.cut()
    await eventually(() => expect(client.framesOf('message_accepted').length).toBeGreaterThan(0))
    postgres.cut()
    await sending.catch(() => {})
    const accepted = new Set(client.framesOf('message_accepted').map(({ clientMessageId }) => clientMessageId))
    for (const text of texts) if (!accepted.has(text)) await say(client, sessionId, text)
    await eventually(() => expect(client.framesOf('new_message')).toHaveLength(texts.length))
    const news = client.framesOf('new_message')
    expect(news.map(({ sequence }) => sequence)).toEqual(texts.map((_, index) => index + 1))
    expect(new Set(news.map(({ message }) => message)).size).toBe(texts.length)
    await client.close()
  })

  test('that stays away is reported as unavailable with the clientMessageId; the retry is stored once', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    await say(client, sessionId, 'before')
    await postgres.refuse()
    await eventually(async () => expect(await ready(nodes[0])).toMatchObject({ postgres: 'down' }))
    client.send({ type: 'send_message', sessionId, message: 'during', clientMessageId: 'during' })
    const lead = nodes[0].post('/api/leads', LEAD, { 'idempotency-key': 'during' })
    expect(await client.take('error')).toMatchObject({
      code: 'unavailable',
      clientMessageId: 'during',
    })
    const refused = await lead
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await postgres.resume()
    expect((await say(client, sessionId, 'during')).sequence).toBe(2)
    expect((await say(client, sessionId, 'after')).sequence).toBe(3)
    await expectWhole(client, sessionId, ['before', 'during', 'after'])
    expect((await nodes[0].post('/api/leads', LEAD, { 'idempotency-key': 'during' })).status).toBe(201)
    await client.close()
  })
})

test('visitors who reconnect together while Postgres is slow enter one after the other, not all at the end', async () => {
  const chats = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const headers = { 'x-forwarded-for': `172.22.0.${index}` }
      const { client, sessionId, resumeToken } = await joinChat(nodes[0], `Visitor ${index}`, headers)
      await client.close()
      return { sessionId, resumeToken, client: await openTestClient(nodes[0], headers) }
    }),
  )
  postgres.delay(20)
  const began = performance.now()
  const waited = await Promise.all(
    chats.map(async ({ client, ...chat }) => {
      client.send({ type: 'join_chat', visitorName: 'Visitor', ...chat })
      await client.take('chat_history')
      return performance.now() - began
    }),
  )
  waited.sort((one, other) => one - other)
  // if all had advanced together, the first would have arrived when nearly all of the time was over
  expect(waited[5]).toBeLessThan((waited.at(-1) ?? 0) / 2)
  await Promise.all(chats.map(({ client }) => client.close()))
})
