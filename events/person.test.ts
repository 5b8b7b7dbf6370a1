import { expect, test } from 'vitest'
import { dialledDigits, emailKey, phoneKey } from './person.ts'

test.each([
  '082 555 0142',
  '+27 82 555 0142',
  '0027 82 555 0142',
  '+27 (0)82 555-0142',
  '(082) 555.0142',
  '27825550142',
])('the number %s is the same however it is written', (phone) => {
  expect(phoneKey(phone)).toBe('27825550142')
})

test.each(['', 'call me maybe', '0000000000', '+27 000 000 000', '1111111111', '12345678'])(
  '%j is nobody’s number',
  (phone) => {
    expect(phoneKey(phone)).toBeNull()
  },
)

test('a number from abroad keeps its country', () => {
  expect(phoneKey('+44 20 7946 0018')).toBe('442079460018')
  expect(phoneKey('0044 20 7946 0018')).toBe('442079460018')
})

test('the beginning of a number is the beginning of its digits', () => {
  expect(dialledDigits('082 55')).toBe('278255')
  expect(dialledDigits('+27 82')).toBe('2782')
  expect(dialledDigits('555')).toBe('555')
})

test('an address is the same in any case', () => {
  expect(emailKey(' Thandi@Example.CO.za ')).toBe('thandi@example.co.za')
  expect(emailKey('')).toBeNull()
  expect(emailKey(null)).toBeNull()
})
