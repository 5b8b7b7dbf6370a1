import * as v from 'valibot'
import { expect, test } from 'vitest'
import { visitorJoin } from './chat.ts'
import { isReachable, isVisitorPhone } from './visitor-contact.ts'

test.each([
  '082 555 0142',
  '+27 (0)82 555 0142',
  '0027825550142',
  '(021) 555-0142',
  '082‑555‑0142',
  '+44 20 7946 0018',
])('a chat takes %s as a telephone number', (phone) => {
  expect(isVisitorPhone(phone)).toBe(true)
  expect(isReachable({ visitorEmail: null, visitorPhone: phone })).toBe(true)
})

test.each([
  '',
  '082 555',
  '082 555 01AB',
  '082 555 0142 after five',
  'thandi@example.co.za',
  '0825550142@example.co.za',
  '1234567890123456',
  '082 555 0142\u202e',
  '9'.repeat(10_000),
  `${' '.repeat(5_000)}0825550142${' ()'.repeat(2_000)}x`,
])('a chat takes no other text for one: %#', (text) => {
  expect(isVisitorPhone(text)).toBe(false)
})

test('a visitor joins with an address, a number or neither, and not with a text that is no number', () => {
  const join = (more: object) => v.safeParse(visitorJoin, { visitorName: 'Thandi', ...more })
  expect(join({ visitorPhone: ' 082 555 0142 ' }).output).toMatchObject({ visitorPhone: '082 555 0142' })
  expect(join({}).output).not.toHaveProperty('visitorPhone')
  for (const visitorPhone of ['', 'call me', '0'.repeat(10_000), 825550142, null]) {
    expect(join({ visitorPhone }).success).toBe(false)
  }
})

test.each([
  [null, false],
  ['', false],
  ['ask my brother', false],
  ['thandi@example.co.za', true],
])('a visitor who left %j can be reached: %s', (visitorEmail, reachable) => {
  expect(isReachable({ visitorEmail })).toBe(reachable)
})
