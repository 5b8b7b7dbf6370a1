import { expect, test } from 'vitest'
import { awayInWords } from './away.ts'

test.each([
  ['nomsa@example.co.za', 'Visitor has left, reply will be emailed'],
  [null, 'Visitor has left, no email'],
  ['', 'Visitor has left, no email'],
  ['nomsa', 'Not here now, and what they left is no email address'],
])('a visitor who has gone and left %j is described as: %s', (email, words) => {
  expect(awayInWords(email, { isEmailed: true })).toBe(words)
})

test('no email is promised if none is sent', () => {
  const words = awayInWords('nomsa@example.co.za', { isEmailed: false })
  expect(words).toBe(
    'Visitor has left. This site has no mail server yet: your reply is stored on the Email screen and can be sent from there later',
  )
})
