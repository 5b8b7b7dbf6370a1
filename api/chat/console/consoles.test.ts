import { expect, test, vi } from 'vitest'
import type { ChatOutline } from '../../../events/chat/outline.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { openTestSocket } from '../../testing/rooms.ts'
import { openConsoles } from './consoles.ts'

const WAIT = { timeout: 30_000, interval: 5 }

const said = (sequence: number, sessionId = 'a', message = `message ${sequence}`): ServerFrame => ({
  type: 'new_message',
  id: `${sessionId} ${sequence}`,
  sequence,
  sessionId,
  senderType: 'visitor',
  senderName: 'Ana',
  message,
  timestamp: '2026-11-18T10:00:00.000Z',
})

const outline = (lastSequence: number): ChatOutline => ({
  lastSequence,
  answered: 0,
  waitingSince: null,
  last: {
    senderType: 'visitor',
    senderName: 'Ana',
    message: `message ${lastSequence}`,
    timestamp: '2026-11-18T10:00:00.000Z',
  },
})

/** A console that gets outlines; each read of the log waits until the test responds. */
const open = () => {
  const readings: { ids: string[]; answer: (read: [string, ChatOutline][]) => void; fail: (why: Error) => void }[] = []
  const errors: unknown[] = []
  const consoles = openConsoles({
    readOutlines: (ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, ChatOutline>>()
      readings.push({ ids, answer: (read) => resolve(new Map(read)), fail: reject })
      return promise
    },
    onError: (error) => errors.push(error),
  })
  const socket = openTestSocket()
  consoles.add(socket, true)
  const told = (sessionId = 'a') =>
    socket.frames.flatMap((frame) =>
      frame.type === 'chat_outlines' ? frame.chats.filter((chat) => chat.sessionId === sessionId) : [],
    )
  const nextReading = async (count: number) => {
    await vi.waitFor(() => expect(readings).toHaveLength(count), WAIT)
    return readings[count - 1] as (typeof readings)[0]
  }
  return { consoles, socket, told, nextReading, errors }
}

test('a message that arrives while an outline is read is sent next, after another read', async () => {
  const { consoles, told, nextReading } = open()
  consoles.send(said(1))
  const first = await nextReading(1)
  consoles.send(said(2))
  first.answer([['a', outline(1)]])
  await vi.waitFor(() => expect(told().map(({ lastSequence }) => lastSequence)).toEqual([1]), WAIT)
  const second = await nextReading(2)
  second.answer([['a', outline(2)]])
  await vi.waitFor(() => expect(told().map(({ lastSequence }) => lastSequence)).toEqual([1, 2]), WAIT)
  // from here on each message is enough on its own; one already read changes nothing
  consoles.send(said(2))
  consoles.send(said(3))
  await vi.waitFor(() => expect(told().at(-1)).toMatchObject({ lastSequence: 3, last: { message: 'message 3' } }), WAIT)
  // and a gap causes another read
  consoles.send(said(5))
  const third = await nextReading(3)
  third.answer([['a', outline(5)]])
  await vi.waitFor(() => expect(told().at(-1)?.lastSequence).toBe(5), WAIT)
  consoles.close()
})

test('nothing is sent of a chat that is erased before, during or after the read of its outline', async () => {
  const { consoles, told, nextReading } = open()
  const erase = (sessionId: string) => consoles.send({ type: 'chat_ended', sessionId, isErased: true })
  for (const sessionId of ['a', 'b', 'c']) consoles.send(said(1, sessionId))
  erase('a')
  const reading = await nextReading(1)
  expect(reading.ids).toEqual(['b', 'c'])
  erase('b')
  reading.answer([
    ['b', outline(1)],
    ['c', outline(1)],
  ])
  await vi.waitFor(() => expect(told('c')).toHaveLength(1), WAIT)
  consoles.send(said(2, 'c'))
  erase('c')
  consoles.send(said(1, 'd'))
  const other = await nextReading(2)
  other.answer([['d', outline(1)]])
  await vi.waitFor(() => expect(told('d')).toHaveLength(1), WAIT)
  expect([told('a'), told('b'), told('c').length]).toEqual([[], [], 1])
  consoles.close()
})

