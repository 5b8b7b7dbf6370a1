import { expect, test } from 'vitest'
import { awayInWords } from './away.ts'

const isEmailed = { isEmailed: true, hasGivenUp: false }

test.each([
  ['nomsa@example.co.za', 'Visitor has left, reply will be emailed'],
  [null, 'Visitor has left, no email'],
  ['', 'Visitor has left, no email'],
  ['nomsa', 'Not here now, and what they left is no email address'],
])('a visitor who has gone and left %j is described as: %s', (visitorEmail, words) => {
  expect(awayInWords({ visitorEmail }, isEmailed)).toBe(words)
})

test('a visitor who has left a number can be called', () => {
  const visitor = { visitorEmail: null, visitorPhone: '082 555 0142' }
  expect(awayInWords(visitor, isEmailed)).toBe('Visitor has left: call them, or send a WhatsApp')
})

test('of a visitor who waits no longer the reason is given', () => {
  const words = awayInWords({ visitorEmail: null }, { isEmailed: true, hasGivenUp: true })
  expect(words).toBe('Left without an address, and waits no longer')
})

test('no email is promised if none is sent', () => {
  const words = awayInWords({ visitorEmail: 'nomsa@example.co.za' }, { isEmailed: false, hasGivenUp: false })
  expect(words).toBe(
    'Visitor has left. This site has no mail server yet: your reply is stored on the Email screen and can be sent from there later',
  )
})
