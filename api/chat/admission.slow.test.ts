import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { MAX_STORED_PAGES, readPages } from '../../events/chat/store/pages.ts'
import { fillChat } from '../../events/testing/fill-chat.ts'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { memoryOf } from '../../events/testing/process.ts'
import { startProduct } from '../../events/testing/product.ts'
import { LIMITS } from '../admission/limits.ts'
import { joinChat, joinStaff, openTestClient, say } from '../testing/socket-client.ts'

const KIB = 1024
const MIB = 1024 * KIB
/** The number of frames that a node reads from one address at once. */
const RESUMES = 60
const NEW_CHATS = LIMITS.new_chats.address[0].points
const JOINS_OF_ADDRESS = LIMITS.joins.address[0].points

/** Behind a proxy, to let the test choose the address of each client. */
const ENV = { TRUST_PROXY: '1' }

const { database, nodes, sql } = await startProduct({ nodes: 2, nodeEnv: ENV })
const staff = await signIn(nodes[0])

let addresses = 0
const newAddress = () => {
  addresses += 1
  return { 'x-forwarded-for': `198.51.100.${addresses}` }
}

const metric = async (node: TestNode, name: string) => {
  const text = await (await node.call('/metrics')).text()
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1])
}

const begin = { type: 'join_chat', visitorName: 'Script', visitorEmail: '', pageUrl: '/' }

test('sixty chats that are resumed 60 times each from long pages are refused early, and consoles notice nothing', async () => {
  const address = newAddress()
  const admin = await joinStaff(nodes[0], staff)
  const chats = await Promise.all(
    Array.from({ length: NEW_CHATS }, async (_, index) => {
      const client = await openTestClient(nodes[index % 2 ? 0 : 1], address)
      client.send(begin)
      const { sessionId, resumeToken } = await client.take('chat_joined')
      return { client, sessionId, resumeToken }
    }),
  )
  const pageUrl = (time: number) => `/${time}?${'p'.repeat(1_990)}`
  for (let time = 0; time < RESUMES; time += 1) {
    for (const { client, sessionId, resumeToken } of chats) {
      client.send({ ...begin, sessionId, resumeToken, pageUrl: pageUrl(time) })
    }
  }
  const other = await openTestClient(nodes[1], newAddress())
  other.send({ ...begin, visitorName: 'Genuine' })
  const { sessionId: genuine } = await other.take('chat_joined')
  await say(other, genuine, 'Is anybody there?')
  await admin.take('new_message', (frame) => frame.sessionId === genuine)

  const countOf = (type: 'error' | 'chat_joined') =>
    chats.reduce((sum, { client }) => sum + client.framesOf(type).length, 0)
  await eventually(() => expect(countOf('error') + countOf('chat_joined')).toBe(NEW_CHATS * (1 + RESUMES)), 60_000)
  // a busy machine may need more than the minute for which they count
  expect(countOf('chat_joined')).toBeLessThanOrEqual(2 * JOINS_OF_ADDRESS)
  const sessionIds = new Set(chats.map(({ sessionId }) => sessionId))
  const told = admin.framesOf('page_viewed').filter(({ sessionId }) => sessionIds.has(sessionId))
  expect(told.length).toBeLessThanOrEqual(2 * JOINS_OF_ADDRESS)
  const pages = await Promise.all([...sessionIds].map((sessionId) => readPages(sql, sessionId)))
  expect(pages.filter((kept) => kept.length > MAX_STORED_PAGES)).toEqual([])
  const late = await openTestClient(nodes[1], { ...staff, ...newAddress() })
  late.send({ type: 'join_admin' })
  const { sessions } = await late.take('active_sessions')
  expect(sessions.length).toBeLessThanOrEqual(50)
  await Promise.all([admin, late, other, ...chats.map(({ client }) => client)].map((client) => client.close()))
})

