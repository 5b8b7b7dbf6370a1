import { expect, test } from 'vitest'
import { dialledDigits, phoneKey, phoneKeys, phoneLinks, shownPhone } from './phone.ts'

test.each([
  '082 555 0142',
  '+27 82 555 0142',
  '0027 82 555 0142',
  '+27 (0)82 555-0142',
  '(082) 555.0142',
  '27825550142',
  '825550142',
  '082 555 0142 (Thandi)',
  '082 555 0142 ext. 45',
  '0825550142 / 0215550123',
  '27 0825550142',
])('the number %s is the same however it is written', (phone) => {
  expect(phoneKey(phone)).toBe('27825550142')
})

test.each(['', 'call me maybe', '0000000000', '+27 000 000 000', '1111111111', '0111111111', '12345678'])(
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

test('a number that cannot be read is compared by its digits', () => {
  expect(phoneKey('212 555 0142')).toBe('2125550142')
  expect(phoneKey('082 555 014')).toBe(phoneKey('082-555-014'))
})

test.each([
  ['021 555 0123 ext. 45', 'tel:+27215550123;ext=45', '021 555 0123 ext. 45'],
  ['0821234567 / 0215550123', 'tel:+27821234567', '0821234567 / 0215550123'],
  ['0821234567 0215550123', 'tel:+27821234567', '0821234567 0215550123'],
  ['0821234567;0215550123', 'tel:+27821234567', '0821234567;0215550123'],
  ['0821234567 or 0215550123', 'tel:+27821234567', '0821234567 or 0215550123'],
  ['082 123 4567 021 555 0123', 'tel:+27821234567', '082 123 4567 021 555 0123'],
  ['082-123-4567 after 17:00', 'tel:+27821234567', '082-123-4567 after 17:00'],
  ['0821234567 (Jan)', 'tel:+27821234567', '0821234567 (Jan)'],
  ['821234567', 'tel:+27821234567', '082 123 4567'],
  ['+27 (0)83 555 0102', 'tel:+27835550102', '083 555 0102'],
  ['+44 (0)20 7946 0018', 'tel:+442079460018', '+44 20 7946 0018'],
  ['447911123456', 'tel:+447911123456', '+44 7911 123456'],
  ['082 123 456', undefined, '082 123 456'],
  ['8123456', undefined, '8123456'],
  ['12/03/2024 10:30', undefined, '12/03/2024 10:30'],
  ['2.78211E+10', undefined, '2.78211E+10'],
  ['0000000000', undefined, '0000000000'],
  ['call me maybe', undefined, 'call me maybe'],
])('%s is dialled as %s, and shown as %s', (phone, link, shown) => {
  expect(phoneLinks(phone)?.call).toBe(link)
  expect(phoneLinks(phone)?.shown ?? phone).toBe(shown)
  expect(shownPhone(phone)).toBe(shown)
})

test('a text with two numbers is found by both', () => {
  expect(phoneKeys('0821234567 / 0215550123')).toEqual(['27821234567', '27215550123'])
  expect(phoneKeys('none')).toEqual([])
})
test.each([
  '082 555 0142',
  '+27 (0)71 555 0142',
  '0027 60 555 0142',
  '085 555 0142',
  '+44 20 7946 0018',
  '+1 212 555 0142',
  '021 555 0123 / 082 123 4567',
  '825550142',
])('offers WhatsApp to %s', (phone) => {
  expect(phoneLinks(phone)?.whatsapp).toMatch(/^https:\/\/wa\.me\/\d+$/)
})

test.each([
  '011 555 0142',
  '+27 (0)21 555 0142',
  '0027 58 555 0142',
  '080 055 0142',
  '086 055 0142',
  '087 555 0142',
  '0',
  '082 123 456',
  '',
])('offers no WhatsApp to %s, which is no mobile number', (phone) => {
  expect(phoneLinks(phone)?.whatsapp ?? null).toBeNull()
})
