import { expect, test } from 'vitest'
import { commandOf } from './shortcuts.ts'

const NO_KEY = { key: '', code: '', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

test.each([
  ['Alt and down', { key: 'ArrowDown', altKey: true }, 'next'],
  ['Alt and up', { key: 'ArrowUp', altKey: true }, 'previous'],
  ['Alt, Shift and down', { key: 'ArrowDown', altKey: true, shiftKey: true }, 'next-unread'],
  ['Alt and R, which writes ® on a Mac', { key: '®', code: 'KeyR', altKey: true }, 'answer'],
  ['Alt and E', { key: 'e', code: 'KeyE', altKey: true }, 'end'],
  ['Ctrl and /', { key: '/', ctrlKey: true }, 'help'],
  ['Command and /', { key: '/', metaKey: true }, 'help'],
  ['down', { key: 'ArrowDown' }, undefined],
  ['e', { key: 'e', code: 'KeyE' }, undefined],
  ['Ctrl and E', { key: 'e', code: 'KeyE', ctrlKey: true }, undefined],
  ['AltGr and E, which writes é', { key: 'é', code: 'KeyE', altKey: true, ctrlKey: true }, undefined],
])('%s gives its command or none', (_, keys, command) => {
  expect(commandOf({ ...NO_KEY, ...keys })).toBe(command)
})
