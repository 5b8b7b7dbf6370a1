import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, testRedisUrl } from '../../events/local/test-database.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../../events/local/test-node.ts'
import type { TestProcess } from '../../events/local/test-process.ts'
import { openAppender } from '../../events/log/append.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from './test-client.ts'

/** The longest that a node goes without comparing with the log, and some more. */
const CHECK_TIMEOUT_MS = 27_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let nodes: [TestNode, TestNode]
let worker: TestProcess
let staff: { cookie: string }
let admin: TestClient
let unpublished: { client: TestClient; staff: TestClient; sessionId: string; id: string }
let signedOut: { client: TestClient; otherNode: TestClient; closed: Promise<number[]> }

/** Stores a message as a node does whose bus is down: nobody is told. */
const storeSilently = async (sessionId: string) => {
  const log = openAppender(database.url, { onCommit: () => {} })
  const id = randomUUID()
  const data = { senderType: 'admin' as const, clientMessageId: null }
  const personal = { senderName: 'Support Team', message: 'nobody was told' }
  await log.append({
    stream: `chat-messages-${sessionId}`,
    expectedVersion: 'any',
    events: [{ id, type: 'ChatMessagePosted', data, subjectId: sessionId, personal }],
  })
  await log.close()
  return id
}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test' })
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[nodes, worker] = await Promise.all([
    Promise.all([startTestNode(stores), startTestNode(stores)]),
    startTestWorker(stores),
  ])
  staff = await signIn(nodes[0])

  // these two take up to 25 s: they go on beside all that follows, and are looked at in the end
  const { client, sessionId } = await joinChat(nodes[0], 'Unpublished')
  unpublished = { client, sessionId, staff: await joinStaff(nodes[1], staff), id: await storeSilently(sessionId) }
  const leaving = await signIn(nodes[1])
  const [first, second] = await Promise.all([joinStaff(nodes[0], leaving), joinStaff(nodes[1], leaving)])
  await nodes[0].call('/api/logout', { method: 'POST', headers: leaving })
  signedOut = { client: first, otherNode: second, closed: Promise.all([first.closed, second.closed]) }

  admin = await joinStaff(nodes[1], staff)
})

afterAll(async () => {
  await Promise.all([...nodes, worker].map((process) => process.stop()))
  await sql.end()
  await database.drop()
})

const countMessages = async (sessionId: string) => {
  const [row] = await sql<{ messages: number }[]>`
    select count(*) as messages from events where stream = ${`chat-messages-${sessionId}`}`
  return row?.messages
}

const resume = async (node: TestNode, frame: { sessionId: string; resumeToken: string; afterSequence?: number }) => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', ...frame })
  return client
}

describe('joining', () => {
  test('answers chat_joined, and tells staff on the other node of the new session', async () => {
    const { client, sessionId } = await joinChat(nodes[0], '  New Visitor ')
    const [joined] = client.framesOf('chat_joined')
    expect(joined).toEqual({
      type: 'chat_joined',
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: expect.stringMatching(/./),
      resumeToken: expect.stringMatching(/^[\w-]{20,}$/),
      resumed: false,
    })
    const told = await admin.take('new_chat_session', (frame) => frame.sessionId === sessionId)
    expect(told).toMatchObject({ visitorName: 'New Visitor', visitorEmail: null, pageUrl: '/pricing', isActive: true })
    await client.close()
  })

  test('shows staff who come later the sessions that go on, the newest first', async () => {
    const visitors = [await joinChat(nodes[0], 'First'), await joinChat(nodes[1], 'Second')]
    const late = await joinStaff(nodes[0], staff)
    const names = late.framesOf('active_sessions')[0]?.sessions.map(({ visitorName }) => visitorName) ?? []
    expect(names.slice(0, 2)).toEqual(['Second', 'First'])
    await Promise.all([late, ...visitors.map(({ client }) => client)].map((client) => client.close()))
  })

  test('needs a name', async () => {
    const client = await openTestClient(nodes[0])
    client.send({ type: 'join_chat', visitorName: '   ', pageUrl: '/' })
    const error = await client.take('error')
    expect(error).toMatchObject({ code: 'bad_frame', message: 'Please enter your name to start chatting.' })
    await client.close()
  })
})

