import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { chatActivityStreams, chatErased } from '../../events/chat/activity.ts'
import { MAX_MESSAGE_CHARACTERS, messageStreams } from '../../events/chat/chat.ts'
import { readPages } from '../../events/chat/store/pages.ts'
import { readReceiptsOf } from '../../events/chat/store/receipts.ts'
import { chatList } from '../../events/chat/wire.ts'
import { openAppender } from '../../events/log/append.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { type FrameOf, joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

const { database, nodes, sql } = await startProduct({ nodes: 2 })
const staff = await signIn(nodes[0])
const staffId: string = (await (await nodes[0].call('/api/me', { headers: staff })).json()).id
/** Staff on the second node; visitors are on the first. */
const admin = await joinStaff(nodes[1], staff)

const resume = async (node: TestNode, frame: { sessionId: string; resumeToken: string; pageUrl?: string }) => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', ...frame })
  await client.take('chat_history')
  return client
}

const viewedPages = async (sessionId: string) => (await readPages(sql, sessionId)).map(({ pageUrl }) => pageUrl)

const of = (sessionId: string) => (frame: { sessionId: string }) => frame.sessionId === sessionId

describe('a receipt', () => {
  test('of a visitor reaches staff on the other node, that of staff the visitor, and both are stored', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await say(client, sessionId, 'hello')
    await say(admin, sessionId, 'good day')
    // no receipt covers messages that have not arrived
    await client.take('new_message', ({ sequence }) => sequence === 2)
    client.send({ type: 'receipt', sessionId, delivered: 2, seen: 1 })
    expect(await admin.take('receipt', of(sessionId))).toEqual({
      type: 'receipt',
      sessionId,
      party: 'visitor',
      delivered: 2,
      seen: 1,
    })
    admin.send({ type: 'receipt', sessionId, delivered: 1, seen: 1 })
    const fromStaff = { type: 'receipt', sessionId, party: 'admin', delivered: 1, seen: 1 }
    expect(await client.take('receipt')).toEqual(fromStaff)

    const back = await resume(nodes[1], { sessionId, resumeToken })
    expect(await back.take('receipt')).toEqual(fromStaff)
    const colleague = await joinStaff(nodes[0], staff)
    expect(colleague.framesOf('active_sessions')[0]?.sessions.find(of(sessionId))).toMatchObject({
      lastSequence: 2,
      receipts: { visitor: { delivered: 2, seen: 1 }, admin: { delivered: 1, seen: 1 } },
    })
    expect(await readReceiptsOf(sql, sessionId)).toEqual({
      visitor: { delivered: 2, seen: 1 },
      admin: { delivered: 1, seen: 1 },
    })
    expect(client.framesOf('receipt').filter(({ party }) => party === 'visitor')).toEqual([])
    await Promise.all([client, back, colleague].map((participant) => participant.close()))
  })

  test('never decreases, never passes the last message, and is never sent twice', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    for (const text of ['one', 'two', 'three']) await say(admin, sessionId, text)
    client.send({ type: 'receipt', sessionId, delivered: Number.MAX_SAFE_INTEGER, seen: 2 })
    expect(await admin.take('receipt', of(sessionId))).toMatchObject({ delivered: 3, seen: 2 })
    client.send({ type: 'receipt', sessionId, delivered: 1, seen: 0 })
    client.send({ type: 'receipt', sessionId, delivered: 3, seen: 2 })
    client.send({ type: 'receipt', sessionId, delivered: 0, seen: 3 })
    expect(await admin.take('receipt', of(sessionId))).toMatchObject({ delivered: 3, seen: 3 })
    expect(admin.framesOf('receipt').filter(of(sessionId))).toHaveLength(2)
    expect((await readReceiptsOf(sql, sessionId)).visitor).toEqual({ delivered: 3, seen: 3 })
    await client.close()
  })

  test('of a client that reports all the time costs about one write a second, and no event', async () => {
    const { client, sessionId } = await joinChat(nodes[0])
    const count = 60
    const startedAt = performance.now()
    for (let index = 1; index <= count; index += 1) {
      await say(admin, sessionId, `message ${index}`)
      client.send({ type: 'receipt', sessionId, delivered: index, seen: index })
    }
    await admin.take('receipt', (frame) => frame.sessionId === sessionId && frame.seen === count)
    const seconds = (performance.now() - startedAt) / 1_000
    expect(admin.framesOf('receipt').filter(of(sessionId)).length).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
    expect(await sql`select from events where stream = ${chatActivityStreams.of(sessionId)}`).toHaveLength(0)
    await client.close()
  })

  test('reported to two nodes at once is stored once', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await say(admin, sessionId, 'good day')
    const secondTab = await resume(nodes[1], { sessionId, resumeToken })
    for (const tab of [client, secondTab]) tab.send({ type: 'receipt', sessionId, delivered: 1, seen: 1 })
    await admin.take('receipt', of(sessionId))
    await say(client, sessionId, 'still here')
    await say(secondTab, sessionId, 'here too')
    expect(admin.framesOf('receipt').filter(of(sessionId))).toHaveLength(1)
    await Promise.all([client.close(), secondTab.close()])
  })

  test('is accepted for an ended chat too, whose replies may still be read', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await say(admin, sessionId, 'good bye')
    admin.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
    await client.close()
    const back = await resume(nodes[0], { sessionId, resumeToken })
    back.send({ type: 'receipt', sessionId, delivered: 1, seen: 1 })
    await eventually(async () => expect((await readReceiptsOf(sql, sessionId)).visitor.seen).toBe(1))
    await back.close()
  })

  test.each([
    [{ delivered: -1, seen: 0 }, 'bad_frame'],
    [{ delivered: 1.5, seen: 0 }, 'bad_frame'],
    [{ delivered: '1', seen: 0 }, 'bad_frame'],
    [{ delivered: 1 }, 'bad_frame'],
    [{ delivered: 1, seen: 1, sessionId: 'x' }, 'bad_frame'],
    [{ delivered: 1, seen: 1, sessionId: randomUUID() }, 'not_allowed'],
  ])('of a visitor is refused if it makes no sense: %j', async (fields, code) => {
    const { client, sessionId } = await joinChat(nodes[0])
    client.send({ type: 'receipt', sessionId, ...fields })
    expect(await client.take('error')).toMatchObject({ code })
    await client.close()
  })

  test('is refused before joining, and for a chat that does not exist', async () => {
    const stranger = await openTestClient(nodes[0])
    stranger.send({ type: 'receipt', sessionId: randomUUID(), delivered: 1, seen: 1 })
    expect(await stranger.take('error')).toMatchObject({ code: 'not_joined' })
    admin.send({ type: 'receipt', sessionId: randomUUID(), delivered: 1, seen: 1 })
    expect(await admin.take('error')).toMatchObject({ code: 'unknown_session' })
    await stranger.close()
  })
})

