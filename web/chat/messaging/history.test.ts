import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { type Conversation, emptyConversation, mergeMessages } from './conversation.ts'
import { hasEarlier, withEarlier, withNewest } from './history.ts'

const range = (first: number, last: number): ChatMessage[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    id: `${first + index}`,
    sequence: first + index,
    sessionId: 'session',
    senderType: 'visitor',
    senderName: 'Ana',
    message: '',
    timestamp: '',
  }))

const holding = (first: number, last: number) => mergeMessages(emptyConversation, range(first, last))
const spanOf = ({ messages }: Conversation) => messages.map(({ sequence }) => sequence)
const numbers = (first: number, last: number) => range(first, last).map(({ sequence }) => sequence)

test('the newest part joins the cached messages if there is no gap, and replaces them otherwise', () => {
  expect(spanOf(withNewest(emptyConversation, range(1, 3)))).toEqual(numbers(1, 3))
  expect(spanOf(withNewest(holding(1, 5), range(6, 9)))).toEqual(numbers(1, 9))
  expect(spanOf(withNewest(holding(1, 5), range(4, 9)))).toEqual(numbers(1, 9))
  expect(spanOf(withNewest(holding(1, 5), range(7, 9)))).toEqual(numbers(7, 9))
  expect(spanOf(withNewest(holding(8, 12), range(6, 10)))).toEqual(numbers(6, 12))
  expect(spanOf(withNewest(holding(1, 5), []))).toEqual(numbers(1, 5))
})

test('messages before a gap are dropped, even if the newest part follows the messages after it', () => {
  expect(spanOf(withNewest(mergeMessages(holding(1, 5), range(8, 9)), range(10, 12)))).toEqual(numbers(8, 12))
  expect(spanOf(withNewest(mergeMessages(holding(1, 5), range(8, 9)), range(1, 12)))).toEqual(numbers(1, 12))
})

test('earlier messages are added if they end right before the cached ones', () => {
  expect(hasEarlier(holding(7, 9))).toBe(true)
  expect(spanOf(withEarlier(holding(7, 9), range(3, 6)))).toEqual(numbers(3, 9))
  expect(spanOf(withEarlier(holding(17, 19), range(3, 6)))).toEqual(numbers(17, 19))
  expect(hasEarlier(withEarlier(holding(7, 9), range(1, 6)))).toBe(false)
  expect(hasEarlier(emptyConversation)).toBe(false)
})
