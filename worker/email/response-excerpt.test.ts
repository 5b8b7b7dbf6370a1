import { expect, test } from 'vitest'
import { excerpt } from './response-excerpt.ts'

test.each([
  ['550 <thandi@example.com>: no such user', '550 <…>: no such user'],
  ["550 o'brien@example.co.za, müller@bücher.example: unknown", '550 …, …: unknown'],
])('the response %j is stored without email addresses', (said, kept) => {
  expect(excerpt(said)).toBe(kept)
})