describe('a page', () => {
  test('that the visitor opens is sent to staff and stored, once for all tabs, and not if it is the same', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await client.close()
    const beganOn = '/pricing'
    for (const pageUrl of [beganOn, '/faq', '/faq', '/', '/faq']) {
      const visitor = await resume(nodes[0], { sessionId, resumeToken, pageUrl })
      // a page is stored after the join, and not for a visitor who has left by then
      await eventually(async () => expect((await viewedPages(sessionId)).at(-1) ?? beganOn).toBe(pageUrl))
      await visitor.close()
    }
    expect(await viewedPages(sessionId)).toEqual(['/faq', '/', '/faq'])
    await eventually(() => {
      expect(admin.framesOf('page_viewed').filter(of(sessionId))).toEqual(
        ['/faq', '/', '/faq'].map((pageUrl) => ({
          type: 'page_viewed',
          sessionId,
          pageUrl,
          timestamp: expect.stringMatching(/Z$/),
        })),
      )
    })
    const tabs = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        resume(nodes[index % 2] ?? nodes[0], { sessionId, resumeToken, pageUrl: '/contact' }),
      ),
    )
    await admin.take('page_viewed', (frame) => frame.sessionId === sessionId && frame.pageUrl === '/contact')
    await Promise.all(tabs.map((tab) => tab.close()))
    await eventually(async () => expect(await viewedPages(sessionId)).toEqual(['/faq', '/', '/faq', '/contact']))
    expect(tabs.flatMap((tab) => tab.framesOf('page_viewed'))).toEqual([])
    expect(await sql`select from events where stream = ${chatActivityStreams.of(sessionId)}`).toHaveLength(0)
  })

  test('without an address, or in an ended chat, is ignored', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await (await resume(nodes[0], { sessionId, resumeToken })).close()
    client.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
    const back = await resume(nodes[0], { sessionId, resumeToken, pageUrl: '/faq' })
    back.send({ type: 'ping' })
    await back.take('pong')
    expect(await viewedPages(sessionId)).toEqual([])
    await Promise.all([client.close(), back.close()])
  })
})

