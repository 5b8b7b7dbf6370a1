import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatActivityStreams, chatErased } from '../../events/chat/activity.ts'
import type { ListedChat } from '../../events/chat/store/list.ts'
import { openAppender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { readNewest } from '../../events/log/read.ts'
import { fillChat } from '../../events/testing/fill-chat.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const LEAD = { name: 'Ana Botha', email: 'ana@example.co.za', phone: '+27 82 555 0199' }

const { database, node, sql } = await startProduct()
const staff = await signIn(node)
const admin = await joinStaff(node, staff)

const startChat = async (visitorName: string, visitorEmail = '') => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName, visitorEmail, pageUrl: '/pricing' })
  const { sessionId, resumeToken } = await client.take('chat_joined')
  return { client, sessionId, resumeToken }
}

const endChat = async ({ client, sessionId }: { client: TestClient; sessionId: string }) => {
  client.send({ type: 'end_chat', sessionId })
  await client.take('chat_ended')
  await client.close()
}

const list = async (query: Record<string, string> = {}) => {
  const response = await node.call(`/api/chats?${new URLSearchParams(query)}`, { headers: staff })
  expect(response.status).toBe(200)
  return { chats: (await response.json()) as ListedChat[], link: response.headers.get('link') }
}
const namesOf = ({ chats }: { chats: ListedChat[] }) => chats.map(({ visitorName }) => visitorName)

const read = async (sessionId: string) => (await node.call(`/api/chats/${sessionId}`, { headers: staff })).json()
const makeLead = (sessionId: string, fields: object = LEAD) => node.post(`/api/chats/${sessionId}/lead`, fields, staff)
const sendTranscript = (sessionId: string) =>
  node.call(`/api/chats/${sessionId}/transcript`, { method: 'POST', headers: staff })

test('all of it is for staff', async () => {
  const id = randomUUID()
  for (const path of ['/api/chats', '/api/chats/waiting', `/api/chats/${id}`])
    expect((await node.call(path)).status).toBe(401)
  for (const call of ['lead', 'transcript'])
    expect((await node.post(`/api/chats/${id}/${call}`, LEAD)).status).toBe(401)
})

describe('the list of chats', () => {
  let going: Awaited<ReturnType<typeof startChat>>

  beforeAll(async () => {
    const early = await startChat('Early Ed', 'Ed@Example.com')
    await say(early.client, early.sessionId, 'Do you do 100% organic_websites?')
    await say(admin, early.sessionId, 'We bake "bread" ☕')
    await endChat(early)
    await endChat(await startChat('Late Lee'))
    going = await startChat('Going Gia')
    await eventually(async () => {
      expect((await list({ state: 'ended' })).chats).toHaveLength(2)
      expect((await list({ state: 'active' })).chats).toHaveLength(1)
      expect((await list()).chats.find(({ visitorName }) => visitorName === 'Early Ed')?.lastSequence).toBe(2)
    })
  })

  test('has ended and active ones, newest first, a page at a time', async () => {
    expect(namesOf(await list())).toEqual(['Going Gia', 'Late Lee', 'Early Ed'])
    expect(namesOf(await list({ state: 'ended' }))).toEqual(['Late Lee', 'Early Ed'])
    expect(namesOf(await list({ state: 'active' }))).toEqual(['Going Gia'])
    const first = await list({ state: 'ended', limit: '1' })
    expect(namesOf(first)).toEqual(['Late Lee'])
    const next = new URL(/<(.+)>; rel="next"/.exec(first.link ?? '')?.[1] ?? '')
    const second = await list(Object.fromEntries(next.searchParams))
    expect(namesOf(second)).toEqual(['Early Ed'])
    expect(second.link).toBeNull()
    expect(second.chats[0]).toMatchObject({
      visitorEmail: 'Ed@Example.com',
      isActive: false,
      endTime: expect.stringMatching(/Z$/),
      lastSequence: 2,
      lastActivity: expect.stringMatching(/Z$/),
      leadId: null,
      receipts: { visitor: { delivered: 0, seen: 0 }, admin: { delivered: 0, seen: 0 } },
    })
  })

  test.each([
    ['EARLY', ['Early Ed']],
    ['ed@example', ['Early Ed']],
    ['100% organic', ['Early Ed']],
    ['"bread" ☕', ['Early Ed']],
    ['c_web', ['Early Ed']],
    ['c%web', []],
    ['e', ['Late Lee', 'Early Ed']],
    ['\u0000', []],
    ["'; drop table events; --", []],
    ['x'.repeat(10_240), []],
    ['  ', ['Late Lee', 'Early Ed']],
  ])('is searched by name, address and messages: %j', async (q, names) => {
    expect(namesOf(await list({ state: 'ended', q }))).toEqual(names)
  })

  test.each([{ state: 'both' }, { limit: '0' }, { limit: 'x' }, { cursor: 'x' }, { q: 'x'.repeat(10_241) }])(
    'refuses %j',
    async (query) => {
      const response = await node.call(`/api/chats?${new URLSearchParams(query as never)}`, { headers: staff })
      expect(response.status).toBe(422)
    },
  )

  afterAll(() => going.client.close())
})

