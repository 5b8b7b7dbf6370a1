import { expect, test } from 'vitest'
import { mailtoOf } from './answer.ts'

test.each([
  ['thandi@example.co.za', 'mailto:thandi@example.co.za'],
  ["o'brien@example.co.za", "mailto:o'brien@example.co.za"],
  ['a?cc=b&c%d#e@example.com', 'mailto:a%3Fcc%3Db%26c%25d%23e@example.com'],
  ['müller@bücher.example', 'mailto:m%C3%BCller@b%C3%BCcher.example'],
])('the link to write to %s has nothing but the address', (email, href) => {
  expect(mailtoOf(email)).toBe(href)
})
