import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AnyNewEvent } from '../../events/catalogue.ts'
import { chatActivityStreams, chatAnswersUnread, chatTranscriptRequested } from '../../events/chat/activity.ts'
import { chatMessagePosted, chatStarted, chatStreams, messageStreams } from '../../events/chat/chat.ts'
import { noteReceipt } from '../../events/chat/store/receipts.ts'
import { resumeToken } from '../../events/chat/store/resume-token.ts'
import { DISPATCH } from '../../events/consumers/acting-consumers.ts'
import { emailResendRequested } from '../../events/email/email.ts'
import { signingKeys } from '../../events/keys/signing-keys.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { prepareActingConsumer } from '../../events/log/checkpoints.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase } from '../../events/testing/database.ts'
import { DELIVERED, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import type { Config } from '../process/config.ts'
import { settingsOf } from '../testing/delivering.ts'
import { type Delivering, deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'

const SECRET_KEYS = signingKeys(['a secret of the tests'])
const QUEUE = { perShare: 1, add: async () => {}, close: async () => {} }
const VISITOR = 'thandi@example.co.za'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender
let service: TestService
let smtp: TestSmtp
let sessionId: string

beforeAll(async () => {
  service = await openTestService()
  smtp = await openTestSmtp()
  database = await createTestDatabase()
  sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  log = openAppender(database.url, { keys: TEST_KEYS })
  await prepareActingConsumer(sql, DISPATCH)
})

beforeEach(async () => {
  service.reply(DELIVERED)
  service.submissions.length = 0
  smtp.answer({})
  smtp.taken.length = 0
  sessionId = randomUUID()
  const personal = { visitorName: 'Thandi', visitorEmail: VISITOR, pageUrl: null, userAgent: null }
  await append(chatStreams.of(sessionId), chatStarted({}, { subjectId: sessionId, personal }))
  await say('visitor', 'Do you do bakeries?')
  await say('admin', 'We do!')
  await say('admin', 'Which one is yours?')
})

afterAll(async () => {
  await Promise.all([service.close(), smtp.close(), log.close(), sql.end()])
  await database.drop()
})

const append = async (stream: string, event: AnyNewEvent) => {
  const id = randomUUID()
  await log.append({ stream, expectedVersion: 'any', events: [{ id, ...event }] })
  return id
}
const say = (senderType: 'visitor' | 'admin', message: string) => {
  const senderName = senderType === 'admin' ? 'Support Team' : 'Thandi'
  const personal = { senderName, message, clientMessageId: null }
  return append(messageStreams.of(sessionId), chatMessagePosted({ senderType }, { subjectId: sessionId, personal }))
}
const ask = async (event: AnyNewEvent) => {
  const id = await append(chatActivityStreams.of(sessionId), event)
  await dispatch(sql, QUEUE)
  return id
}
const about = (to: string) => ({ subjectId: sessionId, personal: { to } })
const askTranscript = (to = VISITOR) => ask(chatTranscriptRequested({ upTo: 3, by: randomUUID() }, about(to)))
const askUnread = () => ask(chatAnswersUnread({ after: 1, upTo: 3 }, about(VISITOR)))

const send = async (id: string, ways: Partial<Config>) => {
  const config: Config = {
    databaseUrl: database.url,
    directUrl: database.url,
    keysDatabaseUrl: undefined,
    keyRing: TEST_KEYS.ring,
    redisUrl: '',
    publicUrl: 'https://www.agency.example',
    signingKeys: SECRET_KEYS,
    emailForwardUrl: undefined,
    smtpUrl: undefined,
    pushTestOrigins: [],
    port: 0,
    emailLanes: { service: { perMinute: 60, concurrency: 1 }, smtp: { perMinute: 60, concurrency: 3 } },
    emailFrom: 'site@agency.example',
    agencyEmail: 'inbox@agency.example',
    agencyName: 'Karoo Web Studio',
    logLevel: 'silent',
    ...ways,
  }
  const settings = settingsOf({ inboxAddresses: ['second@agency.example'] })
  const delivering: Delivering = { sql, log, logger: pino({ level: 'silent' }), config, settings }
  await sql`update deliveries set due_at = now() where event_id = ${id} and state = 'retrying'`
  await deliver(delivering, id)
}
const rowOf = async (id: string) => {
  const [row] = await sql`
    select d.state, d.recipient, t.kind, t.answer from deliveries d left join delivery_tries t using (event_id)
    where event_id = ${id} order by t.attempt desc limit 1`
  return row
}

test('a transcript goes only to the visitor by SMTP, even if the agency has a service', async () => {
  const id = await askTranscript()
  await send(id, { smtpUrl: smtp.url, emailForwardUrl: service.url })
  expect(service.submissions).toEqual([])
  expect(smtp.taken).toMatchObject([{ from: 'site@agency.example', to: [VISITOR] }])
  expect(smtp.taken[0]?.message).toContain('Subject: Your chat with Karoo Web Studio')
  expect(smtp.taken[0]?.message).toContain('Reply-To: Karoo Web Studio <inbox@agency.example>')
  expect(smtp.taken[0]?.message).toMatch(/Do you do bakeries\?.*We do!.*Which one is yours\?/s)
  expect(await rowOf(id)).toMatchObject({ state: 'delivered', recipient: 'visitor', kind: 'delivered' })
  const [outcome] = await sql`select stream, type, data from events order by position desc limit 1`
  expect(outcome).toEqual({
    stream: chatActivityStreams.of(sessionId),
    type: 'EmailSent',
    data: { emailId: id, to: 'smtp', attempt: 1 },
  })
})

test('without SMTP it goes through the service, as a copy to the visitor only', async () => {
  await send(await askTranscript(), { emailForwardUrl: service.url })
  const fields = Object.fromEntries(service.submissions[0]?.fields ?? [])
  expect(fields).toMatchObject({ _cc: VISITOR, _subject: 'Your chat with Karoo Web Studio' })
  expect(fields.message).toContain('Hello Thandi,')
})

test('without either it stays in the outbox', async () => {
  const id = await askTranscript()
  await send(id, {})
  expect(await rowOf(id)).toMatchObject({ state: 'outbox', recipient: 'visitor' })
})

test('unread replies go out with the link that resumes this chat', async () => {
  await send(await askUnread(), { emailForwardUrl: service.url })
  const { message = '' } = Object.fromEntries(service.submissions[0]?.fields ?? [])
  expect(message).toContain(`https://www.agency.example/#chat=${sessionId}.${resumeToken(SECRET_KEYS, sessionId, 0)}`)
  expect(message).toContain('Which one is yours?')
  expect(message).not.toContain('Do you do bakeries?')
})

test('a worker without the secret sends them without a link', async () => {
  await send(await askUnread(), { emailForwardUrl: service.url, signingKeys: undefined })
  const { message = '' } = Object.fromEntries(service.submissions[0]?.fields ?? [])
  expect(message).toContain('Come back to the chat at https://www.agency.example')
})

test.each<[string, () => Promise<unknown>]>([
  ['seen them', () => noteReceipt(sql, sessionId, 'visitor', { delivered: 3, seen: 3 })],
  ['written since', () => say('visitor', 'I am back')],
])('unread answers are not sent to a visitor who has %s, and that is done', async (_, come) => {
  const id = await askUnread()
  await come()
  await send(id, { smtpUrl: smtp.url })
  await send(id, { smtpUrl: smtp.url })
  expect(smtp.taken).toEqual([])
  expect(await rowOf(id)).toMatchObject({ state: 'delivered', kind: 'seen' })
})

test('unread replies that staff request again go out even if the visitor has seen the chat', async () => {
  const id = await askUnread()
  await say('visitor', 'I am back')
  await send(id, { smtpUrl: smtp.url })
  await append(chatActivityStreams.of(sessionId), emailResendRequested({ emailId: id, by: randomUUID() }))
  await dispatch(sql, QUEUE)
  await send(id, { smtpUrl: smtp.url })
  expect(smtp.taken).toHaveLength(1)
  expect(await rowOf(id)).toMatchObject({ state: 'delivered', kind: 'delivered' })
})

test('replies that staff have seen, or the visitor in part, are still sent', async () => {
  const id = await askUnread()
  await noteReceipt(sql, sessionId, 'admin', { delivered: 3, seen: 3 })
  await noteReceipt(sql, sessionId, 'visitor', { delivered: 3, seen: 2 })
  await send(id, { smtpUrl: smtp.url })
  expect(smtp.taken).toHaveLength(1)
})

test.each(['thandi@example.co.za, victim@example.com', 'thandi', 'a@b.co\r\nBcc: victim@example.com', '@', '🙂@x.co'])(
  'an invalid address gets nothing, and is not retried: %j',
  async (to) => {
    const id = await askTranscript(to)
    await send(id, { smtpUrl: smtp.url })
    await send(id, { emailForwardUrl: service.url })
    expect([smtp.taken, service.submissions]).toEqual([[], []])
    expect(await rowOf(id)).toMatchObject({ state: 'rejected', answer: 'This is no usable address' })
  },
)

test('an address that the server refuses is tried once, and is only in the event', async () => {
  smtp.answer({ recipient: (address) => ({ status: 550, text: `${address} is unknown` }) })
  const id = await askTranscript()
  await send(id, { smtpUrl: smtp.url })
  expect(await rowOf(id)).toMatchObject({ state: 'rejected', kind: 'rejected' })
  const rows = await sql`select d.*, t.* from deliveries d left join delivery_tries t using (event_id)`
  expect(JSON.stringify(rows)).not.toContain('thandi')
  const [found] = await sql`select count(*) as count from events where data::text ilike '%thandi%'`
  expect(found?.count).toBe(0)
})

test('a server that breaks off is retried, with the same message id', async () => {
  const id = await askTranscript()
  smtp.answer({ message: () => ({ status: 451, text: 'later' }) })
  await send(id, { smtpUrl: smtp.url })
  expect(await rowOf(id)).toMatchObject({ state: 'retrying', kind: 'busy' })
  smtp.answer({})
  await send(id, { smtpUrl: smtp.url })
  expect(smtp.taken[0]?.message).toContain(`Message-ID: <${id}@www.agency.example>`)
  expect(smtp.taken[0]?.message).toContain('Subject: Your chat with Karoo Web Studio\r\n')
})

test('the pause of a service whose address waits for confirmation delays no email by SMTP', async () => {
  const waiting = await askTranscript()
  await sql`update deliveries set state = 'needs_activation', due_at = now() + interval '10 minutes' where event_id = ${waiting}`
  await send(await askTranscript(), { smtpUrl: smtp.url })
  expect(smtp.taken).toHaveLength(1)
  await send(await askTranscript(), { emailForwardUrl: service.url })
  expect(service.submissions).toEqual([])
  await sql`update deliveries set due_at = now()`
})

test('the chat of an erased person is not sent', async () => {
  const id = await askTranscript()
  await sql`update events set personal = null where subject_id = ${sessionId}`
  await send(id, { smtpUrl: smtp.url })
  expect(smtp.taken).toEqual([])
  expect(await rowOf(id)).toMatchObject({ state: 'rejected', kind: 'erased' })
})
