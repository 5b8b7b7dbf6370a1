import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chatAssignmentStreams } from '../../events/chat/assignment.ts'
import { chatMessagePosted, messageStreams } from '../../events/chat/chat.ts'
import { chatList, chatRecord, madeAssignment, waitingChats } from '../../events/chat/wire.ts'
import { openAppender } from '../../events/log/append.ts'
import { readStream } from '../../events/log/read.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { openTestChat, resume, type TestChat } from '../testing/chat.ts'
import { joinChat, joinStaff, say, type TestClient } from '../testing/socket-client.ts'

/** More than twice the longest time between two comparisons of a node with the log. */
const CHECK_TIMEOUT_MS = 60_000

let chat: TestChat
let sql: Sql
let nodes: [TestNode, TestNode]
let staff: { cookie: string }
let admin: TestClient
let unpublished: { client: TestClient; staff: TestClient; sessionId: string; id: string }
let signedOut: { client: TestClient; otherNode: TestClient; closed: Promise<number[]> }

/** Stores a message like a node whose bus is down: no process is notified. */
const storeSilently = async (sessionId: string) => {
  const log = openAppender(chat.databaseUrl, { keys: TEST_KEYS })
  const id = randomUUID()
  const data = { senderType: 'admin' as const }
  const personal = { senderName: 'Support Team', message: 'nobody was told', clientMessageId: null }
  await log.append({
    stream: messageStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id, ...chatMessagePosted(data, { subjectId: sessionId, personal }) }],
  })
  await log.close()
  return id
}

beforeAll(async () => {
  chat = await openTestChat()
  ;({ sql, nodes, staff, admin } = chat)

  // these two take up to 25 s: they run next to the tests below and are checked at the end
  const { client, sessionId } = await joinChat(nodes[0], 'Unpublished')
  unpublished = { client, sessionId, staff: await joinStaff(nodes[1], staff), id: await storeSilently(sessionId) }
  const leaving = await signIn(nodes[1])
  const [first, second] = await Promise.all([joinStaff(nodes[0], leaving), joinStaff(nodes[1], leaving)])
  await nodes[0].call('/api/logout', { method: 'POST', headers: leaving })
  signedOut = { client: first, otherNode: second, closed: Promise.all([first.closed, second.closed]) }
})

afterAll(() => chat.close())

