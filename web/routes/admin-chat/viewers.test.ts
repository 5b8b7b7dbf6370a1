import { expect, test } from 'vitest'
import { othersOf, viewersInWords } from './viewers.ts'

const people = (names: string) =>
  names
    .split(' ')
    .filter(Boolean)
    .map((name) => ({ staffId: name, name: name.replace('*', ''), isTyping: name.endsWith('*') }))

test.each([
  ['', ''],
  ['Sipho', 'Sipho is looking at this chat'],
  ['Sipho*', 'Sipho is writing an answer…'],
  ['Sipho Lerato', 'Sipho and Lerato are looking at this chat'],
  ['Sipho Lerato*', 'Lerato is writing an answer… · Sipho is looking at this chat'],
  ['Sipho Lerato Ana Ben', 'Sipho, Lerato and 2 more are looking at this chat'],
])('%j at a chat are described as %j', (names, words) => {
  expect(viewersInWords(people(names))).toBe(words)
})

test('a staff member is not listed as their own colleague', () => {
  expect(othersOf(people('Sipho Lerato'), { myId: 'Sipho' })).toEqual(people('Lerato'))
  expect(othersOf(undefined, { myId: 'Sipho' })).toEqual([])
})
