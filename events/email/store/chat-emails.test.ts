import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ChatEmailEvent } from '../../chat/activity.ts'
import type { ChatMessage } from '../../chat/chat.ts'
import { type ChatEmailContext, chatEmailOf, isForVisitor, messagesWanted } from './chat-emails.ts'
import { requestedEmailOf } from './requested-deliveries.ts'

const SESSION = randomUUID()
const RESUME = `https://www.agency.example/#chat=${SESSION}.token`

const event = (type: ChatEmailEvent['type'], data: object) =>
  ({
    position: 7,
    id: randomUUID(),
    stream: `chat-desk-${SESSION}`,
    version: 3,
    type,
    schemaVersion: 1,
    data,
    subjectId: SESSION,
    personal: { to: 'thandi@example.co.za' },
    recordedAt: new Date('2026-01-15T08:30:00.123Z'),
  }) as unknown as ChatEmailEvent

const TRANSCRIPT = event('ChatTranscriptRequested', { upTo: 3, by: randomUUID() })
const UNREAD = event('ChatAnswersUnread', { after: 1, upTo: 3 })

const said = (sequence: number, senderName: string, message: string, timestamp: string): ChatMessage => ({
  id: randomUUID(),
  sequence,
  sessionId: SESSION,
  senderType: senderName === 'Support Team' ? 'admin' : 'visitor',
  senderName,
  message,
  timestamp,
})

const MESSAGES = [
  said(1, 'Thandi', 'Do you do bakeries?', '2026-01-15T21:59:00.000Z'),
  said(2, 'Support Team', 'We do!\nWhich one is yours?', '2026-01-15T22:05:00.000Z'),
]

const context = (more: Partial<ChatEmailContext> = {}): ChatEmailContext => ({
  visitorName: 'Thandi',
  messages: MESSAGES,
  agencyName: 'Karoo Web Studio',
  publicUrl: 'https://www.agency.example',
  resumeUrl: RESUME,
  ...more,
})

const textOf = (about: ChatEmailEvent, more?: Partial<ChatEmailContext>) =>
  chatEmailOf(about, context(more))?.fields[0]?.[1] ?? ''

describe('a transcript', () => {
  test('shows the author and time of each message, in South African time', () => {
    expect(chatEmailOf(TRANSCRIPT, context())).toEqual({
      subject: 'Your chat with Karoo Web Studio',
      fields: [
        [
          'message',
          `Hello Thandi,

Here is a copy of your chat with Karoo Web Studio. All times are SAST.

Thursday, 15 January 2026

23:59 Thandi
Do you do bakeries?

Friday, 16 January 2026

00:05 Support Team
We do!
Which one is yours?

Kind regards
Karoo Web Studio
https://www.agency.example`,
        ],
      ],
      to: 'thandi@example.co.za',
      replyTo: null,
      about: 'Thandi',
    })
  })

  test('holds the newest messages of a very long chat, and says that the rest is left out', () => {
    const long = Array.from({ length: 60 }, (_, index) =>
      said(index + 1, 'Thandi', `${index + 1} ${'x'.repeat(3_990)}`, '2026-01-15T08:00:00.000Z'),
    )
    const text = textOf(TRANSCRIPT, { messages: long })
    expect(text.length).toBeLessThan(101_000)
    expect(text).toContain('(Earlier messages not included.)')
    expect(text).toContain('\n60 xxx')
    expect(text).not.toContain('\n1 xxx')
  })

  test.each([
    [' Ana\r\nBcc:\tBotha ', 'Ana Bcc: Botha'],
    ['J.P. van der Merwe', 'J.P. van der Merwe'],
    ['Ünal 🙂', 'Ünal 🙂'],
    ['Win at https://cheap.example', 'there'],
    ['cheap.example has it all', 'there'],
    ['ana@example.com', 'there'],
    ['x'.repeat(61), 'there'],
  ])('greets %j as %s', (visitorName, name) => {
    expect(textOf(TRANSCRIPT, { visitorName }).split('\n')[0]).toBe(`Hello ${name},`)
  })
})

describe('the email about unread replies', () => {
  test('holds them and the link that resumes the chat', () => {
    const text = textOf(UNREAD)
    expect(chatEmailOf(UNREAD, context())?.subject).toBe('New reply from Karoo Web Studio')
    expect(text).toContain('We replied while you were away')
    expect(text).toContain(`Continue the chat:\n${RESUME}\n`)
  })

  test('links to the website if no link to the chat can be made', () => {
    const text = textOf(UNREAD, { resumeUrl: undefined })
    expect(text).toContain('Come back to the chat at https://www.agency.example')
    expect(text).not.toContain('#chat')
  })
})

test('each requests its own email to the visitor, with the messages that it names', () => {
  for (const about of [TRANSCRIPT, UNREAD]) {
    expect(requestedEmailOf(about)).toBe(about.id)
    expect(isForVisitor(about)).toBe(true)
  }
  expect(messagesWanted(TRANSCRIPT)).toEqual({ after: 0, upTo: 3 })
  expect(messagesWanted(UNREAD)).toEqual({ after: 1, upTo: 3 })
})

test('an erased email is not sent', () => {
  expect(chatEmailOf({ ...TRANSCRIPT, personal: null } as ChatEmailEvent, context())).toBeUndefined()
})
