import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../events/base/time.ts'
import { MAX_STORED_PAGES, readPages } from '../../events/chat/store/pages.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { LIMITS, SLOTS } from '../admission/limits.ts'
import { joinChat, joinStaff, openTestClient, say } from '../testing/socket-client.ts'

const NEW_CHATS = LIMITS.new_chats.address[0].points
const JOINS_OF_CHAT = LIMITS.joins.session[0].points

/** Behind a proxy, to let the test choose the address of each client. */
const ENV = { TRUST_PROXY: '1' }

const { nodes, sql } = await startProduct({ nodes: 2, nodeEnv: ENV })
const staff = await signIn(nodes[0])

let addresses = 0
const newAddress = () => {
  addresses += 1
  return { 'x-forwarded-for': `198.51.100.${addresses}` }
}

const begin = { type: 'join_chat', visitorName: 'Script', visitorEmail: '', pageUrl: '/' }

test('new chats from one address are limited over all nodes, and neither others nor staff there notice', async () => {
  const address = newAddress()
  const answers = await Promise.all(
    Array.from({ length: NEW_CHATS + 20 }, async (_, index) => {
      const client = await openTestClient(nodes[index % 2 ? 0 : 1], address)
      client.send(begin)
      await eventually(() => expect(client.frames).not.toHaveLength(0))
      const [answer] = client.frames
      client.raw.terminate()
      return answer
    }),
  )
  expect(answers.filter((answer) => answer?.type === 'chat_joined')).toHaveLength(NEW_CHATS)
  const [refusal, ...others] = answers.filter((answer) => answer?.type === 'error')
  expect(others).toHaveLength(19)
  expect(refusal).toMatchObject({
    code: 'too_many_requests',
    refused: 'join_chat',
    message: expect.stringMatching(/^There were many requests .* Please try again in \d+ minutes\.$/),
  })
  expect(refusal?.type === 'error' && refusal.retryAfterS).toBeGreaterThan(60)
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from events where type = 'ChatStarted'`
  expect(row?.count).toBe(NEW_CHATS)

  const admin = await joinStaff(nodes[0], { ...staff, ...address })
  const other = await openTestClient(nodes[1], newAddress())
  other.send({ ...begin, visitorName: 'Genuine' })
  const { sessionId } = await other.take('chat_joined')
  await say(other, sessionId, 'Hello')
  await admin.take('new_message', (frame) => frame.sessionId === sessionId)
  await Promise.all([admin.close(), other.close()])
})

test('a repeated join of a chat that has begun does not count as a new one', async () => {
  const address = newAddress()
  const joinKey = crypto.randomUUID()
  for (let time = 0; time < NEW_CHATS + 5; time += 1) {
    const client = await openTestClient(nodes[time % 2 ? 0 : 1], address)
    client.send({ ...begin, joinKey })
    await client.take('chat_joined')
    client.raw.terminate()
    // a chat may have at most one join per second for long
    if (time === JOINS_OF_CHAT - 10) break
  }
  const fresh = await openTestClient(nodes[0], address)
  fresh.send(begin)
  await fresh.take('chat_joined')
  await fresh.close()
})

test('a chat that is resumed again and again from new pages is refused, and few of them stay', async () => {
  const { client, sessionId, resumeToken } = await joinChat(nodes[0], 'Wanderer')
  const admin = await joinStaff(nodes[1], staff)
  const padding = 'p'.repeat(1_900)
  for (let time = 0; time < 200; time += 1) {
    client.send({ ...begin, sessionId, resumeToken, pageUrl: `/${time}?${padding}` })
  }
  const refusal = await client.take('error')
  expect(refusal).toMatchObject({ code: 'too_many_requests', refused: 'join_chat' })
  await eventually(() => expect(client.framesOf('error')).toHaveLength(200 - JOINS_OF_CHAT))
  expect(client.framesOf('chat_joined')).toHaveLength(JOINS_OF_CHAT + 1)
  expect((await readPages(sql, sessionId)).length).toBeLessThanOrEqual(MAX_STORED_PAGES)
  // the chat itself continues
  await say(client, sessionId, 'Still here')
  await admin.take('new_message', ({ message }) => message === 'Still here')
  await Promise.all([admin.close(), client.close()])
})

test('a chat may be open in a limited number of places, which links to it cannot take from its own device', async () => {
  const joinKey = crypto.randomUUID()
  const first = await openTestClient(nodes[0])
  onTestFinished(() => first.raw.terminate())
  first.send({ ...begin, joinKey })
  const { sessionId, resumeToken } = await first.take('chat_joined')
  const tab = async (own = {}) => {
    const opened = await openTestClient(nodes[0])
    onTestFinished(() => opened.raw.terminate())
    opened.send({ ...begin, sessionId, resumeToken, ...own })
    return opened
  }
  const tabs = await Promise.all(Array.from({ length: SLOTS.sockets_of_chat.most }, () => tab()))
  await Promise.all(tabs.map((opened) => opened.take('chat_joined')))
  const late = await tab()
  expect(await late.take('error')).toMatchObject({ code: 'too_many_requests', retryAfterS: expect.any(Number) })
  await (await tab({ joinKey })).take('chat_joined')
  await tabs[0]?.close()
  late.send({ ...begin, sessionId, resumeToken })
  await late.take('chat_joined')
  // and all joins of a minute are used up
  for (let time = 0; time <= JOINS_OF_CHAT; time += 1) late.send({ ...begin, sessionId, resumeToken })
  await late.take('error', ({ code }) => code === 'too_many_requests')
  await (await tab({ joinKey })).take('chat_joined')
})

test('the sockets of one address are limited, and staff there can still connect', async () => {
  const address = newAddress()
  const opened = []
  for (let count = 0; count < SLOTS.sockets.most; count += 1) opened.push(await openTestClient(nodes[0], address))
  await expect(openTestClient(nodes[0], address)).rejects.toThrow('429')
  await (await joinStaff(nodes[0], { ...staff, ...address })).close()
  await (await openTestClient(nodes[0], newAddress())).close()
  for (const client of opened) client.raw.terminate()
  await eventually(async () => (await openTestClient(nodes[0], address)).close())
})

test('a chat can be resumed for 30 days after its last message', async () => {
  const chats = await Promise.all(['Old', 'Older'].map((name) => joinChat(nodes[0], name)))
  const [old, older] = chats as [Awaited<ReturnType<typeof joinChat>>, Awaited<ReturnType<typeof joinChat>>]
  for (const { client, sessionId } of chats) {
    await say(client, sessionId, 'Until then')
    await client.close()
  }
  const setBack = (sessionId: string, days: number) => sql`
    update events set recorded_at = now() - ${days * DAY_MS} * interval '1 millisecond'
    where stream in (${`chat-${sessionId}`}, ${`chat-messages-${sessionId}`})`
  await setBack(old.sessionId, 29)
  await setBack(older.sessionId, 31)
  const resume = async ({ sessionId, resumeToken }: (typeof chats)[number]) => {
    const client = await openTestClient(nodes[1])
    client.send({ ...begin, sessionId, resumeToken })
    return client
  }
  await (await resume(old)).take('chat_joined')
  expect(await (await resume(older)).take('error')).toMatchObject({ code: 'unknown_session' })
})
