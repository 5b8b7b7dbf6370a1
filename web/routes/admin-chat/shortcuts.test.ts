import { expect, test } from 'vitest'
import { commandOf } from './shortcuts.ts'

const NO_KEY = { key: '', code: '', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

test.each([
  ['Alt and down', { key: 'ArrowDown', altKey: true }, 'next', 'next'],
  ['Alt and up', { key: 'ArrowUp', altKey: true }, 'previous', 'previous'],
  ['Alt, Shift and down', { key: 'ArrowDown', altKey: true, shiftKey: true }, 'next-unread', 'next-unread'],
  ['Alt and R, which writes ® on a Mac', { key: '®', code: 'KeyR', altKey: true }, 'answer', 'answer'],
  ['Alt and E', { key: 'e', code: 'KeyE', altKey: true }, 'end', 'end'],
  ['Ctrl and /', { key: '/', ctrlKey: true }, 'help', 'help'],
  ['Command and /', { key: '/', metaKey: true }, 'help', 'help'],
  ['?', { key: '?', shiftKey: true }, 'help', undefined],
  ['down', { key: 'ArrowDown' }, undefined, undefined],
  ['e', { key: 'e', code: 'KeyE' }, undefined, undefined],
  ['Ctrl and E', { key: 'e', code: 'KeyE', ctrlKey: true }, undefined, undefined],
  ['AltGr and E, which writes é', { key: 'é', code: 'KeyE', altKey: true, ctrlKey: true }, undefined, undefined],
])('%s gives the same command or none, outside a field and in it', (_, keys, outside, writing) => {
  expect(commandOf({ ...NO_KEY, ...keys }, false)).toBe(outside)
  expect(commandOf({ ...NO_KEY, ...keys }, true)).toBe(writing)
})
