import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../events/chat.ts'
import { MAX_LEAD_MESSAGE_CHARACTERS } from '../../../events/lead.ts'
import { chatAsText } from './chat-text.ts'

const said = (senderName: string, message: string): ChatMessage => ({
  id: message,
  sequence: 1,
  sessionId: 'session',
  senderType: 'visitor',
  senderName,
  message,
  timestamp: '2026-01-31T10:00:00.000Z',
})

test('a chat becomes a line a message', () => {
  expect(chatAsText([said('Nomsa', 'Hello'), said('Support Team', 'Good day')])).toBe(
    'Nomsa: Hello\nSupport Team: Good day',
  )
  expect(chatAsText([])).toBe('')
})

test('of a chat that is too long for a lead the last whole messages stay', () => {
  const long = chatAsText([said('A', 'a'.repeat(4_000)), said('B', 'b'.repeat(3_000)), said('C', 'c')])
  expect(long).toBe(`B: ${'b'.repeat(3_000)}\nC: c`)
  expect(long.length).toBeLessThanOrEqual(MAX_LEAD_MESSAGE_CHARACTERS)
})
