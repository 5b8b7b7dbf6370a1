import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatMessage, messageStreams } from '../../../events/chat/chat.ts'
import {
  ANSWER_LOOKED_FOR,
  type ChatOutline,
  LAST_WORDS_CHARACTERS,
  outlineAfter,
} from '../../../events/chat/outline.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { eventually } from '../../../events/testing/node.ts'
import { openTestRooms, openTestSocket, posted, type TestRooms, type TestSocket } from '../../testing/rooms.ts'
import { readOutlines } from '../log/outlines.ts'

const NOTHING_SAID: ChatOutline = { lastSequence: 0, answered: 0, waitingSince: null, last: null }

type Opened = Awaited<ReturnType<typeof openTestRooms>>

let first: TestRooms
let second: TestRooms
let writer: Opened['writer']
let tell: Opened['tell']
let startChat: Opened['startChat']
let close: Opened['close']

beforeAll(async () => {
  ;({ first, second, writer, tell, startChat, close } = await openTestRooms())
})

afterAll(() => close())

/**
 * Stores a message; `isTold`: with notifications like its node, otherwise like a node that dies before it sends any.
 */
const post = async (
  sessionId: string,
  message: string,
  { from = 'visitor', isTold = true }: { from?: 'visitor' | 'admin'; isTold?: boolean } = {},
) => {
  const stored = await posted(writer, sessionId, { senderType: from, message })
  if (isTold) await tell(stored)
  return chatMessage(stored)
}

const joinStaff = async ({ hub }: TestRooms, getsOutlines = true) => {
  const socket = openTestSocket()
  const listed = await hub.enterStaff(socket, getsOutlines ? [] : undefined)
  socket.flush(() => true)
  return { socket, listed }
}

type OutlinesFrame = Extract<ServerFrame, { type: 'chat_outlines' }>

const outlinesTo = ({ frames }: TestSocket) =>
  frames.filter((frame) => frame.type === 'chat_outlines') as OutlinesFrame[]
const lastOutline = (socket: TestSocket, sessionId: string) =>
  outlinesTo(socket)
    .flatMap(({ chats }) => chats)
    .findLast((chat) => chat.sessionId === sessionId)

test('the outline read from the log equals the one from its messages, one after the other', async () => {
  const talks = ['', 'v', 'a', 'vvv', 'vva', 'vavv', 'aavva', 'vvavava']
  const chats = await Promise.all(
    talks.map(async (talk) => {
      const sessionId = await startChat()
      let outline = NOTHING_SAID
      for (const letter of talk) {
        const message = `${letter} ${'🙂'.repeat(200)}`
        outline = outlineAfter(outline, await post(sessionId, message, { from: letter === 'a' ? 'admin' : 'visitor' }))
      }
      return [sessionId, outline] as const
    }),
  )
  const read = await readOutlines(
    first.node.sql,
    chats.map(([sessionId]) => sessionId),
  )
  expect(read).toEqual(new Map(chats))
  const words = [...read.values()].at(-1)?.last?.message ?? ''
  expect([...words]).toHaveLength(LAST_WORDS_CHARACTERS)
  expect(words.isWellFormed()).toBe(true)
})

test('a reply is looked for no further back than one page', async () => {
  const sessionId = await startChat()
  await post(sessionId, 'answer', { from: 'admin', isTold: false })
  await Promise.all(
    Array.from({ length: ANSWER_LOOKED_FOR }, () => post(sessionId, 'still waiting', { isTold: false })),
  )
  const outlineOf = async () => (await readOutlines(first.node.sql, [sessionId])).get(sessionId)
  expect(await outlineOf()).toMatchObject({ lastSequence: ANSWER_LOOKED_FOR + 1, answered: 1 })
  await post(sessionId, 'still waiting', { isTold: false })
  expect(await outlineOf()).toMatchObject({ lastSequence: ANSWER_LOOKED_FOR + 2, answered: 2 })
})

test('consoles with a list get the same outlines and no text; a client that only joins gets all messages', async () => {
  const [one, two, plain] = [await joinStaff(second), await joinStaff(second), await joinStaff(second, false)]
  const sessionId = await startChat()
  const messages = 60
  const began = performance.now()
  for (let count = 1; count <= messages; count += 1) await post(sessionId, `message ${count}`)
  await eventually(() => expect(lastOutline(one.socket, sessionId)?.lastSequence).toBe(messages))
  const seconds = (performance.now() - began) / 1_000
  const frames = outlinesTo(one.socket)
  expect(frames.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1)
  expect(lastOutline(one.socket, sessionId)).toMatchObject({ answered: 0, last: { message: `message ${messages}` } })
  // the very same object: its text is serialized once
  await eventually(() => expect(outlinesTo(two.socket)).toHaveLength(outlinesTo(one.socket).length))
  for (const [place, frame] of outlinesTo(one.socket).entries()) expect(outlinesTo(two.socket)[place]).toBe(frame)
  for (const { socket } of [one, two]) expect(socket.frames.filter(({ type }) => type === 'new_message')).toEqual([])
  await eventually(() =>
    expect(plain.socket.frames.filter(({ type }) => type === 'new_message')).toHaveLength(messages),
  )
  expect(outlinesTo(plain.socket)).toEqual([])

  // the list for a console that joins now
  const late = await joinStaff(second)
  const listed = late.listed.sessions.find((session) => session.sessionId === sessionId)
  expect(listed?.outline).toMatchObject({ lastSequence: messages, last: { message: `message ${messages}` } })
  for (const { socket } of [one, two, plain, late]) second.hub.leave(socket)
})

test('an event lost by Redis arrives as an outline too, once the log is compared', async () => {
  const { socket } = await joinStaff(second)
  const sessionId = await startChat()
  await post(sessionId, 'nobody tells of this', { isTold: false })
  await eventually(async () => {
    await second.hub.check()
    expect(lastOutline(socket, sessionId)?.last?.message).toBe('nobody tells of this')
  })
  second.hub.leave(socket)
})

test('a console that lists chats beyond the newest is sent the open ones', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, startChat))
  await Promise.all(Array.from({ length: 51 }, startChat))
  await post(ids[1] as string, 'still here', { isTold: false })
  const socket = openTestSocket()
  const { sessions } = await second.hub.enterStaff(socket, [...ids, randomUUID()])
  socket.flush(() => true)
  const told = sessions.map(({ sessionId }) => sessionId)
  expect(told).toHaveLength(50 + ids.length)
  expect(new Set(told)).toEqual(new Set([...told.slice(0, 50), ...ids]))
  expect(sessions.find(({ sessionId }) => sessionId === ids[1])?.outline?.last?.message).toBe('still here')
  second.hub.leave(socket)
})

test('a chat that cannot be read does not affect the last words of others', async () => {
  const chats = await Promise.all(
    ['one', 'two', 'three'].map(async (words) => {
      const sessionId = await startChat()
      await post(sessionId, words, { isTold: false })
      return sessionId
    }),
  )
  // as a later version would have written it
  await writer.sql`update events set schema_version = 99 where stream = ${messageStreams.of(chats[1] ?? '')}`
  const read = await readOutlines(first.node.sql, chats)
  expect(chats.map((id) => read.get(id)?.last?.message)).toEqual(['one', undefined, 'three'])
})