describe('a message', () => {
  test('is accepted by its sender and reaches every participant on both nodes, the sender too', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    const secondTab = await resume(nodes[1], { sessionId, resumeToken })
    await secondTab.take('chat_history')
    const accepted = await say(client, sessionId, ' Hello there ', 'm-1')
    expect(accepted).toEqual({
      type: 'message_accepted',
      clientMessageId: 'm-1',
      id: expect.any(String),
      sequence: 1,
      timestamp: expect.stringMatching(/Z$/),
    })
    const { type: _, ...stored } = accepted
    const frame = {
      ...stored,
      type: 'new_message',
      sessionId,
      senderType: 'visitor',
      senderName: 'Ana',
      message: 'Hello there',
    }
    for (const participant of [client, secondTab, admin]) {
      expect(await participant.take('new_message', (news) => news.sessionId === sessionId)).toEqual(frame)
    }
    const reply = await say(admin, sessionId, 'Good day', 'm-1')
    expect(reply.sequence).toBe(2)
    for (const participant of [client, secondTab, admin]) {
      const news = await participant.take('new_message', (item) => item.sessionId === sessionId)
      expect(news).toMatchObject({ sequence: 2, senderType: 'admin', senderName: 'Support Team', message: 'Good day' })
    }
    await Promise.all([client.close(), secondTab.close()])
  })

  test('may come from a client that knows only the specification', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    client.send({ type: 'send_message', sessionId, senderType: 'visitor', senderName: 'Ana', message: 'plain' })
    expect(await client.take('message_accepted')).not.toHaveProperty('clientMessageId')
    const news = await client.take('new_message')
    expect(news).toMatchObject({ message: 'plain', sequence: 1 })
    expect(news).not.toHaveProperty('clientMessageId')
    await client.close()
  })

  test('has who its socket is for a sender, whatever the frame claims', async () => {
    const { client, sessionId } = await joinChat(nodes[0], 'Mallory')
    const forged = { senderType: 'admin', senderName: 'Support Team', id: 'x', sequence: 99, timestamp: 'never' }
    client.send({ ...forged, type: 'send_message', sessionId, message: 'trust me' })
    const news = await admin.take('new_message', (frame) => frame.sessionId === sessionId)
    expect(news).toMatchObject({ senderType: 'visitor', senderName: 'Mallory', sequence: 1 })
    expect(news.id).not.toBe('x')
    client.send({ type: 'typing', sessionId, senderType: 'admin', isTyping: true })
    expect(await admin.take('typing', (frame) => frame.sessionId === sessionId)).toMatchObject({
      senderType: 'visitor',
    })
    await client.close()
  })

  test('is stored once for a clientMessageId, and answers the same sequence again', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    const first = await say(client, sessionId, 'once', 'retry')
    await say(client, sessionId, 'between')
    const again = await say(client, sessionId, 'once', 'retry')
    expect(again).toEqual(first)
    const elsewhere = await resume(nodes[1], { sessionId, resumeToken, afterSequence: 2 })
    expect(await say(elsewhere, sessionId, 'once', 'retry')).toEqual(first)
    elsewhere.send({ type: 'send_message', sessionId, message: 'another text', clientMessageId: 'retry' })
    expect(await elsewhere.take('error')).toMatchObject({ code: 'id_reused', clientMessageId: 'retry' })
    expect(await countMessages(sessionId)).toBe(2)
    await say(client, sessionId, 'last')
    await client.take('new_message', ({ message }) => message === 'last')
    expect(client.framesOf('new_message').map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    await Promise.all([client.close(), elsewhere.close()])
  })

  test('of fifty senders at once on both nodes gets a sequence from 1 without holes, and everybody sees that order', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0], 'Crowd')
    const senders = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const node = nodes[index % 2] ?? nodes[0]
        return index % 5 === 0 ? joinStaff(node, staff) : resume(node, { sessionId, resumeToken })
      }),
    )
    const accepted = await Promise.all(
      senders.flatMap((sender, index) => [
        say(sender, sessionId, `${index} one`),
        say(sender, sessionId, `${index} two`),
      ]),
    )
    const expected = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(accepted.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(expected)
    const witnesses = [client, admin, ...senders]
    await eventually(() => {
      for (const witness of witnesses) {
        const seen = [
          ...witness.framesOf('chat_history').flatMap(({ messages }) => messages),
          ...witness.framesOf('new_message').filter((frame) => frame.sessionId === sessionId),
        ]
        expect(seen.map(({ sequence }) => sequence)).toEqual(expected)
      }
    })
    await Promise.all([client, ...senders].map((sender) => sender.close()))
  })
})

