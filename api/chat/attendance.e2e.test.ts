import { expect, test } from 'vitest'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { chatList } from '../../events/wire/chat.ts'
import { joinChat, joinStaff, openTestClient } from './test-client.ts'

const GHOST_TIMEOUT_MS = 60_000

const { nodes } = await startProduct({ nodes: 2 })
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

test('a console learns who of the chats that it shows is here, on which page and since when, over nodes', async () => {
  const [one, two] = [await joinChat(nodes[1], 'One'), await joinChat(nodes[1], 'Two')]
  follow(one.sessionId)
  const before = await isHere(one.sessionId)
  expect(before?.pageUrl).toBeNull()
  // nobody has asked for the other
  expect(told(two.sessionId)).toBeUndefined()
  // they go to another page, on another node
  await one.client.close()
  const next = await openTestClient(nodes[0])
  const { sessionId, resumeToken } = one
  next.send({ type: 'join_chat', visitorName: 'One', sessionId, resumeToken, pageUrl: '/contract/premium' })
  const { timestamp } = await console.take('page_viewed', (frame) => frame.sessionId === sessionId)
  follow(sessionId, two.sessionId)
  await isHere(two.sessionId)
  const listed = async () => {
    const response = await nodes[0].call('/api/chats?state=active', { headers: staff })
    return exactly(chatList, await response.json()).find((chat) => chat.sessionId === sessionId)?.here
  }
  await eventually(async () => expect(await listed()).toEqual({ pageUrl: '/contract/premium', since: timestamp }))
  // a console that joins now is told the same
  const late = await joinStaff(nodes[1], staff)
  late.send({ type: 'follow_visitors', sessionIds: [sessionId] })
  expect((await late.take('visitors_here')).chats).toEqual([
    { sessionId, here: { pageUrl: '/contract/premium', since: timestamp } },
  ])
  await Promise.all([late, next, two.client].map((client) => client.close()))
})

test('of a visitor who has just come the first that a console is told is that they are here', async () => {
  const { client, sessionId } = await joinChat(nodes[1], 'Fresh')
  follow(sessionId)
  const { chats } = await console.take('visitors_here', (frame) =>
    frame.chats.some((chat) => chat.sessionId === sessionId),
  )
  expect(chats).toEqual([{ sessionId, here: { pageUrl: null, since: expect.any(String) } }])
  await client.close()
})

test('only staff may follow visitors, and no more than a list shows', async () => {
  const { client, sessionId } = await joinChat(nodes[1])
  client.send({ type: 'follow_visitors', sessionIds: [sessionId] })
  expect(await client.take('error')).toMatchObject({ code: 'not_allowed', refused: 'follow_visitors' })
  console.send({ type: 'follow_visitors', sessionIds: Array.from({ length: 201 }, () => sessionId) })
  expect(await console.take('error')).toMatchObject({ code: 'bad_frame' })
  await client.close()
})
