import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fillChat } from '../../events/testing/fill-chat.ts'
import { eventually, signIn } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const KIB = 1024
const MIB = 1024 * KIB
const { database, node } = await startProduct()
const { client: visitor, sessionId } = await joinChat(node)

describe('a frame', () => {
  const message = (text: string, fields = {}) =>
    JSON.stringify({ type: 'send_message', sessionId, message: text, ...fields })

  test.each<[string, () => string, string]>([
    ['is no JSON', () => 'hello', 'bad_frame'],
    ['is empty', () => '', 'bad_frame'],
    ['is cut off', () => '{"type":"send_message"', 'bad_frame'],
    ['is an array', () => '[{"type":"join_admin"}]', 'bad_frame'],
    ['is a text', () => '"join_admin"', 'bad_frame'],
    ['is null', () => 'null', 'bad_frame'],
    ['has no type', () => '{"message":"hi"}', 'bad_frame'],
    ['has a type that is no text', () => '{"type":7}', 'bad_frame'],
    [
      'is nested 10,000 deep',
      () => `{"type":"send_message","message":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      'bad_frame',
    ],
    ['lacks its session', () => '{"type":"send_message","message":"hi"}', 'bad_frame'],
    ['has an empty message', () => message('  \n '), 'bad_frame'],
    [
      'has a message of another kind',
      () => `{"type":"send_message","sessionId":"${sessionId}","message":{}}`,
      'bad_frame',
    ],
    ['has a message over 4,000 characters', () => message('m'.repeat(4_001)), 'bad_frame'],
    ['has U+0000 in its message', () => message('a\u0000b'), 'bad_frame'],
    ['has half a surrogate pair in its message', () => message('a\ud83d'), 'bad_frame'],
    ['has an over-long clientMessageId', () => message('hi', { clientMessageId: 'c'.repeat(101) }), 'bad_frame'],
  ])('that %s gets an error, and the socket stays open', async (_, frame, code) => {
    const before = visitor.frames.length
    visitor.send(frame())
    expect(await visitor.take('error')).toMatchObject({ code, message: expect.stringMatching(/./) })
    expect(visitor.frames).toHaveLength(before + 1)
    expect(visitor.raw.readyState).toBe(visitor.raw.OPEN)
  })

  test('that is refused names the message of its sender', async () => {
    visitor.send(message('m'.repeat(4_001), { clientMessageId: 'too-long' }))
    expect(await visitor.take('error')).toMatchObject({
      clientMessageId: 'too-long',
      message: 'Must be at most 4000 characters',
    })
  })

  test.each(['unknown', 'error', 'chat_joined', '__proto__', 'constructor', ''])(
    'of the unknown type %j is ignored',
    async (type) => {
      const before = visitor.frames.length
      visitor.send({ type, sessionId, message: 'x'.repeat(5_000) })
      visitor.send({ type: 'send_message', sessionId, message: 'after', clientMessageId: `after-${type}` })
      await visitor.take('message_accepted', ({ clientMessageId }) => clientMessageId === `after-${type}`)
      expect(visitor.frames.slice(before).filter((frame) => frame.type === 'error')).toEqual([])
    },
  )

  test('may hold a message of 4,000 characters, and be binary', async () => {
    visitor.raw.send(Buffer.from(message('€'.repeat(4_000))))
    await visitor.take('message_accepted')
    expect(await visitor.take('new_message', (news) => news.message.length === 4_000)).toMatchObject({ sessionId })
  })

  test.each([
    ['of 64 KiB and a byte', 'x'.repeat(64 * KIB + 1)],
    ['of 64 KiB in bytes, not in characters', '€'.repeat(22 * KIB)],
    ['of 2 MiB', 'x'.repeat(2 * MIB)],
  ])('%s gets an error and closes its socket with 1009, and the node stays alive', async (_, frame) => {
    const client = await openTestClient(node)
    client.send(frame)
    expect(await client.take('error')).toMatchObject({ code: 'too_large', message: expect.stringMatching(/./) })
    expect(await client.closed).toBe(1009)
    await say(visitor, sessionId, `alive after ${frame.length}`)
  })

  test('in more than 64 pieces closes its socket with 1008', async () => {
    const client = await openTestClient(node)
    for (let piece = 0; piece < 65; piece += 1) client.raw.send('', { fin: false })
    expect(await client.closed).toBe(1008)
  })

  test('never made the node log a failure', () => {
    expect(node.printed()).not.toContain('chat frame failed')
  })
})

describe('the upgrade', () => {
  const tryOrigin = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws`, { headers })
      socket.once('unexpected-response', (_, response) => {
        resolve(response.statusCode ?? 0)
        response.resume()
      })
      socket.once('open', () => {
        resolve(101)
        socket.close()
      })
      socket.once('error', reject)
    })

  test.each(['https://elsewhere.example', 'null', 'http://127.0.0.1', 'http://127.0.0.1:1'])(
    'is refused to a page of the origin %s',
    async (origin) => expect(await tryOrigin({ origin })).toBe(403),
  )

  test('is refused to a foreign page even with the cookie of staff and a Host of its own', async () => {
    const { cookie } = await signIn(node)
    expect(await tryOrigin({ origin: 'https://elsewhere.example', host: 'elsewhere.example', cookie })).toBe(403)
  })

  test('is granted to clients without an origin, which are no browsers', async () =>
    expect(await tryOrigin({})).toBe(101))

  test('is required at /ws: a plain request is refused with that message', async () => {
    const response = await node.call('/ws')
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
  })
})

