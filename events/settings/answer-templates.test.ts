import * as v from 'valibot'
import { expect, test } from 'vitest'
import { unfilledInWords } from '../base/placeholders.ts'
import { answerEmailForm } from '../lead/answer.ts'
import { answerTemplatesForm, answerTemplatesPart, DEFAULT_TEMPLATES, fillIn } from './answer-templates.ts'

const VALUES = { name: 'Ana', business: '', package: 'Premium', reference: '0A1B2C3D', agency: 'Karoo', me: 'Ben' }

test("a template is filled in with the lead's values, and with defaults for missing ones", () => {
  expect(fillIn('Hello {name}, {business} and {package}, {reference}. {me}, {agency}', VALUES)).toBe(
    'Hello Ana, your business and Premium, 0A1B2C3D. Ben, Karoo',
  )
})

test("braces that are not a variable stay, and a visitor's text is not filled in again", () => {
  expect(fillIn('{toString} {Name} {} {', VALUES)).toBe('{toString} {Name} {} {')
  expect(fillIn('{name}', { ...VALUES, name: '{agency} $& $1' })).toBe('{agency} $& $1')
})

test('the first templates are ones that owners could have saved', () => {
  expect(v.parse(answerTemplatesForm, DEFAULT_TEMPLATES)).toEqual(DEFAULT_TEMPLATES)
})

test.each(['a\0b', '   '])('the subject %j is refused', (subject) => {
  expect(v.safeParse(answerEmailForm, { subject, text: 'Hello' }).success).toBe(false)
})

test.each(['a\r\nBcc: victim@example.com', 'a\nb', 'a\u0085b', 'a\u2028b'])(
  'the subject %j is sent as one line',
  (subject) => {
    expect(v.parse(answerEmailForm, { subject, text: 'Hello' }).subject).toMatch(/^a (b|Bcc: victim@example\.com)$/)
  },
)

test('an unknown placeholder is refused by name, in emails and in the WhatsApp message', () => {
  const problemsOf = (form: unknown) => v.safeParse(answerTemplatesForm, form).issues?.map(({ message }) => message)
  const [first] = DEFAULT_TEMPLATES.emails
  const known = 'Use {name}, {business}, {package}, {reference}, {agency} and {me}.'
  const subject = problemsOf({ ...DEFAULT_TEMPLATES, emails: [{ ...first, subject: 'For {Name}' }] })
  expect(subject).toEqual([`"{Name}" is no placeholder, and would be sent as written. ${known}`])
  const text = problemsOf({ ...DEFAULT_TEMPLATES, emails: [{ ...first, text: 'Hello {nmae}, {name}, {first name}' }] })
  expect(text).toEqual([`"{nmae}" and "{first name}" are no placeholders, and would be sent as written. ${known}`])
  expect(problemsOf({ ...DEFAULT_TEMPLATES, whatsapp: 'Hello {{name}}, {you}' })).toHaveLength(1)
  expect(problemsOf({ ...DEFAULT_TEMPLATES, whatsapp: 'Hello {name} {} { 1: 2 } :-{' })).toBeUndefined()
})

test('templates that were saved before placeholders were checked can be read', () => {
  const emails = [{ name: 'Old', subject: 'For {nmae}', text: 'Hello {nmae}' }]
  const data = { emails, whatsapp: 'Hello {nmae}', by: '3d3f6d62-7a5a-4f6e-9a77-1f6a0c9b8e21' }
  expect(v.parse(answerTemplatesPart.changed.data, data)).toEqual(data)
})

test('a text that still holds a placeholder needs confirmation', () => {
  expect(unfilledInWords('Hello Ana')).toBeUndefined()
  expect(unfilledInWords('Hello {name}')).toBe('"{name}" is not filled in. Correct the text, or send it as written.')
})
