import { expect, test } from 'vitest'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from './test-client.ts'

/** What a visitor may write at once, and some more. */
const BURST = 200
const MANY = 3_000

const { node } = await startProduct()

/** Sends this many messages without waiting for an answer. */
const pour = (client: TestClient, sessionId: string, count: number, name = 'm') => {
  for (let index = 1; index <= count; index += 1) {
    client.send({ type: 'send_message', sessionId, message: 'x'.repeat(1_000), clientMessageId: `${name}${index}` })
  }
}

const refusalsOf = (client: TestClient) => client.framesOf('error').filter(({ code }) => code === 'too_many_requests')

test("a visitor's flood is refused message by message, and others chat on meanwhile", async () => {
  const admin = await joinStaff(node, await signIn(node))
  const [flooder, other] = await Promise.all([joinChat(node, 'Flooder'), joinChat(node, 'Other')])
  pour(flooder.client, flooder.sessionId, MANY)
  await flooder.client.take('error', ({ code }) => code === 'too_many_requests')
  for (const text of ['one', 'two', 'three']) {
    await say(other.client, other.sessionId, text)
    await admin.take('new_message', ({ message }) => message === text)
  }
  await flooder.client.take('error', ({ clientMessageId }) => clientMessageId === `m${MANY}`)
  const accepted = flooder.client.framesOf('message_accepted')
  expect(accepted.length).toBeGreaterThanOrEqual(BURST)
  expect(accepted.length + refusalsOf(flooder.client).length).toBe(MANY)
  // as many more as seconds have gone by
  expect(accepted.length).toBeLessThan(BURST + 60)
  await Promise.all([admin, flooder.client, other.client].map((client) => client.close()))
})

test('neither another connection nor a second one gives a visitor more, and what was refused goes in later', async () => {
  const { client, sessionId, resumeToken } = await joinChat(node)
  pour(client, sessionId, BURST)
  await client.take('message_accepted', ({ clientMessageId }) => clientMessageId === `m${BURST}`)
  await client.close()
  const back = await openTestClient(node)
  back.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, afterSequence: BURST })
  await back.take('chat_history')
  pour(back, sessionId, 50, 'n')
  const refused = await back.take('error', ({ code }) => code === 'too_many_requests')
  expect(refused.message).toMatch(/^You're sending messages too quickly/)
  await back.take('error', ({ clientMessageId }) => clientMessageId === 'n50')
  await eventually(() => {
    pour(back, sessionId, 1, 'later')
    expect(back.framesOf('message_accepted').some(({ clientMessageId }) => clientMessageId === 'later1')).toBe(true)
  })
  const told = () => back.framesOf('new_message').filter(({ clientMessageId }) => clientMessageId === 'later1')
  await eventually(() => expect(told()).toHaveLength(1))
  await back.close()
})

test('staff may write more than a visitor', async () => {
  const admin = await joinStaff(node, await signIn(node))
  const { client, sessionId } = await joinChat(node)
  pour(admin, sessionId, BURST + 50)
  await admin.take('message_accepted', ({ clientMessageId }) => clientMessageId === `m${BURST + 50}`)
  expect(refusalsOf(admin)).toEqual([])
  await Promise.all([admin, client].map((each) => each.close()))
})

test('frames of any kind have a limit, and others chat on meanwhile', async () => {
  const { client, sessionId } = await joinChat(node, 'Script', { 'x-forwarded-for': '198.51.100.66' })
  const other = await joinChat(node, 'Other')
  const frames = [
    { type: 'join_chat', visitorName: 'Script', pageUrl: '/' },
    { type: 'receipt', sessionId, delivered: 1, seen: 1 },
    { type: 'end_chat', sessionId },
    { type: 'ping' },
  ]
  for (let index = 0; index < MANY; index += 1) client.send(frames[index % frames.length] ?? {})
  await client.take('error', ({ code, refused }) => code === 'too_many_requests' && refused === 'ping')
  await say(other.client, other.sessionId, 'one')
  const refused = new Set(refusalsOf(client).map((refusal) => refusal.refused))
  expect([...refused].toSorted()).toEqual(['end_chat', 'join_chat', 'ping', 'receipt'])
  expect(refusalsOf(client)[0]).toMatchObject({
    retryAfterS: expect.any(Number),
    message: expect.stringMatching(/\.$/),
  })
  await Promise.all([client, other.client].map((each) => each.close()))
})
