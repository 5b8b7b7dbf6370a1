import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { chatActivityStreams, chatErased } from '../../events/chat-activity.ts'
import { openAppender } from '../../events/log/append.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { type FrameOf, joinStaff, openTestClient, say } from './test-client.ts'

/** The log is compared every 10 to 25 s. */
const COMPARED_WITHIN_MS = 40_000

const { database, nodes } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[1])
const admin = await joinStaff(nodes[1], staff)

/** A chat of somebody whose address is on a lead too. */
const startChat = async (name: string) => {
  const visitorEmail = `${name}@erased.example`
  const client = await openTestClient(nodes[0])
  client.send({ type: 'join_chat', visitorName: name, visitorEmail, pageUrl: '/' })
  const { sessionId, resumeToken } = await client.take('chat_joined')
  await say(client, sessionId, 'for your ears only')
  const lead = { name, email: visitorEmail, phone: '000 000 0000', leadSource: 'hero_form' }
  const { id: leadId } = await (await nodes[0].post('/api/leads', lead)).json()
  return { client, sessionId, resumeToken, leadId }
}

const isErasure = (sessionId: string) => (frame: FrameOf<'chat_ended'>) =>
  frame.sessionId === sessionId && frame.isErased === true

const erase = (leadId: string) =>
  eventually(async () => expect((await nodes[1].post(`/api/leads/${leadId}/erase`, {}, staff)).status).toBe(204))

test('a chat that is erased while it goes on ends as erased for its visitor and for staff, on all nodes', async () => {
  const { client, sessionId, resumeToken, leadId } = await startChat('zola')
  await erase(leadId)
  await client.take('chat_ended', isErasure(sessionId))
  await admin.take('chat_ended', isErasure(sessionId))
  client.send({ type: 'send_message', sessionId, message: 'still here', clientMessageId: 'late' })
  expect(await client.take('error')).toMatchObject({ code: 'chat_ended', clientMessageId: 'late' })
  const back = await openTestClient(nodes[1])
  back.send({ type: 'join_chat', visitorName: 'zola', sessionId, resumeToken })
  await back.take('chat_ended', isErasure(sessionId))
  await Promise.all([client, back].map((each) => each.close()))
})

test('staff are told of the erasure of a chat that was over long before', async () => {
  const { client, sessionId, leadId } = await startChat('ayanda')
  client.send({ type: 'end_chat', sessionId })
  await admin.take('chat_ended', (frame) => frame.sessionId === sessionId)
  await client.close()
  await erase(leadId)
  await admin.take('chat_ended', isErasure(sessionId))
})

test('an erasure that nobody told of is found in the log, and told to the visitor once', async () => {
  const { client, sessionId } = await startChat('sizwe')
  const log = openAppender(database.url, { keys: TEST_KEYS })
  await log.append({
    stream: chatActivityStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatErased({ by: randomUUID() }) }],
  })
  await log.close()
  await Promise.all([
    client.take('chat_ended', isErasure(sessionId), COMPARED_WITHIN_MS),
    admin.take('chat_ended', isErasure(sessionId), COMPARED_WITHIN_MS),
  ])
  expect(client.framesOf('chat_ended').filter(isErasure(sessionId))).toHaveLength(1)
  await client.close()
})

test('a chat whose visitor left neither a lead nor an address is erased by an owner, and by nobody else', async () => {
  const client = await openTestClient(nodes[0])
  client.send({ type: 'join_chat', visitorName: 'lindiwe', visitorEmail: '', pageUrl: '/' })
  const { sessionId } = await client.take('chat_joined')
  await say(client, sessionId, 'for your ears only')
  const account = { username: 'ben', displayName: 'Ben', password: 'the password of an account', role: 'agent' }
  await nodes[1].post('/api/accounts', account, staff)
  const signedIn = await nodes[1].post('/api/login', { username: account.username, password: account.password })
  const agent = { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const eraseAs = async (headers: Record<string, string>, id = sessionId) =>
    (await nodes[1].post(`/api/chats/${id}/erase`, {}, headers)).status
  expect([await eraseAs({}), await eraseAs(agent), await eraseAs(staff, randomUUID())]).toEqual([401, 403, 404])
  await say(client, sessionId, 'still here')

  expect(await eraseAs(staff)).toBe(204)
  await Promise.all([client, admin].map((each) => each.take('chat_ended', isErasure(sessionId))))
  expect(await eraseAs(staff)).toBe(204)
  const record = await eventually(async () => {
    const text = await (await nodes[0].call(`/api/chats/${sessionId}`, { headers: staff })).text()
    expect(text).not.toMatch(/lindiwe|ears only|still here/)
    return JSON.parse(text)
  })
  expect(record).toMatchObject({ isErased: true, session: { isActive: false } })
  await client.close()
})
