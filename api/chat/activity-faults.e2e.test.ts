import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readPages } from '../../events/chat/store/pages.ts'
import { readReceiptsOf } from '../../events/chat/store/receipts.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import {
  eventually,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
  type TestStores,
} from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let stores: TestStores
/** Between Redis and both nodes, and between Postgres and the first node. */
let redis: FaultProxy
let postgres: FaultProxy
let nodes: [TestNode, TestNode]
let worker: TestProcess
let admin: TestClient

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  const redisUrl = await testRedisUrl()
  redis = await openFaultProxy(redisUrl)
  postgres = await openFaultProxy(database.url)
  stores = { databaseUrl: database.url, redisUrl: redis.url }
  ;[nodes, worker] = await Promise.all([
    Promise.all([startTestNode({ ...stores, databaseUrl: postgres.url }), startTestNode(stores)]),
    startTestWorker({ ...stores, redisUrl }),
  ])
  admin = await joinStaff(nodes[1], await signIn(nodes[1]))
})

const redisIs = (state: 'up' | 'down') =>
  eventually(async () => {
    for (const node of nodes) expect(await (await node.call('/readyz')).json()).toMatchObject({ redis: state })
  })

afterEach(async () => {
  await Promise.all([redis.resume(), postgres.resume()])
  await redisIs('up')
})

afterAll(async () => {
  await Promise.all([...nodes, worker].map((process) => process.stop()))
  await Promise.all([redis.close(), postgres.close()])
  await sql.end()
  await database.drop()
})

const resume = async (node: TestNode, frame: { sessionId: string; resumeToken: string; pageUrl?: string }) => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', ...frame })
  await client.take('chat_history')
  return client
}

const visitorOf = async (sessionId: string) => (await readReceiptsOf(sql, sessionId)).visitor

/** Starts a chat that staff on the other node know, with some replies. */
const startChat = async (node: TestNode, answers: number) => {
  const chat = await joinChat(node)
  await admin.take('new_chat_session', (frame) => frame.sessionId === chat.sessionId)
  for (let count = 1; count <= answers; count += 1) await say(admin, chat.sessionId, `answer ${count}`)
  return chat
}

test('while Redis is unavailable, receipts and pages reach other nodes through Postgres, and nothing is sent twice', async () => {
  const { client, sessionId, resumeToken } = await startChat(nodes[0], 2)
  await redis.refuse()
  await redisIs('down')
  client.send({ type: 'receipt', sessionId, delivered: 2, seen: 1 })
  expect(await admin.take('receipt', (frame) => frame.sessionId === sessionId)).toMatchObject({
    party: 'visitor',
    delivered: 2,
    seen: 1,
  })
  admin.send({ type: 'receipt', sessionId, delivered: 1, seen: 1 })
  expect(await client.take('receipt')).toMatchObject({ party: 'admin', seen: 1 })
  const back = await resume(nodes[0], { sessionId, resumeToken, pageUrl: '/faq' })
  await admin.take('page_viewed', (frame) => frame.sessionId === sessionId)
  await redis.resume()
  await redisIs('up')
  client.send({ type: 'receipt', sessionId, delivered: 2, seen: 2 })
  await admin.take('receipt', (frame) => frame.sessionId === sessionId && frame.seen === 2)
  const receipts = { visitor: { delivered: 2, seen: 2 }, admin: { delivered: 1, seen: 1 } }
  expect(await readReceiptsOf(sql, sessionId)).toEqual(receipts)
  expect(await readPages(sql, sessionId)).toMatchObject([{ version: 1, pageUrl: '/faq' }])
  const told = admin.frames.filter((frame) => 'sessionId' in frame && frame.sessionId === sessionId)
  expect(told.filter(({ type }) => type === 'page_viewed')).toHaveLength(1)
  expect(told.filter((frame) => frame.type === 'receipt' && frame.party === 'visitor')).toHaveLength(2)
  await Promise.all([client.close(), back.close()])
})

describe('a receipt', () => {
  test('reported while Postgres breaks off is stored once it is back, once', async () => {
    const { client, sessionId } = await startChat(nodes[0], 3)
    client.send({ type: 'receipt', sessionId, delivered: 1, seen: 1 })
    await eventually(async () => expect(await visitorOf(sessionId)).toEqual({ delivered: 1, seen: 1 }))
    await postgres.refuse()
    client.send({ type: 'receipt', sessionId, delivered: 3, seen: 2 })
    client.send({ type: 'receipt', sessionId, delivered: 3, seen: 3 })
    client.send({ type: 'ping' })
    await client.take('pong')
    await postgres.resume()
    expect(await admin.take('receipt', (frame) => frame.sessionId === sessionId && frame.seen === 3)).toMatchObject({
      delivered: 3,
    })
    expect(await visitorOf(sessionId)).toEqual({ delivered: 3, seen: 3 })
    expect(admin.framesOf('receipt').filter((frame) => frame.sessionId === sessionId)).toHaveLength(2)
    await client.close()
  })

  test('lost with a killed node is stored when the client reports again elsewhere, and never decreases', async () => {
    const killed = await startTestNode(stores)
    const { client, sessionId, resumeToken } = await startChat(killed, 3)
    client.send({ type: 'receipt', sessionId, delivered: 1, seen: 1 })
    await admin.take('receipt', (frame) => frame.sessionId === sessionId)
    client.send({ type: 'receipt', sessionId, delivered: 3, seen: 3 })
    killed.kill('SIGKILL')
    await client.closed
    const back = await resume(nodes[0], { sessionId, resumeToken })
    back.send({ type: 'receipt', sessionId, delivered: 2, seen: 0 })
    back.send({ type: 'receipt', sessionId, delivered: 3, seen: 3 })
    await admin.take('receipt', (frame) => frame.sessionId === sessionId && frame.seen === 3)
    const receipts = admin.framesOf('receipt').filter((frame) => frame.sessionId === sessionId)
    expect(receipts.map(({ seen }) => seen)).toEqual(receipts.map(({ seen }) => seen).toSorted((a, b) => a - b))
    expect(await visitorOf(sessionId)).toEqual({ delivered: 3, seen: 3 })
    await back.close()
  })

  test('that waits for its turn is stored before a node stops', async () => {
    const stopping = await startTestNode(stores)
    const { client, sessionId } = await startChat(stopping, 3)
    for (const seen of [1, 2, 3]) client.send({ type: 'receipt', sessionId, delivered: 3, seen })
    client.send({ type: 'ping' })
    await client.take('pong')
    await stopping.stop()
    expect(await visitorOf(sessionId)).toEqual({ delivered: 3, seen: 3 })
  })
})