describe('a chat', () => {
  test('is read with its messages, pages, receipts, lead and transcripts', async () => {
    const { client, sessionId, resumeToken } = await startChat('Reader', 'reader@example.co.za')
    await say(client, sessionId, 'hello')
    await say(admin, sessionId, 'good day')
    client.send({ type: 'receipt', sessionId, delivered: 2, seen: 2 })
    await admin.take('receipt', (frame) => frame.sessionId === sessionId)
    const back = await openTestClient(node)
    back.send({ type: 'join_chat', visitorName: 'Reader', sessionId, resumeToken, pageUrl: '/faq' })
    await admin.take('page_viewed', (frame) => frame.sessionId === sessionId)
    expect((await sendTranscript(sessionId)).status).toBe(202)
    const { id: leadId } = await (await makeLead(sessionId)).json()
    const timestamp = expect.stringMatching(/Z$/)
    expect(await read(sessionId)).toEqual({
      session: expect.objectContaining({ sessionId, visitorName: 'Reader', isActive: true }),
      messages: [
        expect.objectContaining({ sequence: 1, message: 'hello', senderName: 'Reader' }),
        expect.objectContaining({
          sequence: 2,
          senderName: 'Support Team',
          staffName: 'thandi',
          by: expect.any(String),
        }),
      ],
      endedBy: null,
      isErased: false,
      hasEarlierMessages: false,
      pages: [
        { pageUrl: '/pricing', timestamp },
        { pageUrl: '/faq', timestamp },
      ],
      receipts: { visitor: { delivered: 2, seen: 2 }, admin: { delivered: 0, seen: 0 } },
      leadId,
      knownLeadId: null,
      waitingLead: null,
      earlierChats: [],
      link: expect.stringContaining(`/#chat=${sessionId}.0-`),
      transcripts: [{ timestamp, by: 'thandi', upTo: 2 }],
      linkRevocations: [],
      assignments: [expect.objectContaining({ version: 1, reason: 'answer', note: null })],
      rating: null,
    })
    await Promise.all([client.close(), back.close()])
  })

  test.each(['visitor', 'admin'])('shows who ended it: %s', async (endedBy) => {
    const { client, sessionId } = await startChat(`Ended by ${endedBy}`)
    const ending = endedBy === 'visitor' ? client : admin
    ending.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
    expect(await read(sessionId)).toMatchObject({ endedBy, session: { isActive: false } })
    await client.close()
  })

  test('with very many messages is read from its end, earlier messages on demand', async () => {
    const { client, sessionId } = await startChat('Talkative')
    await fillChat(database.url, { sessionId, count: 1_200, textOf: (number) => `message ${number}` })
    const readBefore = async (query = '') => {
      const { messages, hasEarlierMessages } = await read(`${sessionId}${query}`)
      return { from: messages[0]?.sequence, to: messages.at(-1)?.sequence, hasEarlierMessages }
    }
    expect(await readBefore()).toEqual({ from: 701, to: 1200, hasEarlierMessages: true })
    expect(await readBefore('?before=701')).toEqual({ from: 201, to: 700, hasEarlierMessages: true })
    expect(await readBefore('?before=201')).toEqual({ from: 1, to: 200, hasEarlierMessages: false })
    expect((await node.call(`/api/chats/${sessionId}?before=x`, { headers: staff })).status).toBe(422)
    await client.close()
  })

  test.each([randomUUID(), 'x', '%00'])('that does not exist is not found: %s', async (id) => {
    expect((await node.call(`/api/chats/${id}`, { headers: staff })).status).toBe(404)
    expect((await makeLead(id)).status).toBe(404)
    expect((await sendTranscript(id)).status).toBe(404)
  })
})

