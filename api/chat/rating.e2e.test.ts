import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatRatingStreams } from '../../events/chat-rating.ts'
import { readStream } from '../../events/log/read.ts'
import { exactly } from '../../events/testing/exactly.ts'
import { eventually } from '../../events/testing/node.ts'
import { chatList, chatRecord } from '../../events/wire/chat.ts'
import { openTestChat, resume, type TestChat } from './test-chat.ts'
import { joinChat, openTestClient, type TestClient } from './test-client.ts'

let chat: TestChat

beforeAll(async () => {
  chat = await openTestChat()
})

afterAll(() => chat.close())

const of = (sessionId: string) => (frame: { sessionId: string }) => frame.sessionId === sessionId

const recordOf = async (sessionId: string) =>
  exactly(chatRecord, await (await chat.nodes[1].call(`/api/chats/${sessionId}`, { headers: chat.staff })).json())

const rate = (client: TestClient, sessionId: string, score = 'good', comment: string | null = null) =>
  client.send({ type: 'rate_chat', sessionId, score, comment })

const end = async (client: TestClient, sessionId: string) => {
  chat.admin.send({ type: 'end_chat', sessionId })
  await client.take('chat_ended')
}

test('A visitor rates a chat that staff ended, once, and staff on the other node are told', async () => {
  const { client, sessionId, resumeToken } = await joinChat(chat.nodes[0])
  rate(client, sessionId)
  expect(await client.take('error')).toMatchObject({ code: 'not_allowed', refused: 'rate_chat' })
  await end(client, sessionId)
  for (let time = 0; time < 2; time += 1) {
    rate(client, sessionId, 'good', ' Quick and clear ')
    await client.take('rating_accepted', of(sessionId))
  }
  expect(await chat.admin.take('chat_rated', of(sessionId))).toEqual({ type: 'chat_rated', sessionId, score: 'good' })
  rate(client, sessionId, 'bad', 'I changed my mind')
  expect(await client.take('error')).toMatchObject({ message: 'You have rated this chat already' })
  const holder = await resume(chat.nodes[1], { sessionId, resumeToken })
  await holder.take('chat_ended')
  rate(holder, sessionId)
  expect(await holder.take('error')).toMatchObject({ message: 'Only the device that began the chat may rate it' })

  const events = await readStream(chat.sql, chatRatingStreams.of(sessionId))
  expect(events).toMatchObject([{ data: { score: 'good' }, metadata: { actor: { type: 'visitor' } } }])
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

test('A page is offered the rating that it asks for, on the device that began the chat, until there is one', async () => {
  const { client, sessionId, resumeToken, joinKey } = await joinChat(chat.nodes[0])
  expect(client.framesOf('chat_joined')[0]).not.toHaveProperty('takesRating')
  const comeBack = async (more: object) => {
    const back = await openTestClient(chat.nodes[1])
    back.send({ type: 'join_chat', visitorName: 'Ana', sessionId, resumeToken, asksForRating: true, ...more })
    const { takesRating, hasRated } = await back.take('chat_joined')
    return { back, takesRating, hasRated }
  }
  const [own, linked] = [await comeBack({ joinKey }), await comeBack({})]
  expect([own.takesRating, linked.takesRating]).toEqual([true, undefined])
  await end(client, sessionId)
  const late = await comeBack({ joinKey })
  expect([late.takesRating, late.hasRated]).toEqual([true, undefined])
  rate(late.back, sessionId, 'bad')
  await late.back.take('rating_accepted')
  const rated = await comeBack({ joinKey })
  expect([rated.takesRating, rated.hasRated]).toEqual([undefined, true])
  await Promise.all([client, own.back, linked.back, late.back, rated.back].map((one) => one.close()))
})