describe('a message', () => {
  test('is published once, staff on another node get it too, and no channel of their own contains it', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    const everything = new Redis(await testRedisUrl())
    onTestFinished(() => everything.disconnect())
    const published: string[] = []
    everything.on('pmessage', (_: string, channel: string, text: string) => {
      if (text.includes('"type":"ChatMessagePosted"') && text.includes(sessionId)) published.push(channel)
    })
    await everything.psubscribe('*')
    for (let count = 1; count <= 3; count += 1) await say(client, sessionId, `Message ${count}`)
    await admin.take('new_message', (frame) => frame.sessionId === sessionId && frame.sequence === 3)
    await eventually(() => expect(published).toHaveLength(3))
    expect(published.every((channel) => channel.endsWith(`chat:${sessionId}`))).toBe(true)
  })

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

  test('has the owner of its socket as sender, whatever the frame claims', async () => {
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

  test('is stored once for a clientMessageId, and gets the same sequence again', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    const first = await say(client, sessionId, 'once', 'retry')
    await say(client, sessionId, 'between')
    const again = await say(client, sessionId, 'once', 'retry')
    expect(again).toEqual(first)
    const elsewhere = await resume(nodes[1], { sessionId, resumeToken, afterSequence: 2 })
    expect(await say(elsewhere, sessionId, 'once', 'retry')).toEqual(first)
    elsewhere.send({ type: 'send_message', sessionId, message: 'another text', clientMessageId: 'retry' })
    expect(await elsewhere.take('error')).toMatchObject({ code: 'id_reused', clientMessageId: 'retry' })
    expect(await chat.countMessages(sessionId)).toBe(2)
    await say(client, sessionId, 'last')
    await client.take('new_message', ({ message }) => message === 'last')
    expect(client.framesOf('new_message').map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    await Promise.all([client.close(), elsewhere.close()])
  })

  test('of fifty senders at once on both nodes gets a sequence from 1 without gaps, and all see that order', async () => {
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

describe('staff', () => {
  test('read the history of any session, and an empty one of a chat that does not exist', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    await say(client, sessionId, 'one')
    await say(client, sessionId, 'two')
    admin.send({ type: 'get_messages', sessionId })
    const { messages } = await admin.take('chat_history', (frame) => frame.sessionId === sessionId)
    expect(messages.map(({ sequence, message }) => `${sequence} ${message}`)).toEqual(['1 one', '2 two'])
    const nowhere = randomUUID()
    admin.send({ type: 'send_message', sessionId: nowhere, message: 'hello?', clientMessageId: 'lost' })
    expect(await admin.take('error')).toMatchObject({ code: 'unknown_session', clientMessageId: 'lost' })
    expect(await chat.countMessages(nowhere)).toBe(0)
    await client.close()
  })

  test('and visitors see each other type, and none of it is stored', async () => {
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

describe('within half a minute, without a notification', () => {
  test('a node finds a message that was never published', async () => {
    const { client, sessionId, id } = unpublished
    for (const participant of [client, unpublished.staff]) {
      const news = await participant.take('new_message', (frame) => frame.sessionId === sessionId, CHECK_TIMEOUT_MS)
      expect(news).toMatchObject({ id, sequence: 1, message: 'nobody was told' })
    }
    await client.close()
  })

  test('the sockets of staff who signed out are closed on both nodes', async () => {
    expect(await signedOut.closed).toEqual([4401, 4401])
    expect(admin.raw.readyState).toBe(admin.raw.OPEN)
  })
})

describe('assignment', () => {
  const SIPHO = { username: 'sipho', displayName: 'Sipho', password: 'another long password', role: 'agent' }

  /** The first staff member is on the second node, Sipho on the first. */
  let [thandi, sipho]: { id: string; cookie: string }[] = []
  let siphos: TestClient

  const idOf = async (cookie: string) =>
    (await (await chat.nodes[0].call('/api/me', { headers: { cookie } })).json()).id as string

  beforeAll(async () => {
    const [node] = chat.nodes
    await node.post('/api/accounts', SIPHO, chat.staff)
    const login = await node.post('/api/login', SIPHO)
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    thandi = { id: await idOf(chat.staff.cookie), cookie: chat.staff.cookie }
    sipho = { id: await idOf(cookie), cookie }
    siphos = await joinStaff(node, sipho)
  })

  afterAll(async () => {
    await siphos.close()
  })

  const of = (sessionId: string) => (frame: { sessionId: string }) => frame.sessionId === sessionId

  const assign = (sessionId: string, who: { cookie: string } | undefined, asked: object) =>
    chat.nodes[0].post(`/api/chats/${sessionId}/assign`, asked, { cookie: who?.cookie ?? '' })

  const made = async (response: Response) => {
    expect(response.status).toBe(200)
    return exactly(madeAssignment, await response.json()).version
  }

  const recordOf = async (sessionId: string) =>
    exactly(chatRecord, await (await chat.nodes[1].call(`/api/chats/${sessionId}`, { headers: chat.staff })).json())

  const assignmentsOf = (sessionId: string) => readStream(chat.sql, chatAssignmentStreams.of(sessionId))

  describe('the assignment of a chat', () => {
    test('is decided by the first reply, once, and all consoles are notified over nodes', async () => {
      const { client, sessionId } = await joinChat(chat.nodes[0])
      await say(client, sessionId, 'hello')
      await say(chat.admin, sessionId, 'good day')
      const told = {
        to: { staffId: thandi?.id },
        by: { staffId: thandi?.id },
        reason: 'answer',
        note: null,
        version: 1,
      }
      for (const console of [chat.admin, siphos]) {
        expect(await console.take('chat_assigned', of(sessionId))).toMatchObject(told)
      }
      await say(chat.admin, sessionId, 'how can we help?')
      await say(siphos, sessionId, 'I know this one')
      await say(siphos, sessionId, 'and that one')
      const events = await assignmentsOf(sessionId)
      expect(events).toHaveLength(1)
      expect(events[0]?.metadata.actor).toEqual({ type: 'staff', id: thandi?.id })
      const late = await joinStaff(chat.nodes[0], chat.staff)
      expect(late.framesOf('active_sessions')[0]?.sessions.find(of(sessionId))?.assigned).toMatchObject({
        version: 1,
        to: { staffId: thandi?.id },
      })
      await Promise.all([client, late].map((one) => one.close()))
    })

    test('goes to one of two who take it at once; the other is shown in a sentence who has it', async () => {
      const { client, sessionId } = await joinChat(chat.nodes[0])
      const answers = await Promise.all(
        [thandi, sipho].map((who) => assign(sessionId, who, { to: who?.id, version: 0 })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const [event, ...others] = await assignmentsOf(sessionId)
      expect(others).toEqual([])
      const refused = answers.find(({ status }) => status === 409)
      const winner = event?.data.to === sipho?.id ? 'Sipho' : 'thandi'
      expect(await refused?.json()).toMatchObject({ detail: `${winner} has this chat now` })
      await client.close()
    })

    test('changes with a note that staff see and the visitor never, and ends when the chat is released', async () => {
      const { client, sessionId } = await joinChat(chat.nodes[0])
      const taken = await made(await assign(sessionId, thandi, { to: thandi?.id, version: 0 }))
      const handed = await made(
        await assign(sessionId, thandi, { to: sipho?.id, version: taken, note: ' They ask about hosting. ' }),
      )
      expect(
        await siphos.take('chat_assigned', (frame) => frame.sessionId === sessionId && frame.version === handed),
      ).toMatchObject({ to: { name: 'Sipho' }, by: { staffId: thandi?.id }, note: 'They ask about hosting.' })
      expect((await assign(sessionId, thandi, { to: null, version: taken })).status).toBe(409)
      const released = await made(await assign(sessionId, sipho, { to: null, version: handed }))
      await siphos.take('chat_assigned', (frame) => frame.sessionId === sessionId && frame.version === released)
      await say(siphos, sessionId, 'back again')
      const again = await siphos.take(
        'chat_assigned',
        (frame) => frame.sessionId === sessionId && frame.version === released + 1,
      )
      expect(again).toMatchObject({ to: { name: 'Sipho' }, reason: 'answer' })
      expect((await recordOf(sessionId)).assignments?.map(({ to, note }) => [to?.staffId, note])).toEqual([
        [thandi?.id, null],
        [sipho?.id, 'They ask about hosting.'],
        [undefined, null],
        [sipho?.id, null],
      ])
      await client.take('new_message')
      expect(JSON.stringify(client.frames)).not.toContain('hosting')
      expect(client.framesOf('chat_assigned')).toEqual([])
      await client.close()
    })

    test('is shown to the new owner until they have replied', async () => {
      const { client, sessionId } = await joinChat(chat.nodes[0])
      const handed = async () => {
        const answer = await chat.nodes[0].call('/api/chats/waiting', { headers: { cookie: sipho?.cookie ?? '' } })
        return exactly(waitingChats, await answer.json()).handed?.filter(of(sessionId))
      }
      await say(chat.admin, sessionId, 'good day')
      await chat.admin.take('chat_assigned', of(sessionId))
      await made(await assign(sessionId, thandi, { to: sipho?.id, version: 1 }))
      const told = { sessionId, visitorName: expect.any(String), from: 'thandi', timestamp: expect.any(String) }
      await eventually(async () => expect(await handed()).toEqual([told]))
      await say(siphos, sessionId, 'I am here now')
      await eventually(async () => expect(await handed()).toEqual([]))
      await client.close()
    })

    test('filters lists, and excludes a colleague without an account', async () => {
      const { client, sessionId } = await joinChat(chat.nodes[0])
      const listed = async (assigned: string, who = sipho) => {
        const path = `/api/chats?state=active&limit=100&assigned=${assigned}`
        const answer = await chat.nodes[0].call(path, { headers: { cookie: who?.cookie ?? '' } })
        return exactly(chatList, await answer.json()).map((one) => one.sessionId)
      }
      await eventually(async () => expect(await listed('none')).toContain(sessionId))
      expect(await listed('me')).not.toContain(sessionId)
      await made(await assign(sessionId, sipho, { to: sipho?.id, version: 0 }))
      await eventually(async () => expect(await listed('me')).toContain(sessionId))
      expect(await listed('none')).not.toContain(sessionId)
      expect(await listed('me', thandi)).not.toContain(sessionId)
      const unknown = { to: crypto.randomUUID(), version: 1 }
      expect((await assign(sessionId, sipho, unknown)).status).toBe(422)
      await client.close()
    })

    test('is unchanged once the chat has ended, and its note is erased with the visitor', async () => {
      const { client, sessionId } = await joinChat(chat.nodes[0])
      await made(await assign(sessionId, thandi, { to: sipho?.id, version: 0, note: 'a secret of the visitor' }))
      client.send({ type: 'end_chat', sessionId })
      await client.take('chat_ended')
      const late = await assign(sessionId, sipho, { to: null, version: 1 })
      expect(late.status).toBe(409)
      expect(await late.json()).toMatchObject({ detail: 'This chat has ended: it cannot be assigned' })
      expect((await recordOf(sessionId)).assignments?.[0]?.note).toBe('a secret of the visitor')
      await chat.nodes[0].post(`/api/chats/${sessionId}/erase`, {}, chat.staff)
      await eventually(async () => expect((await recordOf(sessionId)).assignments).toMatchObject([{ note: null }]))
      await client.close()
    })
  })
})