describe('a console that requests outlines', () => {
  const join = async (node: TestNode) => {
    const client = await openTestClient(node, staff)
    client.send({ type: 'join_admin', listed: [] })
    await client.take('active_sessions')
    return client
  }
  /** Frames are handled in turn: everything sent before the pong has arrived. */
  const settle = async (client: TestClient) => {
    client.send({ type: 'ping' })
    await client.take('pong')
  }
  const outlineOf = (client: TestClient, sessionId: string) =>
    client
      .framesOf('chat_outlines')
      .flatMap(({ chats }) => chats)
      .findLast((chat) => chat.sessionId === sessionId)
  const told = (client: TestClient, sessionId: string) =>
    client.frames.flatMap((frame) => {
      if (!('sessionId' in frame) || frame.sessionId !== sessionId) return []
      if (frame.type === 'chat_history') return frame.messages.map(({ sequence }) => sequence)
      return frame.type === 'new_message' ? [frame.sequence] : []
    })

  test('gets them for all chats, and messages and receipts of the one it opens, until it opens another', async () => {
    const client = await join(nodes[1])
    const [one, other] = [await joinChat(nodes[0]), await joinChat(nodes[0])]
    for (const { client: visitor, sessionId } of [one, other]) {
      await say(visitor, sessionId, 'first')
      await say(visitor, sessionId, 'second')
    }
    await eventually(() => {
      for (const { sessionId } of [one, other])
        expect(outlineOf(client, sessionId)).toMatchObject({
          lastSequence: 2,
          answered: 0,
          last: { message: 'second' },
        })
    })
    await say(admin, one.sessionId, 'an answer')
    one.client.send({ type: 'receipt', sessionId: one.sessionId, delivered: 3, seen: 3 })
    await eventually(() =>
      expect(outlineOf(client, one.sessionId)).toMatchObject({ lastSequence: 3, answered: 3, waitingSince: null }),
    )
    await admin.take('receipt', of(one.sessionId))
    await settle(client)
    expect([...told(client, one.sessionId), ...client.framesOf('receipt').filter(of(one.sessionId))]).toEqual([])

    client.send({ type: 'open_chat', sessionId: one.sessionId, afterSequence: 1 })
    const { messages } = await client.take('chat_history', of(one.sessionId))
    expect(messages.map(({ message }) => message)).toEqual(['second', 'an answer'])
    expect(client.framesOf('receipt')).toMatchObject([{ party: 'visitor', delivered: 3, seen: 3 }])
    await say(one.client, one.sessionId, 'third')
    await client.take('new_message', of(one.sessionId))
    client.send({ type: 'open_chat', sessionId: other.sessionId })
    expect((await client.take('chat_history', of(other.sessionId))).messages).toHaveLength(2)
    await say(one.client, one.sessionId, 'fourth')
    await say(other.client, other.sessionId, 'third here')
    await client.take('new_message', of(other.sessionId))
    await eventually(() => expect(outlineOf(client, one.sessionId)?.lastSequence).toBe(5))
    expect(told(client, one.sessionId)).toEqual([2, 3, 4])
    client.send({ type: 'open_chat', sessionId: null })
    await say(other.client, other.sessionId, 'unseen')
    await eventually(() => expect(outlineOf(client, other.sessionId)?.lastSequence).toBe(4))
    expect(told(client, other.sessionId)).toEqual([1, 2, 3])
    await Promise.all([client, one.client, other.client].map((each) => each.close()))
  })

  test('misses nothing and gets nothing twice of a chat that it opens and closes while messages arrive', async () => {
    const client = await join(nodes[1])
    const { client: visitor, sessionId } = await joinChat(nodes[0])
    const count = 60
    for (let index = 1; index <= count; index += 1) {
      visitor.send({ type: 'send_message', sessionId, message: `message ${index}`, clientMessageId: `${index}` })
    }
    const reached = () => told(client, sessionId).at(-1) ?? 0
    let openings = 0
    while (reached() < count) {
      openings += 1
      client.send({ type: 'open_chat', sessionId, afterSequence: reached() })
      await client.take('chat_history', of(sessionId))
      // some openings last for a few messages
      if (openings % 2 === 0) await settle(client)
      client.send({ type: 'open_chat', sessionId: null })
      await settle(client)
    }
    expect(told(client, sessionId)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    await eventually(() => expect(outlineOf(client, sessionId)).toMatchObject({ lastSequence: count, answered: 0 }))
    await Promise.all([client.close(), visitor.close()])
  })

  test('is notified of the end and erasure of chats it has not opened, and gets nothing of them afterwards', async () => {
    const client = await join(nodes[1])
    const { client: visitor, sessionId } = await joinChat(nodes[0])
    await say(visitor, sessionId, 'a secret')
    await eventually(() => expect(outlineOf(client, sessionId)?.last?.message).toBe('a secret'))
    expect((await nodes[0].post(`/api/chats/${sessionId}/erase`, {}, staff)).status).toBe(204)
    await client.take('chat_ended', (frame) => frame.sessionId === sessionId && frame.isErased === true)
    client.send({ type: 'open_chat', sessionId })
    await client.take('chat_history', of(sessionId))
    const late = await join(nodes[0])
    expect(JSON.stringify(late.frames)).not.toContain('a secret')
    const after = client.frames.slice(client.frames.findIndex(({ type }) => type === 'chat_ended'))
    // the key is destroyed a moment later
    expect(JSON.stringify(after.filter(({ type }) => type !== 'chat_history'))).not.toContain('a secret')
    await Promise.all([client, late, visitor].map((each) => each.close()))
  })

  test.each([
    [{ type: 'open_chat', sessionId: 'x' }, 'bad_frame'],
    [{ type: 'open_chat' }, 'bad_frame'],
    [{ type: 'join_admin', listed: ['x'] }, 'bad_frame'],
    [{ type: 'join_admin', listed: Array.from({ length: 201 }, () => randomUUID()) }, 'bad_frame'],
  ])('is refused a request that makes no sense: %j', async (frame, code) => {
    const client = await openTestClient(nodes[0], staff)
    client.send(frame)
    expect(await client.take('error')).toMatchObject({ code })
    await client.close()
  })
})

describe('the writer of a reply', () => {
  test('is sent to staff and stored, and never sent to the visitor, who sees the support team', async () => {
    const { client, sessionId, resumeToken } = await joinChat(nodes[0])
    await say(client, sessionId, 'hello')
    await say(admin, sessionId, 'good day')
    const answered = await admin.take('new_message', (frame) => frame.sessionId === sessionId && frame.sequence === 2)
    expect(answered).toMatchObject({ senderName: 'Support Team', by: staffId, staffName: 'thandi' })
    const colleague = await joinStaff(nodes[0], staff)
    colleague.send({ type: 'get_messages', sessionId })
    const { messages } = await colleague.take('chat_history')
    expect(messages[0]).not.toHaveProperty('by')
    expect(messages[1]).toMatchObject({ by: staffId, staffName: 'thandi' })
    const back = await resume(nodes[1], { sessionId, resumeToken })
    await client.take('new_message', ({ sequence }) => sequence === 2)
    const [stored] =
      await sql`select data->>'by' as by from events where stream = ${messageStreams.of(sessionId)} and version = 2`
    expect(stored?.by).toBe(staffId)
    for (const visitor of [client, back]) {
      expect(JSON.stringify(visitor.frames)).not.toMatch(/"by"|staffName|thandi/)
      expect(JSON.stringify(visitor.frames)).not.toContain(staffId)
    }
    await Promise.all([client, back, colleague].map((participant) => participant.close()))
  })
})

test('a message of 4,000 characters without a space passes whole, both ways', async () => {
  const { client, sessionId } = await joinChat(nodes[0])
  for (const [sender, letter] of [
    [client, 'm'],
    [admin, 'é'],
  ] as const) {
    const message = letter.repeat(MAX_MESSAGE_CHARACTERS)
    await say(sender, sessionId, message, letter)
    for (const participant of [client, admin]) {
      await participant.take('new_message', (frame) => frame.sessionId === sessionId && frame.message === message)
    }
  }
  await client.close()
})

describe('the pages of visitors', () => {
  const GHOST_TIMEOUT_MS = 60_000

  let console: TestClient

  beforeAll(async () => {
    console = await joinStaff(nodes[0], staff)
  })

  const follow = (...sessionIds: string[]) => console.send({ type: 'follow_visitors', sessionIds })

  /** The page of a visitor that the console was last sent. */
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

  test('a console gets the visitors of its shown chats, with their page and since when, over nodes', async () => {
    const [one, two] = [await joinChat(nodes[1], 'One'), await joinChat(nodes[1], 'Two')]
    follow(one.sessionId)
    const before = await isHere(one.sessionId)
    expect(before?.pageUrl).toBeNull()
    // no client has asked for the other
    expect(told(two.sessionId)).toBeUndefined()
    // the visitor opens another page, on another node
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
    // a console that joins now is sent the same
    const late = await joinStaff(nodes[1], staff)
    late.send({ type: 'follow_visitors', sessionIds: [sessionId] })
    expect((await late.take('visitors_here')).chats).toEqual([
      { sessionId, here: { pageUrl: '/contract/premium', since: timestamp } },
    ])
    await Promise.all([late, next, two.client].map((client) => client.close()))
  })

  test('for a visitor who has just arrived, the first frame to a console is that they are present', async () => {
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
})

describe('an erased chat', () => {
  /** The log is compared every 10 to 25 s. */
  const COMPARED_WITHIN_MS = 40_000

  /** Starts a chat of a visitor whose address is also on a lead. */
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

  test('an open chat that is erased ends as erased for its visitor and for staff, on all nodes', async () => {
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

  test('staff are notified of the erasure of a chat that ended long before', async () => {
    const { client, sessionId, leadId } = await startChat('ayanda')
    client.send({ type: 'end_chat', sessionId })
    await admin.take('chat_ended', (frame) => frame.sessionId === sessionId)
    await client.close()
    await erase(leadId)
    await admin.take('chat_ended', isErasure(sessionId))
  })

  test('an erasure whose notification was lost is found in the log, and the visitor is notified once', async () => {
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

  test('a chat whose visitor left neither a lead nor an address can be erased by an owner only', async () => {
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
})
