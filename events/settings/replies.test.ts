import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { unfilledInWords } from '../base/unfilled-words.ts'
import { answerEmailForm } from '../lead/reply/answer.ts'
import { chatReplies, DEFAULT_REPLIES, emailTemplates, fillIn, repliesForm, whatsappText } from './replies.ts'

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

test('the first replies are ones that owners could have saved', () => {
  expect(v.parse(repliesForm, { replies: DEFAULT_REPLIES })).toEqual({ replies: DEFAULT_REPLIES })
})

test('each place has the replies that are ticked for it', () => {
  const replies = [
    { name: 'Thank you!', subject: 'Thanks', text: 'Thanks', chat: true, email: true, whatsapp: false },
    { name: 'Call', subject: null, text: 'May we call?', chat: false, email: false, whatsapp: true },
    { name: 'Later', subject: null, text: 'Later?', chat: false, email: false, whatsapp: true },
  ]
  expect(chatReplies(replies)).toEqual([{ shortcut: 'thank-you', text: 'Thanks' }])
  expect(emailTemplates(replies)).toEqual([{ name: 'Thank you!', subject: 'Thanks', text: 'Thanks' }])
  expect(whatsappText(replies)).toBe('May we call?')
  expect(whatsappText([])).toBe('')
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

const problemsOf = (...typed: object[]) =>
  v
    .safeParse(repliesForm, {
      replies: typed.map((each) => ({
        ...{ name: 'a', subject: 'About {business}', text: 'Hello {name}', chat: false, email: true, whatsapp: false },
        ...each,
      })),
    })
    .issues?.map((issue) => [v.getDotPath(issue), issue.message]) ?? []

test('an unknown placeholder is refused by name, and in chat each one', () => {
  const known = 'Use {name}, {business}, {package}, {reference}, {agency} and {me}.'
  expect(problemsOf({ subject: 'For {Name}' })).toEqual([
    ['replies.0.subject', `"{Name}" is no placeholder, and would be sent as written. ${known}`],
  ])
  expect(problemsOf({ text: 'Hello {nmae}, {name}, {first name}' })).toEqual([
    ['replies.0.text', `"{nmae}" and "{first name}" are no placeholders, and would be sent as written. ${known}`],
  ])
  expect(problemsOf({ whatsapp: true, text: 'Hello {{name}}, {you}' })).toHaveLength(1)
  expect(problemsOf({ whatsapp: true, text: 'Hello {name} {} { 1: 2 } :-{' })).toEqual([])
  expect(problemsOf({ chat: true })).toEqual([
    ['replies.0.text', '"{name}" is no placeholder, and would be sent as written. No placeholders are filled in here.'],
  ])
})

describe('replies', () => {
  test.each([
    [[{ name: '' }], 'replies.0.name', 'A name is required'],
    [[{ name: '!!' }], 'replies.0.name', 'Use letters or digits'],
    [[{ text: ' ' }], 'replies.0.text', 'A reply is required'],
    [[{ subject: ' ' }], 'replies.0.subject', 'A subject is required'],
    [[{ email: false }], 'replies.0.whatsapp', 'Tick at least one'],
    [[{ chat: true, text: 'x'.repeat(2_001) }], 'replies.0.text', 'At most 2000 characters in chat'],
    [[{ name: 'A b' }, { name: 'a-B' }], 'replies', 'Names must be unique'],
    [Array.from({ length: 101 }, (_, index) => ({ name: `s${index}` })), 'replies', 'At most 100 replies'],
    [
      Array.from({ length: 40 }, (_, index) => ({ name: `s${index}`, text: 'x'.repeat(2_000) })),
      'replies',
      'All replies together are too long: shorten some of them',
    ],
  ])('refuse %#', (typed, path, message) => {
    expect(problemsOf(...typed)).toContainEqual([path, message])
  })

  test('keep no subject unless they go by email', () => {
    const typed = { name: 'a', subject: 'S', text: 'x', chat: true, email: false, whatsapp: false }
    expect(v.parse(repliesForm, { replies: [typed] }).replies[0]?.subject).toBeNull()
  })
})

test('a text that still holds a placeholder needs confirmation', () => {
  expect(unfilledInWords('Hello Ana')).toBeUndefined()
  expect(unfilledInWords('Hello {name}')).toBe('"{name}" is not filled in. Correct the text, or send it as written.')
})
