import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { chatRatingStreams } from '../../events/chat/rating.ts'
import { resumeToken as makeToken } from '../../events/chat/store/resume-token.ts'
import { chatList, chatRecord } from '../../events/chat/wire.ts'
import { signingKeys } from '../../events/keys/signing-keys.ts'
import { readStream } from '../../events/log/read.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually, SESSION_SECRET, type TestNode } from '../../events/testing/node.ts'
import { openTestChat, resume } from '../testing/chat.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const chat = await openTestChat()
afterAll(chat.close)
const { nodes, staff, admin } = chat

describe('joining', () => {
  test('responds with chat_joined, and notifies staff on the other node of the new session', async () => {
    const { client, sessionId } = await joinChat(nodes[0], '  New Visitor ')
    const [joined] = client.framesOf('chat_joined')
    expect(joined).toEqual({
      type: 'chat_joined',
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: expect.stringMatching(/./),
      resumeToken: expect.stringMatching(/^[\w-]{20,}$/),
      resumed: false,
      isOwn: true,
      hasRated: false,
    })
    const told = await admin.take('new_chat_session', (frame) => frame.sessionId === sessionId)
    expect(told).toMatchObject({ visitorName: 'New Visitor', visitorEmail: null, pageUrl: '/pricing', isActive: true })
    await client.close()
  })

  test('shows staff who join later the open sessions, newest first', async () => {
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

describe('resuming', () => {
  test('sends missed messages once, in order, as chat_history on either node, and later ones as new_message', async () => {
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

  test('while others write loses and doubles no message', async () => {
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

describe('links revoked by staff', () => {
  const revoke = (sessionId: string) => nodes[0].post(`/api/chats/${sessionId}/revoke-links`, {}, staff)
  const start = async (joinKey: string | undefined) => {
    const client = await openTestClient(nodes[0])
    client.send({ type: 'join_chat', visitorName: 'Owner', pageUrl: '/', joinKey })
    const { sessionId, resumeToken } = await client.take('chat_joined')
    return { client, sessionId, resumeToken }
  }

  test('are invalid on all nodes, and visitors by link are disconnected; the chat’s own visitor stays', async () => {
    const joinKey = randomUUID()
    const { client, sessionId, resumeToken: old } = await start(joinKey)
    const linked = await resume(nodes[1], { sessionId, resumeToken: old })
    await linked.take('chat_joined')
    expect((await revoke(sessionId)).status).toBe(204)
    expect(await linked.closed).toBe(1008)
    const { resumeToken: fresh } = await client.take('resume_token')
    expect(fresh).not.toBe(old)

    await Promise.all(
      nodes.map(async (node) => {
        const late = await resume(node, { sessionId, resumeToken: old })
        expect(await late.take('error')).toMatchObject({ code: 'unknown_session' })
        const forged = await resume(node, { sessionId, resumeToken: old.replace('0-', '1-') })
        expect(await forged.take('error')).toMatchObject({ code: 'unknown_session' })
        const back = await resume(node, { sessionId, resumeToken: fresh })
        expect(await back.take('chat_joined')).toMatchObject({ sessionId, resumeToken: fresh })
        // a page that slept, or missed the notification, has the earlier token and the key
        const slept = await openTestClient(node)
        slept.send({ type: 'join_chat', visitorName: 'Owner', joinKey, sessionId, resumeToken: old })
        expect(await slept.take('chat_joined')).toMatchObject({ sessionId, resumeToken: fresh })
        await Promise.all([late, forged, back, slept].map((each) => each.close()))
      }),
    )
    await say(client, sessionId, 'Still here')
    const record = await (await nodes[1].call(`/api/chats/${sessionId}`, { headers: staff })).json()
    expect(record.linkRevocations).toEqual([{ timestamp: expect.stringMatching(/Z$/), by: expect.any(String) }])

    expect((await revoke(sessionId)).status).toBe(204)
    expect((await client.take('resume_token')).resumeToken).not.toBe(fresh)
    await client.close()
  })

  test('disconnect a visitor who enters at that very moment', async () => {
    const began = performance.now()
    for (let round = 0; round < 8; round += 1) {
      const { client, sessionId, resumeToken } = await start(undefined)
      const coming = await Promise.all(nodes.map((node) => openTestClient(node)))
      for (const each of coming) each.send({ type: 'join_chat', visitorName: 'Eve', sessionId, resumeToken })
      const [response] = await Promise.all([revoke(sessionId), client.take('resume_token')])
      expect(response.status).toBe(204)
      await Promise.all(coming.map((each) => Promise.race([each.closed, each.take('error')])))
      await Promise.all([client, ...coming].map((each) => each.close()))
    }
    // each takes a second or two; a visitor who slips through is found when the log is read, 10 to 25 s later
    expect(performance.now() - began).toBeLessThan(40_000)
  })

  test('are invalid if the log lost earlier revocations, as after the restore of a backup', async () => {
    const { client, sessionId, resumeToken: current } = await start(undefined)
    const tokenOf = (generation: number) => makeToken(signingKeys([SESSION_SECRET]), sessionId, generation)
    expect(tokenOf(0)).toBe(current)
    const linked = await resume(nodes[1], { sessionId, resumeToken: tokenOf(1) })
    expect(await linked.take('error')).toMatchObject({ code: 'unknown_session' })
    await Promise.all([client, linked].map((each) => each.close()))
  })

  test('are revoked by staff only, in a chat that exists', async () => {
    expect((await nodes[0].post(`/api/chats/${randomUUID()}/revoke-links`, {})).status).toBe(401)
    expect((await revoke(randomUUID())).status).toBe(404)
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
    expect(await chat.countMessages(other.sessionId)).toBe(1)
    expect(other.client.framesOf('chat_ended')).toEqual([])
    await Promise.all([own.client.close(), other.client.close()])
  })

  test.each<Record<string, string>>([{}, { cookie: 'staff_session=forged.c2lnbmF0dXJl' }])(
    'is not staff: join_admin is refused (%j)',
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

describe('ending a chat', () => {
  test.each(['visitor', 'staff'])('by a %s notifies all participants on both nodes, once', async (who) => {
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

describe('a rating', () => {
  const of = (sessionId: string) => (frame: { sessionId: string }) => frame.sessionId === sessionId

  const recordOf = async (sessionId: string) =>
    exactly(chatRecord, await (await chat.nodes[1].call(`/api/chats/${sessionId}`, { headers: chat.staff })).json())

  const rate = (client: TestClient, sessionId: string, score = 'good', comment: string | null = null) =>
    client.send({ type: 'rate_chat', sessionId, score, comment })

  const end = async (client: TestClient, sessionId: string) => {
    chat.admin.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
  }

  test('A visitor rates a chat that staff ended, once, and staff on the other node are notified', async () => {
    const { client, sessionId, resumeToken } = await joinChat(chat.nodes[0])
    rate(client, sessionId)
    expect(await client.take('error')).toMatchObject({ code: 'not_allowed', refused: 'rate_chat' })
    await end(client, sessionId)
    // the score first, then the comment; and each again, as if no response had come
    for (const comment of [null, null, ' Quick and clear ', ' Quick and clear ', null]) {
      rate(client, sessionId, 'good', comment)
      await client.take('rating_accepted', of(sessionId))
    }
    expect(await chat.admin.take('chat_rated', of(sessionId))).toEqual({ type: 'chat_rated', sessionId, score: 'good' })
    for (const [score, comment] of [
      ['bad', null],
      ['good', 'I changed my mind'],
    ] as const) {
      rate(client, sessionId, score, comment)
      expect(await client.take('error')).toMatchObject({ message: 'You have rated this chat already' })
    }
    const holder = await resume(chat.nodes[1], { sessionId, resumeToken })
    expect((await holder.take('chat_ended')).endedAt).toBe((await recordOf(sessionId)).session.endTime)
    rate(holder, sessionId)
    expect(await holder.take('error')).toMatchObject({ message: 'Only the device that began the chat may rate it' })

    const events = await readStream(chat.sql, chatRatingStreams.of(sessionId))
    const actor = { type: 'visitor' }
    expect(events).toMatchObject([
      { data: { score: 'good' }, personal: { comment: null }, metadata: { actor } },
      { data: { score: 'good' }, personal: { comment: 'Quick and clear' }, metadata: { actor } },
    ])
    expect((await recordOf(sessionId)).rating).toMatchObject({ score: 'good', comment: 'Quick and clear' })
    await eventually(async () => {
      const answer = await chat.nodes[0].call('/api/chats?state=ended', { headers: chat.staff })
      expect(exactly(chatList, await answer.json()).find(of(sessionId))?.score).toBe('good')
    })
    await chat.nodes[0].post(`/api/chats/${sessionId}/erase`, {}, chat.staff)
    await eventually(async () =>
      expect((await recordOf(sessionId)).rating).toMatchObject({ score: 'good', comment: null }),
    )
    await Promise.all([client.close(), holder.close()])
  })

  test('A page is sent whether its device began the chat, and if so whether the chat is rated', async () => {
    const { client, sessionId, resumeToken, joinKey } = await joinChat(chat.nodes[0])
    expect(client.framesOf('chat_joined')[0]).toMatchObject({ isOwn: true, hasRated: false })
    const comeBack = async (more: object) => {
      const back = await openTestClient(chat.nodes[1])
      back.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, ...more })
      const { isOwn, hasRated } = await back.take('chat_joined')
      return { back, isOwn, hasRated }
    }
    const [own, linked] = [await comeBack({ joinKey }), await comeBack({})]
    expect([own.isOwn, linked.isOwn]).toEqual([true, false])
    await end(client, sessionId)
    const late = await comeBack({ joinKey })
    expect([late.isOwn, late.hasRated]).toEqual([true, false])
    rate(late.back, sessionId, 'bad')
    await late.back.take('rating_accepted')
    const rated = await comeBack({ joinKey })
    expect([rated.isOwn, rated.hasRated]).toEqual([true, true])
    await Promise.all([client, own.back, linked.back, late.back, rated.back].map((one) => one.close()))
  })
})

describe('a joinKey', () => {
  const join = async (node: TestNode, joinKey: string, pageUrl = '/pricing') => {
    const client = await openTestClient(node)
    client.send({ type: 'join_chat', visitorName: 'Ana', pageUrl, joinKey })
    return { client, joined: await client.take('chat_joined') }
  }

  test('a chat is started once for a joinKey, on whichever node and page it is requested', async () => {
    const joinKey = randomUUID()
    const first = await join(nodes[0], joinKey)
    expect(first.joined.resumed).toBe(false)
    await say(first.client, first.joined.sessionId, 'hello')
    for (const pageUrl of ['/pricing', '/elsewhere']) {
      const again = await join(nodes[1], joinKey, pageUrl)
      expect(again.joined).toMatchObject({ sessionId: first.joined.sessionId, resumed: true })
      expect((await again.client.take('chat_history')).messages.map(({ message }) => message)).toEqual(['hello'])
      await again.client.close()
    }
    const other = await join(nodes[0], randomUUID())
    expect(other.joined.sessionId).not.toBe(first.joined.sessionId)
    const late = await joinStaff(nodes[0], staff)
    const listed = late.framesOf('active_sessions')[0]?.sessions ?? []
    expect(listed.slice(0, 2).map(({ sessionId, lastSequence }) => [sessionId, lastSequence])).toEqual([
      [other.joined.sessionId, 0],
      [first.joined.sessionId, 1],
    ])
    await Promise.all([first.client, other.client, late].map((client) => client.close()))
  })

  test('a joinKey must be a UUID', async () => {
    const client = await openTestClient(nodes[0])
    client.send({ type: 'join_chat', visitorName: 'Ana', joinKey: 'guess me' })
    expect(await client.take('error')).toMatchObject({ code: 'bad_frame' })
    await client.close()
  })

  test('any client gets a response to a ping', async () => {
    const client = await openTestClient(nodes[0])
    client.send({ type: 'ping' })
    expect(await client.take('pong')).toEqual({ type: 'pong' })
    await client.close()
  })
})

describe('a greeting that a visitor replies to', () => {
  const setGreeting = async (version: number, text: string) => {
    const greetings = [{ page: '/', afterSeconds: 5, text, isAnyTime: true }]
    const response = await nodes[0].call('/api/settings/chat-greetings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': `"${version}"`, ...staff },
      body: JSON.stringify({ greetings }),
    })
    expect(response.status).toBe(200)
  }

  /** Begins a chat by a greeting; returns the frame with which staff are notified. */
  const begin = async (node: TestNode, greeting: string) => {
    const client = await openTestClient(node)
    client.send({ type: 'join_chat', visitorName: 'Ana', joinKey: randomUUID(), greeting })
    const joined = await client.take('chat_joined')
    await client.close()
    return { joined, told: await admin.take('new_chat_session', ({ sessionId }) => sessionId === joined.sessionId) }
  }

  test('staff are sent the greeting that the visitor replied to, as is the visitor who returns by a link', async () => {
    await setGreeting(0, 'Need help with a shop?')
    const { joined, told } = await begin(nodes[1], 'Need help with a shop?')
    expect([joined.greeting, told.greeting]).toEqual(['Need help with a shop?', 'Need help with a shop?'])
    const { sessionId, resumeToken } = joined
    const back = await resume(nodes[0], { sessionId, resumeToken })
    expect(await back.take('chat_joined')).toMatchObject({ greeting: 'Need help with a shop?' })
    await back.close()
    const record = await (await nodes[0].call(`/api/chats/${sessionId}`, { headers: staff })).json()
    expect(record.session).toMatchObject({ greeting: 'Need help with a shop?' })
  })

  test('one that owners have changed since the page was opened counts too, other texts do not', async () => {
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
})
