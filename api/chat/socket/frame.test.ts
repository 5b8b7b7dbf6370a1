import { expect, test } from 'vitest'
import { validateFrame } from './frame.ts'

const refusalOf = (frame: unknown): string => {
  try {
    validateFrame(frame)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

test.each([null, [], 'join_admin', {}, { type: ['join_admin'] }])('no frame is refused: %j', (frame) => {
  expect(refusalOf(frame)).toBe('A frame has to be an object with a type')
})

test.each(['order_pizza', '__proto__'])('a frame of the unknown type %s gets no response', (type) => {
  expect(validateFrame({ type })).toBeUndefined()
})

test.each([
  ['listed', { type: 'join_admin', listed: Array(30_000).fill(1) }],
  ['followed', { type: 'follow_visitors', sessionIds: Array(30_000).fill(1) }],
])('a list that is too long is refused before its items are read (%s)', (word, frame) => {
  expect(refusalOf(frame)).toBe(`At most 200 chats may be ${word}`)
})

test('a frame gets its first error, in 200 characters at most', () => {
  const frame = { type: 'typing', sessionId: 'x', isTyping: 'x'.repeat(60_000) }
  expect(refusalOf(frame)).toBe('A sessionId is a UUID')
  expect(refusalOf({ ...frame, sessionId: crypto.randomUUID() })).toHaveLength(200)
})
