import { expect, test } from 'vitest'
import { writtenContact } from './written-contact.ts'

const visitor = (message: string) => ({ senderType: 'visitor', message }) as const
const staff = (message: string) => ({ senderType: 'admin', message }) as const

const told = (...messages: string[]) => writtenContact(messages.map(visitor))

test('an address and a number that a visitor wrote in one message are found', () => {
  expect(told('candice@adams.co.za, 082 123 4567')).toEqual({ email: 'candice@adams.co.za', phone: '082 123 4567' })
})

test.each([
  ['mail me at a@b.co.za.', 'a@b.co.za'],
  ['(a@b.co.za)', 'a@b.co.za'],
  ['<a@b.co.za>', 'a@b.co.za'],
  ['mailto:a@b.co.za?', 'a@b.co.za'],
  ['email:candice.adams+web@mail.adams.co.za!', 'candice.adams+web@mail.adams.co.za'],
  ['old@b.co.za, no: new@b.co.za', 'new@b.co.za'],
  ['me@b.co.za or @adams on Instagram', 'me@b.co.za'],
  ['me @ home', ''],
  ["'a@b.co.za'", 'a@b.co.za'],
  ["o'neil@b.co.za", "o'neil@b.co.za"],
  ['émile@b.co.za', 'émile@b.co.za'],
  ['candice@adams', ''],
  ['a@@b.co.za', ''],
  [`${'a'.repeat(250)}@b.co.za`, ''],
])('of %j the address is %j', (message, email) => {
  expect(told(message).email).toBe(email)
})

test.each([
  ['082 123 4567', '082 123 4567'],
  ['082-555-0133', '082-555-0133'],
  ['+27 82 555 0133', '+27 82 555 0133'],
  ['+27 (0)82 555-0133.', '+27 (0)82 555-0133'],
  ['(021) 555.0142', '(021) 555.0142'],
  ['0027825550133', '0027825550133'],
  ['27825550133', '27825550133'],
  ['27 82 555 0133', '27 82 555 0133'],
  ['(+27) 82 555 0133', '(+27) 82 555 0133'],
  ['(082 555 0133)', '082 555 0133'],
  ['candice@adams.co.za,0821234567', '0821234567'],
  ['082 555 0133,083 555 0134', '083 555 0134'],
  ['Call me:0825550133!', '0825550133'],
  ['+44 20 7946 0018', '+44 20 7946 0018'],
  ['082 555 0133 or 083 555 0134', '083 555 0134'],
  ['082 555 0133, 083 555 0134', '083 555 0134'],
  ['082 555 0133/083 555 0134', '083 555 0134'],
  ['082 555 0133 083 555 0134', '083 555 0134'],
  ['082 555 0133\n2 shops', '082 555 0133'],
  ['082 555 0133 after 17:00', '082 555 0133'],
  ['082 555 0133 - R12 500', '082 555 0133'],
  ['R12 500', ''],
  ['R 12 500 000.00', ''],
  ['R082 555 0133', ''],
  ['2026-11-26 at 10:00', ''],
  ['26/11/2026', ''],
  ['26.11.2026 10:30', ''],
  ['2026-11-26 2026-11-27', ''],
  ['my ID is 8001015009087', ''],
  ['our VAT number is 4123456789', ''],
  ['order 00123456', ''],
  ['000 000 0000', ''],
  ['082 555 01', ''],
  ['0825550133444', ''],
  ['born 0101015009087', ''],
  ['on 01-02-2026 10:30', ''],
  ['https://shop.example/item/0825550133', ''],
  ['sipho0825550133@b.co.za', ''],
])('of %j the number is %j', (message, phone) => {
  expect(told(message).phone).toBe(phone)
})

test('the last of several messages counts, for each detail separately', () => {
  expect(told('082 555 0133', 'a@b.co.za', 'Sorry, 083 555 0134', 'Thank you')).toEqual({
    email: 'a@b.co.za',
    phone: '083 555 0134',
  })
})

test('details that staff wrote are not the visitor’s', () => {
  const messages = [visitor('a@b.co.za'), staff('Write to sales@agency.example or call 021 555 0142')]
  expect(writtenContact(messages)).toEqual({ email: 'a@b.co.za', phone: '' })
  expect(writtenContact([])).toEqual({ email: '', phone: '' })
})

test('a long message is searched quickly', () => {
  const started = performance.now()
  for (const part of ['0', '0 ', '(0', '+', 'a', 'a.', 'a@', '@', '-']) told(part.repeat(4_000))
  expect(performance.now() - started).toBeLessThan(1_000)
})
