import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatAssignmentStreams } from '../../events/chat-assignment.ts'
import { readStream } from '../../events/log/read.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually } from '../../events/testing/node.ts'
import { chatList, chatRecord, madeAssignment, waitingChats } from '../../events/wire/chat.ts'
import { openTestChat, type TestChat } from './test-chat.ts'
import { joinChat, joinStaff, say, type TestClient } from './test-client.ts'

const SIPHO = { username: 'sipho', displayName: 'Sipho', password: 'another long password', role: 'agent' }

let chat: TestChat
/** The first member of staff is on the second node, Sipho on the first. */
let [thandi, sipho]: { id: string; cookie: string }[] = []
let siphos: TestClient

const idOf = async (cookie: string) =>
  (await (await chat.nodes[0].call('/api/me', { headers: { cookie } })).json()).id as string

beforeAll(async () => {
  chat = await openTestChat()
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
  await chat.close()
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

describe('whose a chat is', () => {
  test('is decided by the first answer, once, and all consoles are told over nodes', async () => {
    const { client, sessionId } = await joinChat(chat.nodes[0])
    await say(client, sessionId, 'hello')
    await say(chat.admin, sessionId, 'good day')
    const told = { to: { staffId: thandi?.id }, by: { staffId: thandi?.id }, reason: 'answer', note: null, version: 1 }
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

  test('is one of two who take it at once; the other is told in a sentence who has it', async () => {
    const { client, sessionId } = await joinChat(chat.nodes[0])
    const answers = await Promise.all([thandi, sipho].map((who) => assign(sessionId, who, { to: who?.id, version: 0 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [event, ...others] = await assignmentsOf(sessionId)
    expect(others).toEqual([])
    const refused = answers.find(({ status }) => status === 409)
    const winner = event?.data.to === sipho?.id ? 'Sipho' : 'thandi'
    expect(await refused?.json()).toMatchObject({ detail: `${winner} has this chat now` })
    await client.close()
  })

  test('changes with a note that staff see and the visitor never, and is nobody’s once it is let go', async () => {
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

  test('is told to who was handed it until they have answered', async () => {
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

  test('is what lists are asked for, and a colleague without an account has none', async () => {
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

  test('stays as it is once the chat has ended, and its note goes with the visitor', async () => {
    const { client, sessionId } = await joinChat(chat.nodes[0])
    await made(await assign(sessionId, thandi, { to: sipho?.id, version: 0, note: 'a secret of the visitor' }))
    client.send({ type: 'end_chat', sessionId })
    await client.take('chat_ended')
    const late = await assign(sessionId, sipho, { to: null, version: 1 })
    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ detail: 'This chat has ended: nobody has to take it' })
    expect((await recordOf(sessionId)).assignments?.[0]?.note).toBe('a secret of the visitor')
    await chat.nodes[0].post(`/api/chats/${sessionId}/erase`, {}, chat.staff)
    await eventually(async () => expect((await recordOf(sessionId)).assignments).toMatchObject([{ note: null }]))
    await client.close()
  })
})