test('all chats of one address use its whole limit over all nodes, and neither others nor staff there notice', async () => {
  const address = newAddress()
  const { points, windowS, lease } = LIMITS.messages.address[0]
  const admin = await joinStaff(nodes[1], { ...staff, ...address })
  const each = 150
  const chats = await Promise.all(
    Array.from({ length: points / each + 4 }, (_, index) => joinChat(nodes[index % 2 ? 0 : 1], 'Script', address)),
  )
  onTestFinished(() => {
    for (const { client } of chats) client.raw.terminate()
    admin.raw.terminate()
  })
  const countOf = (type: 'error' | 'message_accepted') =>
    chats.reduce((sum, { client }) => sum + client.framesOf(type).length, 0)
  // ten each, so that the nodes read them all
  for (let index = 0; index < each; index += 1) {
    for (const { client, sessionId } of chats) {
      client.send({ type: 'send_message', sessionId, message: `${index}`, clientMessageId: `m${index}` })
    }
    if (index % 10 < 9) continue
    const sent = chats.length * (index + 1)
    await eventually(() => expect(countOf('error') + countOf('message_accepted')).toBe(sent), 120_000)
  }
  expect(countOf('message_accepted')).toBeLessThanOrEqual(points)
  expect(countOf('message_accepted')).toBeGreaterThan(points - nodes.length * lease)
  const refusals = chats.flatMap(({ client }) => client.framesOf('error'))
  expect(refusals[0]).toMatchObject({
    code: 'too_many_requests',
    refused: 'send_message',
    clientMessageId: expect.stringMatching(/^m\d+$/),
    message: expect.stringMatching(/^A lot of messages have come .* Please try again in \d+ minutes\.$/),
  })
  expect(refusals[0]?.retryAfterS).toBeGreaterThan(windowS - 120)
  expect(refusals[0]?.retryAfterS).toBeLessThanOrEqual(windowS)

  const other = await joinChat(nodes[0], 'Genuine', newAddress())
  await say(other.client, other.sessionId, 'Is anybody there?')
  await admin.take('new_message', ({ message }) => message === 'Is anybody there?')
  await say(admin, other.sessionId, 'Yes')
  await other.client.take('new_message', ({ message }) => message === 'Yes')
  await other.client.close()
})

test('clients that take a history without reading, push frames or send unsolicited pongs are disconnected', async () => {
  const { client, sessionId, resumeToken } = await joinChat(nodes[0], 'Collector')
  await client.close()
  await fillChat(database.url, { sessionId, count: 2_000, textOf: () => '€'.repeat(4_000) })
  const sockets = await metric(nodes[0], 'chat_sockets')
  const before = await memoryOf(nodes[0].pid)
  const lazy = await Promise.all(Array.from({ length: 8 }, () => openTestClient(nodes[0])))
  const push = (raw: (typeof lazy)[number]['raw'], count: number, bytes: number) => {
    const frame = JSON.stringify({ type: 'send_message', sessionId, message: 'm', padding: 'p'.repeat(bytes) })
    for (let sent = 0; sent < count; sent += 1) raw.send(frame)
  }
  for (const [index, { raw }] of lazy.entries()) {
    raw.send(JSON.stringify({ ...begin, sessionId, resumeToken, afterSequence: 0 }))
    raw.pause()
    if (index % 2) push(raw, 60, 60 * KIB)
    else push(raw, 20, MIB)
  }
  const pongs = setInterval(() => {
    for (const { raw } of lazy) if (raw.readyState === raw.OPEN) raw.pong()
  }, 1_000)
  let most = 0
  try {
    await eventually(async () => {
      most = Math.max(most, await memoryOf(nodes[0].pid))
      await delay(500)
      expect(await metric(nodes[0], 'chat_sockets')).toBe(sockets)
    }, 70_000)
  } finally {
    clearInterval(pongs)
    for (const { raw } of lazy) raw.terminate()
  }
  expect(most - before).toBeLessThan(160 * MIB)
})
