import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ErrorCode } from '../../../events/chat/server-frames.ts'
import type { Connection } from './connection.ts'
import { acceptMessage, type Conversation, emptyConversation, queueMessage, refuseMessage } from './conversation.ts'
import { openDelivery, passes } from './outgoing-messages.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

const ANSWER_MS = 50
const ANA = { senderType: 'visitor', senderName: 'Ana' } as const

/**
 * A chat with unsent messages, and a server that responds to each attempt 50 ms later, by `judge`; undefined: never.
 */
const openChat = (
  kept: number,
  judge: (message: string) => ErrorCode | 'accepted' | undefined,
  retryAfterS?: number,
) => {
  const texts = Array.from({ length: kept }, (_, index) => `${index + 1}`)
  let conversation: Conversation = texts.reduce(
    (so, text) => queueMessage(so, { clientMessageId: text, message: text, timestamp: '' }),
    emptyConversation,
  )
  const tries: string[] = []
  const stored: string[] = []
  let restarts = 0

  const change = (changed: Conversation) => {
    conversation = changed
    delivery.deliver('session', () => conversation)
  }
  const answer = (clientMessageId: string, verdict: ErrorCode | 'accepted') => {
    if (verdict !== 'accepted') {
      if (passes(verdict)) return delivery.deliverLater('session', () => conversation, retryAfterS)
      return change(refuseMessage(conversation, clientMessageId, verdict))
    }
    const accepted = { clientMessageId, id: clientMessageId, sequence: stored.push(clientMessageId), timestamp: '' }
    change(acceptMessage(conversation, accepted, { sessionId: 'session', ...ANA }))
  }
  const connection: Connection = {
    send: (frame) => {
      if (frame.type !== 'send_message') return false
      const { senderType, senderName } = frame
      expect({ senderType, senderName }).toEqual(ANA)
      const message = frame.message ?? ''
      tries.push(message)
      const verdict = judge(message)
      if (verdict) setTimeout(answer, ANSWER_MS, frame.clientMessageId ?? '', verdict)
      return true
    },
    restart: () => {
      restarts += 1
      delivery.deliverAgain('session', () => conversation)
    },
    close: () => {},
  }
  const delivery = openDelivery({ connection: () => connection, sender: () => ANA })
  change(conversation)
  return { texts, tries, stored, delivery, restarts: () => restarts, conversation: () => conversation, change }
}

test('unsent messages arrive in order, each once, at a server that takes 20 at once and then one a second', async () => {
  let tokens = 20
  let last = 0
  const chat = openChat(50, () => {
    tokens = Math.min(20, tokens + (Date.now() - last) / 1_000)
    last = Date.now()
    if (tokens < 1) return 'too_many_requests'
    tokens -= 1
    return 'accepted'
  })
  await vi.advanceTimersByTimeAsync(45_000)
  expect(chat.stored).toEqual(chat.texts)
  expect(chat.conversation().unsent).toEqual([])
  expect(chat.tries.length).toBeLessThan(65)
  expect(chat.restarts()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing overtakes a message that cannot be stored at the moment, and only one timer waits', async () => {
  let isAway = true
  const chat = openChat(3, (message) => (message === '1' && isAway ? 'unavailable' : 'accepted'))
  await vi.advanceTimersByTimeAsync(1_000)
  chat.change(queueMessage(chat.conversation(), { clientMessageId: '4', message: '4', timestamp: '' }))
  expect(chat.tries).toEqual(['1'])
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(9_000)
  isAway = false
  await vi.advanceTimersByTimeAsync(25_000)
  expect(chat.stored).toEqual(['1', '2', '3', '4'])
})

test('if the server says when there is room again, a message waits for it, and is then sent with those behind it', async () => {
  const isOpenFrom = 600_000
  const chat = openChat(3, () => (Date.now() < isOpenFrom ? 'too_many_requests' : 'accepted'), isOpenFrom / 1_000)
  await vi.advanceTimersByTimeAsync(isOpenFrom - 1_000)
  expect(chat.tries).toEqual(['1'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(chat.stored).toEqual(['1', '2', '3'])
})

test('a message that is refused for good does not hold up the next', async () => {
  const chat = openChat(3, (message) => (message === '2' ? 'too_large' : 'accepted'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(chat.stored).toEqual(['1', '3'])
  expect(chat.conversation().unsent).toMatchObject([{ message: '2', refused: 'too_large' }])
})

test('a message without a response is sent again on a new connection, after 10 s', async () => {
  let isDead = true
  const chat = openChat(2, () => (isDead ? undefined : 'accepted'))
  await vi.advanceTimersByTimeAsync(9_000)
  expect(chat.restarts()).toBe(0)
  isDead = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(chat.restarts()).toBe(1)
  expect(chat.tries).toEqual(['1', '1', '2'])
  expect(chat.stored).toEqual(['1', '2'])
})

test('nothing is sent or waited for once it is closed', async () => {
  const chat = openChat(2, () => 'unavailable')
  await vi.advanceTimersByTimeAsync(1_000)
  chat.delivery.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a page waits automatically for two minutes at most', () => {
  expect(passes('too_many_requests', 120)).toBe(true)
  expect(passes('too_many_requests', 121)).toBe(false)
  expect(passes('bad_frame', 1)).toBe(false)
})
