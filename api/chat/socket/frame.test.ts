import { expect, test } from 'vitest'
import { validateFrame } from './frame.ts'

const refusalOf = (frame: object): string => {
  try {
    validateFrame(frame)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

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
