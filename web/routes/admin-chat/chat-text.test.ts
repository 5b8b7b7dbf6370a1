import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { MAX_LEAD_MESSAGE_CHARACTERS } from '../../../events/lead/form/form.ts'
import { chatAsText } from './chat-text.ts'

const said = (sequence: number, senderName: string, message: string): ChatMessage => ({
  id: `${sequence}`,
  sequence,
  sessionId: 'session',
  senderType: 'visitor',
  senderName,
  message,
  timestamp: '2026-01-31T10:00:00.000Z',
})

test('a chat becomes one line per message', () => {
  expect(chatAsText([said(1, 'Nomsa', 'Hello'), said(2, 'Support Team', 'Good day')], 2)).toBe(
    'Nomsa: Hello\nSupport Team: Good day',
  )
  expect(chatAsText([], 0)).toBe('')
})

test('of a chat that is too long for a lead the first whole messages stay, and the number left out is added', () => {
  const a = said(1, 'A', 'a'.repeat(3_000))
  const tooLong = [a, said(2, 'B', 'b'.repeat(4_000)), said(3, 'C', 'c')]
  expect(chatAsText(tooLong, 3)).toBe(`A: ${a.message}\n… 2 more messages in the chat`)
  expect(chatAsText([a], 13)).toBe(`A: ${a.message}\n… 12 more messages in the chat`)
})

test('a chat that fits to the last character is whole, and one character more is cut', () => {
  const a = said(1, 'A', 'a'.repeat(3_000))
  const rest = MAX_LEAD_MESSAGE_CHARACTERS - `A: ${a.message}\nB: `.length
  const whole = chatAsText([a, said(2, 'B', 'b'.repeat(rest))], 2)
  expect(whole).toHaveLength(MAX_LEAD_MESSAGE_CHARACTERS)
  expect(chatAsText([a, said(2, 'B', 'b'.repeat(rest + 1))], 2)).toBe(`A: ${a.message}\n… 1 more message in the chat`)
  const more = chatAsText([a, said(2, 'B', 'b'.repeat(rest)), said(3, 'C', 'c')], 3)
  expect(more).toBe(`A: ${a.message}\n… 2 more messages in the chat`)
})