describe('coming back', () => {
  test('gives what was missed once, in order, as chat_history on either node, and what follows as new_message', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await say(client, sessionId, 'one')
    await client.close()
    for (const text of ['two', 'three', 'four']) await say(admin, sessionId, text)
    for (const node of nodes) {
      const back = await resume(node, { sessionId, resumeToken, afterSequence: 1 })
      expect(await back.take('chat_joined')).toMatchObject({ sessionId, resumeToken, resumed: true })
      const { messages } = await back.take('chat_history')
      expect(messages.map(({ message, sequence }) => `${sequence} ${message}`)).toEqual(['2 two', '3 three', '4 four'])
      expect(messages[0]).toMatchObject({ id: expect.any(String), senderType: 'admin', senderName: 'Support Team' })
      await back.close()
    }
    const back = await resume(nodes[1], { sessionId, resumeToken })
    expect((await back.take('chat_history')).messages).toHaveLength(4)
    await say(admin, sessionId, 'five')
    expect(await back.take('new_message')).toMatchObject({ sequence: 5, message: 'five', senderType: 'admin' })
    expect(back.frames.map(({ type }) => type)).toEqual(['chat_joined', 'chat_history', 'new_message'])
    await back.close()
  })

  test('while others write loses no message and doubles none', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    let isWriting = true
    const writing = (async () => {
      for (let count = 1; isWriting; count += 1) await say(admin, sessionId, `${count}`)
    })()
    const seen = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const back = await resume(nodes[index % 2] ?? nodes[0], { sessionId, resumeToken })
        await back.take('new_message')
        await back.take('new_message')
        await back.close()
        return [
          ...back.framesOf('chat_history').flatMap(({ messages }) => messages),
          ...back.framesOf('new_message'),
        ].map(({ sequence }) => sequence)
      }),
    )
    isWriting = false
    await writing
    for (const sequences of seen) expect(sequences).toEqual(sequences.map((_, index) => index + 1))
    await client.close()
  })

  test.each([
    ['a token of another session', async () => (await joinChat(nodes[0])).resumeToken],
    ['a forged token', async () => 'x'.repeat(43)],
    ['an empty token', async () => ''],
    ['no token', async () => undefined],
  ])('is refused with %s', async (_, token) => {
    const { client, sessionId } = await joinChat(nodes[0])
    await say(client, sessionId, 'private')
    const intruder = await openTestClient(nodes[0])
    intruder.send({ type: 'join_chat', visitorName: 'Eve', sessionId, resumeToken: await token(), afterSequence: 0 })
    expect(await intruder.take('error')).toMatchObject({ code: 'unknown_session' })
    intruder.send({ type: 'send_message', sessionId, message: 'hello' })
    expect(await intruder.take('error')).toMatchObject({ code: 'not_joined' })
    expect(intruder.frames.map(({ type }) => type)).toEqual(['error', 'error'])
    await Promise.all([client.close(), intruder.close()])
  })

  test.each([
    { sessionId: 'x' },
    { sessionId: 7 },
    { sessionId: randomUUID(), resumeToken: {} },
    { afterSequence: -1 },
  ])('is refused with fields of the wrong kind: %j', async (fields) => {
    const client = await openTestClient(nodes[0])
    client.send({ type: 'join_chat', visitorName: 'Ana', ...fields })
    expect(await client.take('error')).toMatchObject({ code: 'bad_frame' })
    await client.close()
  })
})

describe('a visitor', () => {
  test('reaches no session but their own', async () => {
    const [own, other] = await Promise.all([joinChat(nodes[0], 'Own'), joinChat(nodes[0], 'Other')])
    await say(other.client, other.sessionId, 'private')
    for (const type of ['send_message', 'get_messages', 'typing', 'end_chat']) {
      own.client.send({ type, sessionId: other.sessionId, message: 'hello', isTyping: true })
      expect(await own.client.take('error'), type).toMatchObject({ code: 'not_allowed' })
    }
    own.client.send({ type: 'get_messages', sessionId: own.sessionId })
    expect(await own.client.take('error')).toMatchObject({ code: 'not_allowed' })
    await say(own.client, own.sessionId, 'still alive')
    await own.client.take('new_message')
    expect(own.client.framesOf('new_message').map(({ message }) => message)).toEqual(['still alive'])
    expect(await countMessages(other.sessionId)).toBe(1)
    expect(other.client.framesOf('chat_ended')).toEqual([])
    await Promise.all([own.client.close(), other.client.close()])
  })

  test.each<Record<string, string>>([{}, { cookie: 'staff_session=forged.c2lnbmF0dXJl' }])(
    'is no staff: join_admin is refused (%j)',
    async (headers) => {
      const client = await openTestClient(nodes[0], headers)
      client.send({ type: 'join_admin' })
      expect(await client.take('error')).toMatchObject({ code: 'not_allowed' })
      client.send({ type: 'get_messages', sessionId: randomUUID() })
      expect(await client.take('error')).toMatchObject({ code: 'not_allowed' })
      expect(client.framesOf('active_sessions')).toEqual([])
      await client.close()
    },
  )
})

