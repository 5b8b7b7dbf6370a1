import { expect, test } from 'vitest'
import { fillChat } from '../../events/testing/fill-chat.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from './test-client.ts'

const LONG = 4_000

const { database, node } = await startProduct()

/** A chat in which the visitor has written so much, each message as long. */
const startLongChat = async (count: number, characters: number) => {
  const { client, sessionId, resumeToken } = await joinChat(node)
  await client.close()
  await fillChat(database.url, { sessionId, count, textOf: (number) => String(number).padEnd(characters, 'x') })
  return { sessionId, back: { type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken } }
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

const sequencesOf = (client: TestClient) =>
  client.framesOf('chat_history').flatMap(({ messages }) => messages.map(({ sequence }) => sequence))

test('an ordinary chat comes back in one frame, a long one in several, each message once and in order', async () => {
  const ordinary = await startLongChat(499, 100)
  const client = await openTestClient(node)
  client.send({ ...ordinary.back, afterSequence: 99 })
  await say(client, ordinary.sessionId, 'after it')
  expect(client.framesOf('chat_history').map(({ messages }) => messages.length)).toEqual([400])
  const long = await startLongChat(1_234, 100)
  client.send(long.back)
  await say(client, long.sessionId, 'after all')
  expect(client.framesOf('chat_history').map(({ messages }) => messages.length)).toEqual([400, 500, 500, 234])
  expect(sequencesOf(client).slice(400)).toEqual(range(1, 1_234))
  await client.take('new_message', ({ message }) => message === 'after all')
  await client.close()
})

test('what is said while somebody is brought up to date comes once, behind what they missed', async () => {
  const { sessionId, back } = await startLongChat(600, LONG)
  const admin = await joinStaff(node, await signIn(node))
  const client = await openTestClient(node)
  client.send(back)
  await client.take('chat_history')
  for (let count = 1; count <= 20; count += 1) await say(admin, sessionId, `answer ${count}`)
  const isThere = () => JSON.stringify(client.frames).includes('answer 20')
  await eventually(() => expect(isThere()).toBe(true))
  const live = client.framesOf('new_message').map(({ sequence }) => sequence)
  expect([...sequencesOf(client), ...live]).toEqual(range(1, 620))
  expect(client.frames.findLastIndex(({ type }) => type === 'chat_history')).toBeLessThan(
    client.frames.findIndex(({ type }) => type === 'new_message'),
  )
  await Promise.all([admin.close(), client.close()])
})

test('staff get the newest of a long chat at once, and ask for what is before it', async () => {
  const { sessionId } = await startLongChat(600, LONG)
  const staff = await signIn(node)
  const admin = await joinStaff(node, staff)
  admin.send({ type: 'get_messages', sessionId })
  const { messages } = await admin.take('chat_history')
  expect(messages.map(({ sequence }) => sequence)).toEqual(range(551, 600))
  await admin.close()
})
