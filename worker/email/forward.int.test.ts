import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Lead, leadStream } from '../../events/lead.ts'
import { createTestDatabase } from '../../events/local/test-database.ts'
import { DELIVERED, json, openTestService, type TestService, text } from '../../events/local/test-email-service.ts'
import { type Appender, openAppender } from '../../events/log/append.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { readHead } from '../../events/log/read.ts'
import { dueDeliveries } from '../../events/projections/deliveries.ts'
import { listLeads } from '../../events/projections/lead-search.ts'
import { project } from '../../events/projections/projection.ts'
import { DEFAULT_SETTINGS } from '../../events/settings.ts'
import type { Config } from '../config.ts'
import { dispatch, prepareDispatch } from '../dispatch.ts'
import { PROJECTIONS, prepareProjections } from '../project.ts'
import type { EmailQueue } from '../queue.ts'
import { type Forwarding, forward, logLeftOutcomes, RetrySoon } from './forward.ts'
import { openTestSmtp } from './test-smtp.ts'

const ACTIVATION = json({ success: 'false', message: 'This form needs Activation.' })

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let log: Appender
let service: TestService
let forwarding: Forwarding
let queued: string[]
let queue: EmailQueue

const configFor = (emailForwardUrl: string | undefined, smtpUrl?: string): Config => ({
  databaseUrl: database.url,
  redisUrl: '',
  publicUrl: 'https://www.agency.example',
  sessionSecret: 'a secret of the tests',
  emailForwardUrl,
  smtpUrl,
  emailFrom: 'site@agency.example',
  agencyEmail: 'inbox@agency.example',
  agencyName: 'Karoo Web Studio',
  logLevel: 'silent',
})

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 4, name: 'test' })
  log = openAppender(database.url, { onCommit: () => {} })
  const logger = pino({ level: 'silent' })
  forwarding = { sql, log, logger, config: configFor(service.url), settings: { current: DEFAULT_SETTINGS } }
  queued = []
  const add = async (ids: string[]) => {
    queued.push(...ids)
  }
  queue = {
    add,
    hurry: add,
    close: async () => {},
  }
  service.reply(DELIVERED)
  service.submissions.length = 0
  await prepareProjections(sql)
  await prepareDispatch(sql)
  return async () => {
    await log.close()
    await sql.end()
    await database.drop()
  }
})

afterAll(() => service.close())

const submitContract = async (fields: object = {}) => {
  const id = randomUUID()
  const personal = {
    name: 'Ana Botha',
    email: 'ana@example.com',
    phone: '0825550199',
    company: null,
    businessName: 'Botha Bakery',
    message: null,
    pageUrl: null,
  }
  const data = { industry: null, package: null, timeline: null, leadSource: 'contract_essential', agreedToTerms: true }
  await log.append({
    stream: leadStream(id),
    expectedVersion: 0,
    events: [{ id, type: 'LeadSubmitted', data, subjectId: id, personal: { ...personal, ...fields } }],
  })
  await dispatch(sql, queue)
  return id
}

const requestActivation = async () => {
  const id = randomUUID()
  await log.append({
    stream: `email-activation-${id}`,
    expectedVersion: 0,
    events: [{ id, type: 'EmailActivationRequested', data: {}, subjectId: null, personal: null }],
  })
  await dispatch(sql, queue)
  return id
}

/** Forwards once; answers in how many milliseconds it is to be tried again soon. */
const attempt = async (id: string) => {
  try {
    await forward(forwarding, id)
    return undefined
  } catch (error) {
    if (error instanceof RetrySoon) return error.retryAfterMs
    throw error
  }
}

const outcomesOf = async (id: string) => {
  const rows = await sql<{ type: string; data: object }[]>`
    select type, data from events where stream = ${leadStream(id)} and version > 1 order by version`
  return rows.map(({ type, data }) => ({ type, ...data }))
}
const rowOf = async (id: string) => {
  const [row] = await sql`
    select state, attempts, last_answer, claimed_until, outcome, extract(epoch from due_at - now())::float8 as due_in
    from deliveries where event_id = ${id}`
  return row
}
const viewOf = async (id: string): Promise<Lead | undefined> => {
  for (const projection of PROJECTIONS) while ((await project(sql, projection)).hasMore);
  return (await listLeads(sql, { sort: 'desc' }, { limit: 10 })).find((lead) => lead.id === id)
}
const setBack = (id: string) => sql`
  update deliveries set claimed_until = now() - interval '1 second', due_at = now(),
    updated_at = now() - interval '2 minutes' where event_id = ${id}`

