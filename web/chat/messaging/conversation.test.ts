import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import {
  acceptMessage,
  allowMessages,
  badge,
  emptyConversation,
  lastSequence,
  mergeMessages,
  queueMessage,
  refuseMessage,
  unbrokenUpTo,
  unreadCount,
} from './conversation.ts'

const message = (sequence: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: `id-${sequence}`,
  sequence,
  sessionId: 'session',
  senderType: 'visitor',
  senderName: 'Thabo',
  message: `Message ${sequence}`,
  timestamp: '2026-01-31T10:00:00.000Z',
  ...more,
})
const unsent = { clientMessageId: 'mine', message: 'Hello', timestamp: '2026-01-31T10:00:00.000Z' }
const sender = { sessionId: 'session', senderType: 'visitor', senderName: 'Thabo' } as const
const accepted = { clientMessageId: 'mine', id: 'id-1', sequence: 1, timestamp: '2026-01-31T10:00:01.000Z' }
const queued = queueMessage(emptyConversation, unsent)

describe('a conversation', () => {
  it('shows messages once and in sequence, however they arrive', () => {
    const late = mergeMessages(emptyConversation, [message(3), message(1)])
    const { messages } = mergeMessages(late, [message(2), message(3), message(1)])
    expect(messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  it('drops an unsent message once the server sends it back', () => {
    expect(mergeMessages(queued, [message(1, { clientMessageId: 'mine' })]).unsent).toEqual([])
  })

  it('keeps unsent messages when others arrive, also ones without a clientMessageId', () => {
    expect(mergeMessages(queued, [message(1)]).unsent).toEqual([unsent])
  })

  it('turns an accepted message into a sent one, whether the response or the message comes first', () => {
    const own = message(1, { clientMessageId: 'mine', message: 'Hello', timestamp: accepted.timestamp })
    const answerFirst = mergeMessages(acceptMessage(queued, accepted, sender), [own])
    const messageFirst = acceptMessage(mergeMessages(queued, [own]), accepted, sender)
    expect(answerFirst).toEqual({ messages: [own], unsent: [] })
    expect(messageFirst).toEqual(answerFirst)
  })

  it('ignores a response to an unknown message', () => {
    expect(acceptMessage(emptyConversation, accepted, sender)).toBe(emptyConversation)
  })

  it('keeps a refused message, with the reason', () => {
    expect(refuseMessage(queued, 'mine', 'This chat has ended').unsent).toEqual([
      { ...unsent, refused: 'This chat has ended' },
    ])
  })

  it('clears refusals, one by its id or all', () => {
    const both = queueMessage(queued, { ...unsent, clientMessageId: 'other' })
    const refused = refuseMessage(refuseMessage(both, 'mine', 'No'), 'other', 'No')
    expect(allowMessages(refused, 'mine').unsent.map(({ refused }) => refused)).toEqual([undefined, 'No'])
    expect(allowMessages(refused)).toEqual(both)
  })

  it('resumes before a gap, not after it', () => {
    expect(lastSequence(mergeMessages(emptyConversation, [message(1), message(2), message(4)]))).toBe(2)
    expect(lastSequence(mergeMessages(emptyConversation, [message(7)]))).toBe(0)
    expect(lastSequence(emptyConversation)).toBe(0)
  })

  it('finds the messages without a gap, with or without the beginning', () => {
    const unbroken = (...sequences: number[]) =>
      unbrokenUpTo(
        mergeMessages(
          emptyConversation,
          sequences.map((sequence) => message(sequence)),
        ),
      )
    expect(unbroken()).toBe(0)
    expect(unbroken(7)).toBe(7)
    expect(unbroken(7, 8, 10)).toBe(8)
    expect(unbroken(1, 3, 4)).toBe(1)
  })

  it('counts the other side’s messages after the last one seen', () => {
    const admin = { senderType: 'admin' } as const
    const mixed = mergeMessages(emptyConversation, [
      message(1, admin),
      message(2),
      message(3, admin),
      message(4, admin),
    ])
    expect(unreadCount(mixed, 'admin', 1)).toBe(2)
    expect(unreadCount(mixed, 'visitor', 0)).toBe(1)
  })

  it("shows '9+' above nine", () => {
    expect([1, 9, 10, 200].map(badge)).toEqual(['1', '9', '9+', '9+'])
  })
})