describe('a transcript', () => {
  test('is requested once as long as there is no new message, and names the address only in personal data', async () => {
    const { client, sessionId } = await startChat('Transcribed', ' Ana@Example.co.za ')
    await say(client, sessionId, 'one')
    for (const answer of await Promise.all(Array.from({ length: 5 }, () => sendTranscript(sessionId)))) {
      expect(answer.status).toBe(202)
    }
    await say(client, sessionId, 'two')
    expect((await sendTranscript(sessionId)).status).toBe(202)
    const asked = await readNewest(sql, chatActivityStreams.of(sessionId), {
      limit: 10,
      types: ['ChatTranscriptRequested'],
    })
    const about = { personal: { to: 'Ana@Example.co.za' }, subjectId: sessionId }
    expect(asked).toMatchObject([
      { id: deterministicUuid('transcript', sessionId, '1'), data: { upTo: 1 }, ...about },
      { id: deterministicUuid('transcript', sessionId, '2'), data: { upTo: 2 }, ...about },
    ])
    expect(JSON.stringify(asked.map(({ data }) => data))).not.toContain('Ana')
    await client.close()
  })

  test.each([
    ['without an address', '', 'The visitor gave no email address to send to'],
    ['with what is no address', 'not an address', 'The visitor gave no email address to send to'],
    ['of nothing', 'ana@example.co.za', 'This chat has no messages yet'],
  ])('%s is refused', async (_, email, message) => {
    const { client, sessionId } = await startChat('Refused', email)
    if (message.includes('address')) await say(client, sessionId, 'hello')
    const response = await sendTranscript(sessionId)
    expect(response.status).toBe(422)
    expect((await response.json()).errors[0]).toMatchObject({ message })
    await client.close()
  })
})

test('an erased chat is shown without the person, and not found by their data', async () => {
  const { client, sessionId } = await startChat('Vanishing Vi', 'vi@example.co.za')
  await say(client, sessionId, 'my secret plan')
  await eventually(async () => expect(namesOf(await list({ q: 'secret plan' }))).toEqual(['Vanishing Vi']))
  const log = openAppender(database.url, { keys: TEST_KEYS })
  await log.append({
    stream: chatActivityStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatErased({ by: randomUUID() }) }],
  })
  await log.close()
  await eventually(async () => {
    for (const q of ['secret plan', 'vanishing', 'vi@example']) expect(namesOf(await list({ q }))).toEqual([])
  })
  await client.close()
})

test('a chat waits until it has ended or staff have replied to its last message, seen or not', async () => {
  const waiting = async () => (await node.call('/api/chats/waiting', { headers: staff })).json()
  const { count: before } = await waiting()
  const isWaiting = (more: number) =>
    eventually(async () => expect(await waiting()).toMatchObject({ count: before + more, handed: [] }))
  const unanswered = async () =>
    (await waiting()).newest.map(({ visitorName }: { visitorName: string }) => visitorName).slice(0, 3)
  const [first, second, third] = [await startChat('One'), await startChat('Two'), await startChat('Three')]
  for (const { client, sessionId } of [first, second, third]) await say(client, sessionId, 'Hello?')
  await isWaiting(3)
  expect(await unanswered()).toEqual(['Three', 'Two', 'One'])
  await say(admin, first.sessionId, 'Good day')
  await isWaiting(2)
  expect((await unanswered()).slice(0, 2)).toEqual(['Three', 'Two'])
  admin.send({ type: 'receipt', sessionId: second.sessionId, delivered: 1, seen: 1 })
  await say(admin, second.sessionId, 'Good day to you')
  await isWaiting(1)
  await say(second.client, second.sessionId, 'And now?')
  await isWaiting(2)
  admin.send({ type: 'receipt', sessionId: second.sessionId, delivered: 3, seen: 3 })
  admin.send({ type: 'receipt', sessionId: third.sessionId, delivered: 1, seen: 1 })
  await say(second.client, second.sessionId, 'Still there?')
  await isWaiting(2)
  await say(admin, second.sessionId, 'Still here')
  await isWaiting(1)
  await say(second.client, second.sessionId, 'Thank you')
  await isWaiting(2)
  await endChat(third)
  await isWaiting(1)
  for (const each of [first, second]) await endChat(each)
  await isWaiting(0)
})