describe('a contract', () => {
  test('goes out once with all that the visitor filled in, and the view says that it was delivered', async () => {
    const id = await submitContract({ message: 'Please\nhurry' })
    expect((await viewOf(id))?.forwardStatus).toBe('pending')
    expect(queued).toEqual([id])
    expect(await attempt(id)).toBeUndefined()
    expect(await attempt(id)).toBeUndefined()
    expect(service.submissions).toHaveLength(1)
    expect(Object.fromEntries(service.submissions[0]?.fields ?? [])).toEqual({
      name: 'Ana Botha',
      email: 'ana@example.com',
      phone: '0825550199',
      businessName: 'Botha Bakery',
      message: 'Please\r\nhurry',
      leadSource: 'contract_essential',
      agreedToTerms: 'true',
      _subject: 'New contract: essential',
      _template: 'table',
      _captcha: 'false',
      _next: 'https://www.agency.example/thanks',
    })
    expect(await outcomesOf(id)).toEqual([{ type: 'EmailForwarded', forwardId: id, to: 'service', attempt: 1 }])
    expect((await viewOf(id))?.forwardStatus).toBe('delivered')
    expect(await rowOf(id)).toMatchObject({ state: 'delivered', attempts: 1, claimed_until: null, outcome: null })
  })

  test('of a visitor who knows the service gives it no instructions', async () => {
    const id = await submitContract({ _cc: 'x@elsewhere.example', _next: 'https://elsewhere.example' })
    await sql`update events set personal = personal || '{"_webhook": "https://elsewhere.example"}' where id = ${id}`
    await attempt(id)
    const names = service.submissions[0]?.fields.map(([name]) => name).filter((name) => name.startsWith('_'))
    expect(names?.toSorted()).toEqual(['_captcha', '_next', '_subject', '_template'])
    expect(JSON.stringify(service.submissions)).not.toContain('elsewhere')
  })

  test('is tried again after a pause that grows, and the retry says in its subject which lead it is', async () => {
    service.reply(json({ success: 'false' }, 500))
    const id = await submitContract()
    const pauses = [await attempt(id), await attempt(id), await attempt(id)]
    for (const [index, pause = 0] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(1_000 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(2_000 * 2 ** index)
    }
    expect((await rowOf(id))?.due_in).toBeGreaterThan(3)
    expect(await dueDeliveries(sql)).toEqual([])
    expect((await viewOf(id))?.forwardStatus).toBe('retrying')
    expect(await outcomesOf(id)).toEqual([
      { type: 'EmailForwardFailed', forwardId: id, willRetry: true, reason: 'busy', attempt: 1 },
    ])

    service.reply(DELIVERED)
    expect(await attempt(id)).toBeUndefined()
    const subjects = service.submissions.map(({ fields }) => Object.fromEntries(fields)._subject)
    expect(subjects).toEqual([
      'New contract: essential',
      ...[2, 3, 4].map(() => `New contract: essential (reference ${id.slice(0, 8)})`),
    ])
    expect((await viewOf(id))?.forwardStatus).toBe('delivered')
  })

  test('waits as long as the service asks', async () => {
    service.reply(json({ success: 'false' }, 429, { 'retry-after': '90' }))
    const id = await submitContract()
    expect(await attempt(id)).toBe(90_000)
    expect((await rowOf(id))?.due_in).toBeGreaterThan(80)
  })

  test('that is refused three times waits for somebody', async () => {
    service.reply(json({ success: 'false', message: 'Invalid' }))
    const id = await submitContract()
    for (let count = 0; count < 5; count += 1) await attempt(id)
    expect(service.submissions).toHaveLength(3)
    expect((await viewOf(id))?.forwardStatus).toBe('rejected')
    expect(await outcomesOf(id)).toMatchObject([
      { willRetry: true, reason: 'rejected', attempt: 1 },
      { willRetry: false, reason: 'rejected', attempt: 3 },
    ])
  })

  test('that is blocked is not tried again hot, and the log is told once', async () => {
    service.reply(text('<!DOCTYPE html>'))
    const id = await submitContract()
    expect(await attempt(id)).toBeUndefined()
    expect((await viewOf(id))?.forwardStatus).toBe('blocked')
    expect((await rowOf(id))?.due_in).toBeGreaterThan(3_500)
    await attempt(id)
    expect(await outcomesOf(id)).toHaveLength(1)
  })

  test('lands in the outbox where no service is set', async () => {
    forwarding = { ...forwarding, config: configFor(undefined) }
    const id = await submitContract()
    await attempt(id)
    expect((await viewOf(id))?.forwardStatus).toBe('outbox')
    expect(await outcomesOf(id)).toEqual([{ type: 'EmailForwarded', forwardId: id, to: 'outbox', attempt: 1 }])
    expect(service.submissions).toEqual([])
  })

  test('whose person has been erased is not sent', async () => {
    const id = await submitContract()
    await sql`update events set personal = null where id = ${id}`
    await attempt(id)
    expect(service.submissions).toEqual([])
    expect(await rowOf(id)).toMatchObject({ state: 'rejected' })
    expect((await viewOf(id))?.forwardStatus).toBe('rejected')
  })
})

describe('an address that waits to be confirmed', () => {
  test('stops all sending until the next try is due, and a test submission that gets through frees the rest', async () => {
    service.reply(ACTIVATION)
    const [first, second] = [await submitContract(), await submitContract()]
    await attempt(first)
    await attempt(second)
    expect(service.submissions).toHaveLength(1)
    expect((await viewOf(first))?.forwardStatus).toBe('needs_activation')
    expect((await viewOf(second))?.forwardStatus).toBe('pending')
    expect(await rowOf(second)).toMatchObject({ attempts: 0, last_answer: null })
    expect(await dueDeliveries(sql)).toEqual([])

    service.reply(DELIVERED)
    await attempt(await requestActivation())
    expect(Object.fromEntries(service.submissions[1]?.fields ?? [])).toMatchObject({
      _cc: 'inbox@agency.example',
      _subject: 'Test submission: please confirm this address',
      test_date: expect.stringMatching(/Z$/),
    })
    expect((await dueDeliveries(sql)).toSorted()).toEqual([first, second].toSorted())
    await attempt(first)
    await attempt(second)
    expect((await viewOf(first))?.forwardStatus).toBe('delivered')
    expect((await viewOf(second))?.forwardStatus).toBe('delivered')
    expect(service.submissions).toHaveLength(4)
  })
})

describe('an address that is confirmed without a test submission', () => {
  test('gets what waited, however the waiting ones came to be due', async () => {
    service.reply(ACTIVATION)
    const first = await submitContract()
    await attempt(first)
    const second = await submitContract()
    await attempt(second)
    service.reply(DELIVERED)
    await sql`update deliveries set due_at = due_at - interval '15 minutes'`
    for (const id of await dueDeliveries(sql)) await attempt(id)
    expect((await viewOf(first))?.forwardStatus).toBe('delivered')
    expect((await viewOf(second))?.forwardStatus).toBe('delivered')
  })
})

describe('an answer that Postgres cannot keep', () => {
  test('is kept without what it cannot keep, and the e-mail is sent once', async () => {
    service.reply(json({ success: 'true', message: 'a\0b' }))
    const id = await submitContract()
    await attempt(id)
    expect(await rowOf(id)).toMatchObject({ state: 'delivered' })
  })
})

describe('two workers', () => {
  test('send once', async () => {
    const id = await submitContract()
    await Promise.all(Array.from({ length: 8 }, () => attempt(id)))
    expect(service.submissions).toHaveLength(1)
    expect(await outcomesOf(id)).toHaveLength(1)
  })

  test('dispatch every event once, in spite of one another', async () => {
    for (let count = 0; count < 5; count += 1) await submitContract()
    await sql`update checkpoints set position = 0 where consumer = 'dispatch'`
    await Promise.all(Array.from({ length: 6 }, () => dispatch(sql, queue)))
    const { position } = await readHead(sql)
    const [checkpoint] = await sql`select position from checkpoints where consumer = 'dispatch'`
    const [rows] = await sql`select count(*) as count from deliveries`
    expect([checkpoint?.position, rows?.count]).toEqual([position, 5])
  })
})

describe('a worker that dies', () => {
  test('between queueing and advancing leaves nothing that is sent twice', async () => {
    const id = await submitContract()
    await attempt(id)
    await sql`update checkpoints set position = 0 where consumer = 'dispatch'`
    await dispatch(sql, queue)
    expect(queued).toEqual([id, id])
    await attempt(id)
    expect(service.submissions).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('between noting and queueing leaves what is queued by the next', async () => {
    const failing: EmailQueue = { ...queue, add: () => Promise.reject(new Error('Redis is away')) }
    const working = queue
    queue = failing
    await expect(submitContract()).rejects.toThrow('Redis is away')
    expect(queued).toEqual([])
    await dispatch(sql, working)
    expect(queued).toHaveLength(1)
    const [rows] = await sql`select count(*) as count from deliveries`
    expect(rows?.count).toBe(1)
  })

  test('in the middle of sending has its delivery sent again once its claim runs out', async () => {
    const id = await submitContract()
    await sql`update deliveries set claimed_until = now() + interval '1 minute', attempts = 1 where event_id = ${id}`
    await attempt(id)
    expect(service.submissions).toEqual([])
    expect(await dueDeliveries(sql)).toEqual([])
    await setBack(id)
    expect(await dueDeliveries(sql)).toEqual([id])
    await attempt(id)
    expect(service.submissions).toHaveLength(1)
  })

  test('between recording and telling the log has the outcome told by the next, once', async () => {
    const dying: Appender = { ...log, append: () => Promise.reject(new Error('killed')) }
    const id = await submitContract()
    await expect(forward({ ...forwarding, log: dying }, id)).rejects.toThrow('killed')
    expect(await outcomesOf(id)).toEqual([])
    await setBack(id)
    await logLeftOutcomes(forwarding)
    await logLeftOutcomes(forwarding)
    expect(await outcomesOf(id)).toEqual([{ type: 'EmailForwarded', forwardId: id, to: 'service', attempt: 1 }])
    expect((await viewOf(id))?.forwardStatus).toBe('delivered')
    expect(service.submissions).toHaveLength(1)
  })
})

test('what asks for no e-mail is not sent', async () => {
  const id = randomUUID()
  const data = { industry: null, package: null, timeline: null, leadSource: 'hero_form', agreedToTerms: null }
  const personal = {
    name: 'Ana',
    email: 'a@b.co',
    phone: '0825550199',
    company: null,
    businessName: null,
    message: null,
    pageUrl: null,
  }
  await log.append({
    stream: leadStream(id),
    expectedVersion: 0,
    events: [{ id, type: 'LeadSubmitted', data, subjectId: id, personal }],
  })
  await dispatch(sql, queue)
  expect(queued).toEqual([])
  await attempt(id)
  expect(service.submissions).toEqual([])
})

describe('staff who ask for it again', () => {
  const askAgain = async (id: string) => {
    const data = { forwardId: id, by: randomUUID() }
    const event = { id: randomUUID(), type: 'EmailResendRequested' as const, data, subjectId: null, personal: null }
    await log.append({ stream: leadStream(id), expectedVersion: 'any', events: [event] })
    await dispatch(sql, queue)
  }
  const kindsOf = async (id: string) =>
    (await sql<{ kind: string }[]>`select kind from delivery_tries where event_id = ${id} order by attempt`).map(
      ({ kind }) => kind,
    )

  test('get what was delivered once more, once for each time', async () => {
    const id = await submitContract()
    await attempt(id)
    await askAgain(id)
    expect(queued).toEqual([id, id])
    expect((await viewOf(id))?.forwardStatus).toBe('pending')
    await sql`update checkpoints set position = 0 where consumer = 'dispatch'`
    await dispatch(sql, queue)
    await attempt(id)
    await sql`update checkpoints set position = 0 where consumer = 'dispatch'`
    await dispatch(sql, queue)
    await attempt(id)
    expect(service.submissions).toHaveLength(2)
    expect((await viewOf(id))?.forwardStatus).toBe('delivered')
    expect(await kindsOf(id)).toEqual(['delivered', 'delivered'])
    const subjects = service.submissions.map(({ fields }) => Object.fromEntries(fields)._subject)
    expect(subjects[1]).toBe(`New contract: essential (reference ${id.slice(0, 8)})`)
  })

  test('get three more tries of what was refused for good', async () => {
    service.reply(json({ success: 'false', message: 'Invalid' }))
    const id = await submitContract()
    for (let count = 0; count < 4; count += 1) await attempt(id)
    await askAgain(id)
    for (let count = 0; count < 4; count += 1) await attempt(id)
    expect(service.submissions).toHaveLength(6)
    expect((await viewOf(id))?.forwardStatus).toBe('rejected')
  })

  test('probe an address that waits to be confirmed, and free the rest where it is', async () => {
    service.reply(ACTIVATION)
    const ids = [await submitContract(), await submitContract(), await submitContract()]
    await sql`update deliveries set state = 'needs_activation', due_at = now() + interval '10 minutes'`
    service.reply(DELIVERED)
    const [first = '', ...rest] = ids
    await askAgain(first)
    await attempt(first)
    expect(service.submissions).toHaveLength(1)
    expect((await dueDeliveries(sql)).toSorted()).toEqual(rest.toSorted())
  })

  test('are told of what comes of an attempt that was under way', async () => {
    service.reply(text('<!DOCTYPE html>'))
    const id = await submitContract()
    await attempt(id)
    await setBack(id)
    const answered = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    service.reply(async (response, submission) => {
      asked.resolve()
      await answered.promise
      text('<!DOCTYPE html>')(response, submission)
    })
    const sending = attempt(id)
    await asked.promise
    await askAgain(id)
    await attempt(id)
    expect((await viewOf(id))?.forwardStatus).toBe('pending')
    answered.resolve()
    await sending
    expect(service.submissions).toHaveLength(2)
    expect((await viewOf(id))?.forwardStatus).toBe('blocked')
  })

  test('get it sent by the next worker where the one that sent it has died', async () => {
    const id = await submitContract()
    await attempt(id)
    await askAgain(id)
    await sql`update deliveries set claimed_until = now() + interval '1 minute', attempts = 2 where event_id = ${id}`
    await attempt(id)
    expect(service.submissions).toHaveLength(1)
    await setBack(id)
    expect(await dueDeliveries(sql)).toEqual([id])
    await attempt(id)
    expect(service.submissions).toHaveLength(2)
  })
})

describe('further inboxes', () => {
  const withInboxes = (...inboxAddresses: string[]) => {
    forwarding = { ...forwarding, settings: { current: { ...DEFAULT_SETTINGS, inboxAddresses } } }
  }
  const copies = () => service.submissions.map(({ fields }) => Object.fromEntries(fields)._cc)

  test('get a copy of every forward from the moment that they are set', async () => {
    await attempt(await submitContract())
    withInboxes('second@agency.example', 'third@agency.example')
    await attempt(await submitContract())
    await attempt(await requestActivation())
    expect(copies()).toEqual([
      undefined,
      'second@agency.example,third@agency.example',
      'inbox@agency.example,second@agency.example,third@agency.example',
    ])
  })

  test('are recipients by SMTP, each once', async () => {
    const smtp = await openTestSmtp()
    forwarding = { ...forwarding, config: configFor(undefined, smtp.url) }
    withInboxes('second@agency.example', 'inbox@agency.example')
    const id = await submitContract()
    await attempt(id)
    await smtp.close()
    expect(smtp.taken[0]?.to).toEqual(['inbox@agency.example', 'second@agency.example'])
    expect(smtp.taken[0]?.message).toContain(`Message-ID: <${id}@www.agency.example>`)
    expect(await outcomesOf(id)).toEqual([{ type: 'EmailForwarded', forwardId: id, to: 'smtp', attempt: 1 }])
  })
})