describe('staff', () => {
  test('read the history of any session, and of a chat that is not there nothing', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    await say(client, sessionId, 'one')
    await say(client, sessionId, 'two')
    admin.send({ type: 'get_messages', sessionId })
    const { messages } = await admin.take('chat_history', (frame) => frame.sessionId === sessionId)
    expect(messages.map(({ sequence, message }) => `${sequence} ${message}`)).toEqual(['1 one', '2 two'])
    const nowhere = randomUUID()
    admin.send({ type: 'send_message', sessionId: nowhere, message: 'hello?', clientMessageId: 'lost' })
    expect(await admin.take('error')).toMatchObject({ code: 'unknown_session', clientMessageId: 'lost' })
    expect(await countMessages(nowhere)).toBe(0)
    await client.close()
  })

  test('and visitors see each other type, and nothing of it is stored', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    const [before] = await sql`select last_position from log_head`
    client.send({ type: 'typing', sessionId, isTyping: true })
    expect(await admin.take('typing', (frame) => frame.sessionId === sessionId)).toEqual({
      type: 'typing',
      sessionId,
      senderType: 'visitor',
      isTyping: true,
    })
    admin.send({ type: 'typing', sessionId, isTyping: false })
    expect(await client.take('typing')).toEqual({ type: 'typing', sessionId, senderType: 'admin', isTyping: false })
    expect(await sql`select last_position from log_head`).toEqual([before])
    await client.close()
  })
})

describe('ending a chat', () => {
  test.each(['visitor', 'staff'])('by a %s tells all participants on both nodes, once', async (who) => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    const secondTab = await resume(nodes[1], { sessionId, resumeToken })
    await secondTab.take('chat_history')
    const ender = who === 'staff' ? admin : client
    ender.send({ type: 'end_chat', sessionId })
    for (const participant of [client, secondTab, admin]) {
      await participant.take('chat_ended', (frame) => frame.sessionId === sessionId)
    }
    ender.send({ type: 'end_chat', sessionId })
    client.send({ type: 'send_message', sessionId, message: 'one more', clientMessageId: 'late' })
    expect(await client.take('error')).toMatchObject({ code: 'chat_ended', clientMessageId: 'late' })
    admin.send({ type: 'send_message', sessionId, message: 'one more', clientMessageId: 'late' })
    expect(await admin.take('error')).toMatchObject({ code: 'chat_ended' })
    expect(client.framesOf('chat_ended')).toHaveLength(1)
    const late = await joinStaff(nodes[0], staff)
    expect(late.framesOf('active_sessions')[0]?.sessions.map((session) => session.sessionId)).not.toContain(sessionId)
    const back = await resume(nodes[1], { sessionId, resumeToken })
    await back.take('chat_history')
    await back.take('chat_ended')
    await Promise.all([client, secondTab, late, back].map((participant) => participant.close()))
  })

  test('leaves the socket free for a new chat', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    client.send({ type: 'join_chat', visitorName: 'Ana', pageUrl: '/' })
    expect(await client.take('error')).toMatchObject({ code: 'not_allowed' })
    client.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
    client.send({ type: 'join_chat', visitorName: 'Ana', pageUrl: '/' })
    const joined = await client.take('chat_joined')
    expect(joined.sessionId).not.toBe(sessionId)
    expect((await say(client, joined.sessionId, 'fresh')).sequence).toBe(1)
    await client.close()
  })
})

describe('within half a minute, without being told', () => {
  test(
    'a node finds a message that nobody published',
    async () => {
      const { client, sessionId, id } = unpublished
      for (const participant of [client, unpublished.staff]) {
        const news = await participant.take('new_message', (frame) => frame.sessionId === sessionId, CHECK_TIMEOUT_MS)
        expect(news).toMatchObject({ id, sequence: 1, message: 'nobody was told' })
      }
      await client.close()
    },
    CHECK_TIMEOUT_MS + 5_000,
  )

  test(
    'the sockets of staff who signed out are closed on both nodes',
    async () => {
      expect(await signedOut.closed).toEqual([4401, 4401])
      expect(admin.raw.readyState).toBe(admin.raw.OPEN)
    },
    CHECK_TIMEOUT_MS,
  )
})
