import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { chatList } from '../../events/chat/wire.ts'
import { connectRedis } from '../../events/stores/redis/redis.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, type TestClient } from '../testing/socket-client.ts'

/** Well before a typing signal of a staff member expires (6 s), or a silent node is dropped. */
const AT_ONCE_MS = 4_500
/** The time for which a dead node may count as alive, with a margin. */
const GHOST_TIMEOUT_MS = 60_000

const COLLEAGUE = { username: 'sipho', displayName: 'Sipho M.', password: 'another long password', role: 'agent' }

const { nodes, startNode, stores } = await startProduct({ nodes: 2 })
const owner = await signIn(nodes[0])
expect((await nodes[0].post('/api/accounts', COLLEAGUE, owner)).status).toBe(201)
const response = await nodes[1].post('/api/login', COLLEAGUE)
const colleague = { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
const thandi = await joinStaff(nodes[0], owner)
const sipho = await joinStaff(nodes[1], colleague)

test('a killed node leaves no ghosts, and a stopped one none for a moment', async () => {
  const names = async (node: TestNode, cookie: { cookie: string }) =>
    (await (await node.call('/api/me', { headers: cookie })).json()).id
  const ids = { thandi: await names(nodes[0], owner), sipho: await names(nodes[1], colleague) }
  const watch = (client: TestClient, id: string) => client.send({ type: 'watch', sessionId: id })
  /** Waits until the last frame of a console about a session names these viewers. */
  const areViewers = (client: TestClient, id: string, staffIds: string[], timeoutMs = 30_000) =>
    eventually(() => {
      const last = client.framesOf('presence').findLast((frame) => frame.sessionId === id)
      expect(last?.staff.map(({ staffId }) => staffId)).toEqual(staffIds)
    }, timeoutMs)

  const [killed, stopped] = await Promise.all([startNode(), startNode()])
  const [onKilled, onStopped] = [await joinStaff(killed, colleague), await joinStaff(stopped, owner)]
  const [first, second] = [randomUUID(), randomUUID()]
  watch(onKilled, first)
  watch(onStopped, second)
  await areViewers(thandi, first, [ids.sipho])
  await areViewers(sipho, second, [ids.thandi])
  killed.kill('SIGKILL')
  await stopped.stop()
  await areViewers(sipho, second, [], AT_ONCE_MS)
  for (const client of [thandi, sipho]) await areViewers(client, first, [], GHOST_TIMEOUT_MS)
})

test('visitors who leave are gone, a killed node leaves none behind, and an emptied Redis fills at once', async () => {
  const follow = (client: TestClient, ...sessionIds: string[]) => client.send({ type: 'follow_visitors', sessionIds })
  /** The page of a visitor in the console's last frame. */
  const hereOf = (sessionId: string) =>
    thandi
      .framesOf('visitors_here')
      .flatMap(({ chats }) => chats)
      .findLast((chat) => chat.sessionId === sessionId)?.here
  const isHere = (sessionId: string) =>
    eventually(() => expect(hereOf(sessionId)?.since).toEqual(expect.any(String)), GHOST_TIMEOUT_MS)
  const hasLeft = (sessionId: string) => eventually(() => expect(hereOf(sessionId)).toBeNull(), GHOST_TIMEOUT_MS)

  const doomed = await startNode()
  const [gone, stays, left] = [
    await joinChat(doomed, 'Gone'),
    await joinChat(nodes[1], 'Stays'),
    await joinChat(nodes[1], 'Leaves'),
  ]
  const all = [gone, stays, left].map(({ sessionId }) => sessionId)
  follow(thandi, ...all)
  await Promise.all(all.map(isHere))
  const redis = connectRedis(stores.redisUrl)
  const keys = () => redis.keys('*chat-presence*')
  expect(await redis.del(...(await keys()))).toBeGreaterThanOrEqual(3)
  await eventually(async () => expect(await keys()).toHaveLength(4))
  redis.disconnect()
  doomed.kill('SIGKILL')
  await left.client.close()
  await Promise.all([gone, left].map(({ sessionId }) => hasLeft(sessionId)))
  const listing = await nodes[0].call('/api/chats?state=active', { headers: owner })
  const listed = new Map(exactly(chatList, await listing.json()).map(({ sessionId, here }) => [sessionId, here]))
  expect(listed.get(left.sessionId)).toBeNull()
  // no console was sent that the other visitor had left
  const sent = thandi.framesOf('visitors_here').flatMap(({ chats }) => chats)
  expect(sent.filter((chat) => chat.sessionId === stays.sessionId && !chat.here)).toEqual([])
  // a console that joins later is sent the present visitors at once, and soon those who have left
  const late = await joinStaff(nodes[1], owner)
  follow(late, ...all)
  expect((await late.take('visitors_here')).chats).toMatchObject([{ sessionId: stays.sessionId, here: {} }])
  expect((await late.take('visitors_here')).chats).toEqual(
    [gone, left].map(({ sessionId }) => ({ sessionId, here: null })),
  )
  await late.close()
  await stays.client.close()
})
