import { expect, test } from 'vitest'
import { nameOf, valueFor } from './name-of.ts'

const NAMES = { needs_activation: 'Waits for the address' }

test.each([
  ['needs_activation', 'Waits for the address'],
  ['held_by_owner', 'Held by owner'],
  ['Website Form', 'Website Form'],
  ['constructor', 'Constructor'],
  ['', ''],
])('the word %j is called %j', (word, name) => {
  expect(nameOf(NAMES, word)).toBe(name)
})

test('a word that is not in a table has no value, even if objects inherit one', () => {
  expect(valueFor(NAMES, 'toString')).toBeUndefined()
})
