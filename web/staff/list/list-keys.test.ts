import { expect, test } from 'vitest'
import { LIST_KEYS, listCommandOf } from './list-keys.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

test.each([
  ['j', 'next'],
  ['k', 'previous'],
  ['e', 'email'],
  ['w', 'whatsapp'],
  ['c', 'call'],
  ['a', 'assign'],
  ['s', 'status'],
  ['x', 'select'],
  ['#', 'spam'],
  ['Escape', 'close'],
  ['q', undefined],
  // an object’s own names are no keys
  ['toString', undefined],
])('The key %s is the command %s of a list', (key, command) => {
  expect(listCommandOf({ ...none, key })).toBe(command)
})

test('Keys of the browser are no commands; # may need Shift or Alt', () => {
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'] as const) {
    expect(listCommandOf({ ...none, key: 'c', [held]: true }), held).toBeUndefined()
  }
  expect(listCommandOf({ ...none, key: '#', shiftKey: true })).toBe('spam')
  expect(listCommandOf({ ...none, key: '#', altKey: true })).toBe('spam')
  expect(listCommandOf({ ...none, key: '#', ctrlKey: true })).toBeUndefined()
})

test('The help lists each key once', () => {
  const keys = LIST_KEYS.map(({ keys: [key] }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of ['j', 'k', 'Enter', 'e', 'w', 'c', 'a', 's', 'x', '#']) expect(keys).toContain(key)
})
