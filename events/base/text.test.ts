import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { signIn } from '../staff/staff.ts'
import { messagesOf } from '../testing/fixtures/validation.ts'
import { instant, optionalText, requiredEmail, requiredText } from './text.ts'

const STORABLE = 'Must not contain characters that cannot be stored (U+0000, unpaired surrogates)'

describe('required text', () => {
  const text = requiredText('Say something', { min: 2, max: 4 })

  test.each([['ab'], ['abcd'], ['😀'], [' ab ']])('takes %j', (value) => {
    expect(v.parse(text, value)).toBe(value.trim())
  })

  test.each([
    ['Ada\r\nBcc: x', 'Ada Bcc: x'],
    ['\u202Etxt.exe\u202C', 'txt.exe'],
    ['\u2066Ada\u2069\u0007', 'Ada'],
    ['A\u200Bda\uFEFF\u00AD', 'Ada'],
    // joiners that scripts and emoji need
    ['نمی\u200Cدانم', 'نمی\u200Cدانم'],
    ['👩\u200D💻', '👩\u200D💻'],
  ])('keeps one line of %j that can be seen', (value, kept) => {
    expect(v.parse(requiredText('Say something', { max: 20 }), value)).toBe(kept)
    expect(v.parse(optionalText(20), value)).toBe(kept)
  })

  test('preserves the lines of a text of several lines', () => {
    const lines = 'one\r\n\ttwo\nthree'
    expect(v.parse(requiredText('Say something', { max: 40, lines: true }), `${lines}\u202E`)).toBe(lines)
    expect(v.parse(optionalText(40, { lines: true }), `${lines}\u202E`)).toBe(lines)
  })

  test.each(['\u200B\u200B', '\u200D\u200D', '\u3164\u3164', '\u2800\u2800', 'a\u200B', 'a\uFE0F', '\u202E\n\u202C'])(
    'asks for what can be seen after %j',
    (value) => {
      expect(messagesOf(text, value)).toEqual([['', 'Say something']])
    },
  )

  test.each([undefined, null, '', '   ', 'a', ' a ', 1, {}])('asks for it after %j', (value) => {
    expect(messagesOf(text, value)).toEqual([['', 'Say something']])
  })

  test.each([
    ['abcde', 'Must be at most 4 characters'],
    ['a\0b', STORABLE],
    ['a\ud83d', STORABLE],
  ])('refuses %j', (value, message) => {
    expect(messagesOf(text, value)).toEqual([['', message]])
  })
})

describe('optional text', () => {
  test.each([undefined, null, '', ' \n ', '\u200B', '\u3164\u200D'])('is null for %j', (value) => {
    expect(v.parse(optionalText(4), value)).toBeNull()
  })

  test('is stored without the white space around it', () => {
    expect(v.parse(optionalText(4), '  ab ')).toBe('ab')
  })

  test.each([
    ['abcde', 'Must be at most 4 characters'],
    ['\0', STORABLE],
  ])('refuses %j', (value, message) => {
    expect(messagesOf(optionalText(4), value)).toEqual([['', message]])
  })

  test('refuses values that are not text', () => {
    expect(messagesOf(optionalText(4), 5)).toHaveLength(1)
  })
})

test('an email address is trimmed, or refused with the given message', () => {
  const email = requiredEmail('No address')
  expect(v.parse(email, ' a@example.com ')).toBe('a@example.com')
  for (const bad of [undefined, '', 'a', 'a@b', '@example.com', 'a b@example.com', 7]) {
    expect([bad, messagesOf(email, bad)]).toEqual([bad, [['', 'No address']]])
  }
  expect(messagesOf(email, `${'x'.repeat(250)}@example.com`)).toEqual([['', 'No address']])
})

test.each([
  "o'brien@example.co.za",
  'müller@bücher.example',
  'thandi@xn--bcher-kva.example',
  'thandi@example.xn--p1ai',
  'दीपक@उदाहरण.भारत',
  'Thandi.Ndlovu+site@mail.example.co.za',
  'a_b-c=d/e{f}|g!h#i$j%k&l*m?n^o`p~q@example.com',
  'x@1.example.museum',
  '0821234567@example.com',
  `${'x'.repeat(64)}@example.com`,
])('%s is an email address', (address) => {
  expect(v.parse(requiredEmail('No address'), address)).toBe(address)
})

test('an email address is stored in one form, however its letters are composed', () => {
  expect(v.parse(requiredEmail('No address'), 'mu\u0308ller@example.com')).toBe('m\u00fcller@example.com')
})

test.each([
  'a@b',
  'a@localhost',
  'a@127.0.0.1',
  'a@[127.0.0.1]',
  'a@example.c',
  'a@example.c0m.',
  'a@-example.com',
  'a@example-.com',
  'a@.example.com',
  'a@exa_mple.com',
  'a@example..com',
  '.a@example.com',
  'a.@example.com',
  'a..b@example.com',
  'a@b@example.com',
  'a,b@example.com',
  'a;b@example.com',
  'a:b@example.com',
  'a"b@example.com',
  'a\\b@example.com',
  '"a b"@example.com',
  'a\nb@example.com',
  'Ana <a@example.com>',
  'a(b)@example.com',
  'a\u202eb@example.com',
  'a\u200bb@example.com',
  'a\u00a0b@example.com',
  `${'x'.repeat(65)}@example.com`,
  `a@${'x'.repeat(250)}.com`,
])('%j is no email address', (text) => {
  expect(messagesOf(requiredEmail('No address'), text)).toEqual([['', 'No address']])
})

test('a text that is nearly an email address is refused at once, however long it is', () => {
  const began = performance.now()
  for (const near of [`a@${'a-'.repeat(120)}!`, `${'a.'.repeat(31)}@${'a.'.repeat(90)}1`, `a@${'x'.repeat(60_000)}`]) {
    expect(v.is(requiredEmail('No address'), near)).toBe(false)
  }
  expect(performance.now() - began).toBeLessThan(100)
})

test.each([
  ['2026-01-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T00:30:00+02:00', '2026-01-30T22:30:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('the instant %s is %s', (text, utc) => {
  expect(v.parse(instant, text)).toBe(utc)
})

test.each([
  ['2026-02-30T10:00:00Z', 'Must be a day that exists'],
  ['2026-02-29T10:00:00Z', 'Must be a day that exists'],
  ['2026-01-31', 'Must be an instant such as 2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00', 'Must be an instant such as 2026-01-31T10:00:00.000Z'],
  ['tomorrow', 'Must be an instant such as 2026-01-31T10:00:00.000Z'],
])('%s is no instant', (text, message) => {
  expect(messagesOf(instant, text)[0]).toEqual(['', message])
})

test('signing in needs both fields; a password is not changed', () => {
  expect(v.parse(signIn, { username: ' Thandi ', password: '  two  ' })).toEqual({
    username: 'Thandi',
    password: '  two  ',
  })
  expect(messagesOf(signIn, {})).toEqual([
    ['username', 'Username is required'],
    ['password', 'Password is required'],
  ])
  expect(messagesOf(signIn, { username: 'a', password: 'x'.repeat(1_001) })).toEqual([
    ['password', 'Must be at most 1000 characters'],
  ])
})
