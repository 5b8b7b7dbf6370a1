import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { resume } from './test-chat.ts'
import { joinStaff, openTestClient } from './test-client.ts'

const { nodes } = await startProduct({ nodes: 2 })
const owner = await signIn(nodes[0])
const staff = await joinStaff(nodes[1], owner)

const setGreeting = async (version: number, text: string) => {
  const greetings = [{ page: '/', afterSeconds: 5, text, isAnyTime: true }]
  const response = await nodes[0].call('/api/settings/chat-greetings', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': `"${version}"`, ...owner },
    body: JSON.stringify({ greetings }),
  })
  expect(response.status).toBe(200)
}

/** A chat that was begun by a message, and how staff are told of it. */
const begin = async (node: TestNode, greeting: string) => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', joinKey: randomUUID(), greeting })
  const joined = await client.take('chat_joined')
  await client.close()
  return { joined, told: await staff.take('new_chat_session', ({ sessionId }) => sessionId === joined.sessionId) }
}

test('staff are told which message the visitor answered, and the visitor who comes back by a link', async () => {
  await setGreeting(0, 'Need help with a shop?')
  const { joined, told } = await begin(nodes[1], 'Need help with a shop?')
  expect([joined.greeting, told.greeting]).toEqual(['Need help with a shop?', 'Need help with a shop?'])
  const { sessionId, resumeToken } = joined
  const back = await resume(nodes[0], { sessionId, resumeToken })
  expect(await back.take('chat_joined')).toMatchObject({ greeting: 'Need help with a shop?' })
  await back.close()
  const record = await (await nodes[0].call(`/api/chats/${sessionId}`, { headers: owner })).json()
  expect(record.session).toMatchObject({ greeting: 'Need help with a shop?' })
})

test('one that owners have changed since the page was opened counts too, words that are none of theirs do not', async () => {
  await setGreeting(1, 'Need a hand?')
  for (const greeting of ['Need help with a shop?', 'Need a hand?'])
    expect((await begin(nodes[0], greeting)).told).toMatchObject({ greeting })
  for (const greeting of ['We refund all of it.', '', 'need a hand?']) {
    const { joined, told } = await begin(nodes[0], greeting)
    expect([joined, told].filter((frame) => 'greeting' in frame)).toEqual([])
  }
})

test('a text that is longer than any message is refused', async () => {
  const client = await openTestClient(nodes[0])
  client.send({ type: 'join_chat', visitorName: 'Ana', greeting: 'x'.repeat(201) })
  expect(await client.take('error')).toMatchObject({ code: 'bad_frame' })
  await client.close()
})
