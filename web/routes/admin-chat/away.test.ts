import { expect, test } from 'vitest'
import { awayInWords } from './away.ts'

test.each([
  ['nomsa@example.co.za', 'Not here now; gets your answer by e-mail'],
  [null, 'Not here now, and left no e-mail address'],
  ['', 'Not here now, and left no e-mail address'],
  ['nomsa', 'Not here now, and what they left is no e-mail address'],
])('of a visitor who has gone and left %j it is said: %s', (email, words) => {
  expect(awayInWords(email)).toBe(words)
})
