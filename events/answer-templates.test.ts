import * as v from 'valibot'
import { expect, test } from 'vitest'
import { answerTemplatesForm, DEFAULT_TEMPLATES, fillIn } from './answer-templates.ts'
import { answerEmailForm } from './lead-answer.ts'

const VALUES = { name: 'Ana', business: '', package: 'Premium', reference: '0A1B2C3D', agency: 'Karoo', me: 'Ben' }

test('a template is filled in with what is known, and with other words where nothing is', () => {
  expect(fillIn('Hello {name}, {business} and {package}, {reference}. {me}, {agency}', VALUES)).toBe(
    'Hello Ana, your business and Premium, 0A1B2C3D. Ben, Karoo',
  )
})

test('braces that are no variable stay, and what a visitor typed is not filled in again', () => {
  expect(fillIn('{toString} {Name} {} {', VALUES)).toBe('{toString} {Name} {} {')
  expect(fillIn('{name}', { ...VALUES, name: '{agency} $& $1' })).toBe('{agency} $& $1')
})

test('the first templates are ones that owners could have saved', () => {
  expect(v.parse(answerTemplatesForm, DEFAULT_TEMPLATES)).toEqual(DEFAULT_TEMPLATES)
})

test.each(['a\r\nBcc: victim@example.com', 'a\nb', 'a\u0085b', 'a\0b', '   '])(
  'the subject %j is refused: it is one line of text',
  (subject) => {
    expect(v.safeParse(answerEmailForm, { subject, text: 'Hello' }).success).toBe(false)
  },
)
