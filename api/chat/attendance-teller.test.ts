import { expect, test } from 'vitest'
import { forgetOf } from './attendance-teller.ts'

test('what a console was told of chats that it shows no longer has a bound, that of those it shows has none', () => {
  const told = new Map<string, string>()
  for (let chat = 0; chat < 2_000; chat += 1) told.set(`chat-${chat}`, chat % 2 === 0 ? '{"pageUrl":null}' : 'null')
  const shown = new Set(['chat-0', 'chat-1'])
  forgetOf(told, shown)
  expect(told.size).toBe(502)
  expect([...shown].every((chat) => told.has(chat))).toBe(true)
  // who was here last may come back, and consoles have to learn that they left
  expect(told.has('chat-1998')).toBe(true)
  expect(told.has('chat-1999')).toBe(false)
})
