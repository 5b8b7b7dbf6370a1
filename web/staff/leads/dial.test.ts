import { expect, test } from 'vitest'
import { whatsappTo } from './dial.ts'

test.each([
  '082 555 0142',
  '+27 (0)71 555 0142',
  '0027 60 555 0142',
  '085 555 0142',
  '+44 20 7946 0018',
  '+1 212 555 0142',
])('offers WhatsApp to %s', (phone) => {
  expect(whatsappTo(phone, 'Hello')).toMatch(/^https:\/\/wa\.me\/\d+\?text=Hello$/)
})

test.each([
  '011 555 0142',
  '+27 (0)21 555 0142',
  '0027 58 555 0142',
  '080 055 0142',
  '086 055 0142',
  '087 555 0142',
  '0',
  '',
])('offers no WhatsApp to %s, which is no mobile number', (phone) => {
  expect(whatsappTo(phone, 'Hello')).toBeUndefined()
})
