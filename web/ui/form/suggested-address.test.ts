import { expect, test } from 'vitest'
import { suggestedAddress } from './suggested-address.ts'

test.each([
  ['anna@gmial.com', 'anna@gmail.com'],
  ['anna@gmai.com', 'anna@gmail.com'],
  ['anna@gmaill.com', 'anna@gmail.com'],
  ['Anna.B@Gnail.com ', 'Anna.B@gmail.com'],
  ['anna@gmail.co', 'anna@gmail.com'],
  ['anna@gmail.con', 'anna@gmail.com'],
  ['anna@hotmial.com', 'anna@hotmail.com'],
  ['anna@mweb.co.z', 'anna@mweb.co.za'],
])('by %s somebody meant %s', (typed, meant) => {
  expect(suggestedAddress(typed)).toBe(meant)
})

test.each([
  'anna@gmail.com',
  'anna@GMAIL.com',
  'anna@mail.com',
  'anna@ymail.com',
  'anna@nkosi.co.za',
  'anna',
  '',
  '@gmial.com',
  'a@b@gmial.com',
])('nothing else is meant by "%s"', (typed) => {
  expect(suggestedAddress(typed)).toBe(undefined)
})