describe('a flood', () => {
  /** The number of messages that a visitor may write at once. */
  const BURST = 200
  /** More messages than that, but fewer frames than a socket may send at once. */
  const MANY = 390
  /** A machine under load needs more time for this many. */
  const FLOOD_TIMEOUT_MS = 90_000

  /** Sends this many messages without waiting for a response. */
  const pour = (client: TestClient, sessionId: string, count: number, name = 'm') => {
    for (let index = 1; index <= count; index += 1) {
      client.send({ type: 'send_message', sessionId, message: 'x'.repeat(1_000), clientMessageId: `${name}${index}` })
    }
  }

  const refusalsOf = (client: TestClient) => client.framesOf('error').filter(({ code }) => code === 'too_many_requests')

  test("a visitor's flood is refused message by message, and others continue to chat", async () => {
    const admin = await joinStaff(node, await signIn(node))
    const [flooder, other] = await Promise.all([joinChat(node, 'Flooder'), joinChat(node, 'Other')])
    pour(flooder.client, flooder.sessionId, MANY)
    await flooder.client.take('error', ({ code }) => code === 'too_many_requests')
    for (const text of ['one', 'two', 'three']) {
      await say(other.client, other.sessionId, text)
      await admin.take('new_message', ({ message }) => message === text)
    }
    await flooder.client.take('error', ({ clientMessageId }) => clientMessageId === `m${MANY}`, FLOOD_TIMEOUT_MS)
    const accepted = flooder.client.framesOf('message_accepted')
    expect(accepted.length).toBeGreaterThanOrEqual(BURST)
    expect(accepted.length + refusalsOf(flooder.client).length).toBe(MANY)
    // as many more as seconds have gone by
    expect(accepted.length).toBeLessThan(BURST + 60)
    await Promise.all([admin, flooder.client, other.client].map((client) => client.close()))
  })

  test('neither another connection nor a second one gives a visitor more, and refused messages are accepted later', async () => {
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

  test('frames of any kind have a limit, and others continue to chat', async () => {
    const { client, sessionId } = await joinChat(node, 'Script', { 'x-forwarded-for': '198.51.100.66' })
    const other = await joinChat(node, 'Other')
    const frames = [
      { type: 'receipt', sessionId, delivered: 1, seen: 1 },
      { type: 'end_chat', sessionId },
      { type: 'ping' },
    ]
    for (let index = 0; index < 3_000; index += 1) client.send(frames[index % frames.length] ?? {})
    const refusal = await client.take('error', ({ code }) => code === 'too_many_requests')
    expect(refusal).toMatchObject({ retryAfterS: expect.any(Number), message: expect.stringMatching(/\.$/) })
    expect(await client.closed).toBe(1008)
    await say(other.client, other.sessionId, 'one')
    await other.client.close()
  })
})

describe('a long chat', () => {
  const LONG = 4_000

  /** A chat in which the visitor has written this many messages, each this long. */
  const startLongChat = async (count: number, characters: number) => {
    const { client, sessionId, resumeToken } = await joinChat(node)
    await client.close()
    await fillChat(database.url, { sessionId, count, textOf: (number) => String(number).padEnd(characters, 'x') })
    return { sessionId, back: { type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken } }
  }

  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

  const sequencesOf = (client: TestClient) =>
    client.framesOf('chat_history').flatMap(({ messages }) => messages.map(({ sequence }) => sequence))

  test('an ordinary chat is resumed in one frame, a long one in several, each message once and in order', async () => {
    const ordinary = await startLongChat(499, 100)
    const client = await openTestClient(node)
    client.send({ ...ordinary.back, afterSequence: 99 })
    await say(client, ordinary.sessionId, 'after it')
    expect(client.framesOf('chat_history').map(({ messages }) => messages.length)).toEqual([400])
    const long = await startLongChat(1_234, 100)
    client.send(long.back)
    await say(client, long.sessionId, 'after all')
    await eventually(() =>
      expect(client.framesOf('chat_history').map(({ messages }) => messages.length)).toEqual([400, 500, 500, 234]),
    )
    expect(sequencesOf(client).slice(400)).toEqual(range(1, 1_234))
    await client.take('new_message', ({ message }) => message === 'after all')
    await client.close()
  })

  test('a message that arrives while a visitor catches up is sent once, after the missed ones', async () => {
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
    // messages stored before the history was read are in it, and do not follow again
    const first = client.frames.findIndex(({ type }) => type === 'new_message')
    if (first >= 0) expect(client.frames.findLastIndex(({ type }) => type === 'chat_history')).toBeLessThan(first)
    await Promise.all([admin.close(), client.close()])
  })

  test('staff get the newest of a long chat at once, and request the earlier messages', async () => {
    const { sessionId } = await startLongChat(600, LONG)
    const staff = await signIn(node)
    const admin = await joinStaff(node, staff)
    admin.send({ type: 'get_messages', sessionId })
    const { messages } = await admin.take('chat_history')
    expect(messages.map(({ sequence }) => sequence)).toEqual(range(551, 600))
    await admin.close()
  })
})
