import { expect, test } from 'vitest'
import { connectRedis } from '../../events/log/redis.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { chatList } from '../../events/wire/chat.ts'
import { joinChat, joinStaff } from './test-client.ts'

const GHOST_TIMEOUT_MS = 60_000

const { nodes, startNode, stores } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[0])
const console = await joinStaff(nodes[0], staff)

const follow = (...sessionIds: string[]) => console.send({ type: 'follow_visitors', sessionIds })

/** What the console was told last of where a visitor is. */
const told = (sessionId: string) =>
  console
    .framesOf('visitors_here')
    .flatMap(({ chats }) => chats)
    .findLast((chat) => chat.sessionId === sessionId)?.here

const isHere = (sessionId: string) =>
  eventually(() => {
    const here = told(sessionId)
    expect(here?.since).toEqual(expect.any(String))
    return here
  }, GHOST_TIMEOUT_MS)

const hasLeft = (sessionId: string) => eventually(() => expect(told(sessionId)).toBeNull(), GHOST_TIMEOUT_MS)

test('who leaves is gone, a node that is killed leaves nobody behind, and emptied Redis fills at once', async () => {
  const doomed = await startNode()
  const [gone, stays, left] = [
    await joinChat(doomed, 'Gone'),
    await joinChat(nodes[1], 'Stays'),
    await joinChat(nodes[1], 'Leaves'),
  ]
  follow(gone.sessionId, stays.sessionId, left.sessionId)
  await Promise.all([gone, stays, left].map(({ sessionId }) => isHere(sessionId)))
  const redis = connectRedis(stores.redisUrl)
  const keys = () => redis.keys(`*chat-here:${stays.sessionId}`)
  expect(await redis.del(...(await redis.keys('*chat-here*')))).toBeGreaterThanOrEqual(3)
  await eventually(async () => expect(await keys()).toHaveLength(1))
  doomed.kill('SIGKILL')
  await left.client.close()
  await Promise.all([gone, left].map(({ sessionId }) => hasLeft(sessionId)))
  const response = await nodes[0].call('/api/chats?state=active', { headers: staff })
  const listed = new Map(exactly(chatList, await response.json()).map(({ sessionId, here }) => [sessionId, here]))
  expect(listed.get(left.sessionId)).toBeNull()
  // nobody was told that they had left meanwhile
  const all = console.framesOf('visitors_here').flatMap(({ chats }) => chats)
  expect(all.filter((chat) => chat.sessionId === stays.sessionId && !chat.here)).toEqual([])
  // who comes later is told of those who are here at once, and soon of those who have left
  const late = await joinStaff(nodes[1], staff)
  late.send({ type: 'follow_visitors', sessionIds: [gone, stays, left].map(({ sessionId }) => sessionId) })
  expect((await late.take('visitors_here')).chats).toMatchObject([{ sessionId: stays.sessionId, here: {} }])
  expect((await late.take('visitors_here')).chats).toEqual(
    [gone, left].map(({ sessionId }) => ({ sessionId, here: null })),
  )
  await late.close()
  redis.disconnect()
  await stays.client.close()
})
