import { expect, test } from 'vitest'
import type { ChatMessage } from '../../events/chat.ts'
import { type ConsoleState, emptyConsole, unreadOf } from './console-state.ts'

const written = (by: string): ChatMessage[] =>
  [...by].map((letter, index) => ({
    id: `id-${index}`,
    sequence: index + 1,
    sessionId: 'session',
    senderType: letter === 'v' ? 'visitor' : 'admin',
    senderName: 'Someone',
    message: 'Hello',
    timestamp: '2026-01-31T10:00:00.000Z',
  }))

const state = (by: string, more: Partial<ConsoleState> = {}): ConsoleState => ({
  ...emptyConsole,
  conversations: { session: { messages: written(by), unsent: [] } },
  ...more,
})

test.each([
  ['nothing', '', {}, 0],
  ['what nobody has looked at or answered', 'vvv', {}, 3],
  ['what came after the last answer of any of the staff', 'vvavv', {}, 2],
  ['what came after it was looked at here', 'vavvv', { seen: { session: 4 } }, 1],
  ['nothing of the chat that is open', 'vvv', { selected: 'session' }, 0],
])('the list of sessions counts %s', (_, by, more, expected) => {
  expect(unreadOf(state(by, more), 'session')).toBe(expected)
})

test('the list counts nothing of a session of which nothing is known', () => {
  expect(unreadOf(state('vv'), 'another')).toBe(0)
})