test('if the log cannot be read, outlines arrive once it can', async () => {
  const { consoles, told, nextReading, errors } = open()
  consoles.send(said(1))
  const failing = await nextReading(1)
  failing.fail(new Error('Postgres is away'))
  const reading = await nextReading(2)
  expect([errors.length, reading.ids]).toEqual([1, ['a']])
  reading.answer([['a', outline(1)]])
  await vi.waitFor(() => expect(told()).toHaveLength(1), WAIT)
  consoles.close()
})

test('of many chats at once a frame holds a part, and all are sent once', async () => {
  const { consoles, socket, nextReading } = open()
  const ids = Array.from({ length: 450 }, (_, index) => `chat ${index}`)
  for (const id of ids) consoles.send(said(1, id))
  for (const count of [1, 2, 3]) {
    const reading = await nextReading(count)
    reading.answer(reading.ids.map((id) => [id, outline(1)]))
  }
  const frames = () => socket.frames.flatMap((frame) => (frame.type === 'chat_outlines' ? [frame.chats] : []))
  await vi.waitFor(() => expect(frames().map((chats) => chats.length)).toEqual([200, 200, 50]), WAIT)
  expect(
    frames()
      .flat()
      .map(({ sessionId }) => sessionId),
  ).toEqual(ids)
  consoles.close()
})

test('a console gets the messages of its shown chat that no history contained, each once', () => {
  const { consoles, socket } = open()
  const other = openTestSocket()
  consoles.add(other, true)
  consoles.open(socket, 'a')
  consoles.recordSentUpTo(socket, 'a', 3)
  // a room that is behind the history
  for (const sequence of [2, 3, 4, 4, 5]) consoles.send(said(sequence))
  consoles.send(said(1, 'b'))
  // a late response for another chat
  consoles.recordSentUpTo(socket, 'b', 100)
  consoles.send(said(6))
  consoles.open(socket, null)
  consoles.send(said(7))
  const shown = ({ frames }: typeof socket) =>
    frames.flatMap((frame) => (frame.type === 'new_message' ? [`${frame.sessionId}${frame.sequence}`] : []))
  expect([shown(socket), shown(other)]).toEqual([['a4', 'a5', 'a6'], []])
  consoles.close()
})

test('a console that joins again continues with the chat that it shows', () => {
  const { consoles, socket } = open()
  consoles.open(socket, 'a')
  consoles.send(said(1))
  consoles.add(socket, true)
  consoles.send(said(2))
  const shown = socket.frames.filter((frame) => frame.type === 'new_message')
  expect(shown).toHaveLength(2)
  consoles.close()
})

test('a chat whose last message cannot be read is read again for its next message', async () => {
  const { consoles, told, nextReading } = open()
  consoles.send(said(1))
  const first = await nextReading(1)
  first.answer([['a', { ...outline(1), last: null }]])
  await vi.waitFor(() => expect(told().at(-1)).toMatchObject({ lastSequence: 1, last: null }), WAIT)
  consoles.send(said(2))
  const second = await nextReading(2)
  second.answer([['a', outline(2)]])
  await vi.waitFor(() => expect(told().at(-1)).toMatchObject({ lastSequence: 2, last: { senderName: 'Ana' } }), WAIT)
  consoles.close()
})

test('after a failure no chat that was erased since then is read', async () => {
  const { consoles, told, nextReading, errors } = open()
  consoles.send(said(1))
  consoles.send(said(1, 'b'))
  const first = await nextReading(1)
  expect(first.ids).toEqual(['a', 'b'])
  consoles.send({ type: 'chat_ended', sessionId: 'a', endedBy: 'admin', isErased: true } as ServerFrame)
  first.fail(new Error('away'))
  const second = await nextReading(2)
  expect(second.ids).toEqual(['b'])
  second.answer([['b', outline(1)]])
  await vi.waitFor(() => expect(told('b')).toHaveLength(1), WAIT)
  expect([told('a'), errors.length]).toEqual([[], 1])
  consoles.close()
})
