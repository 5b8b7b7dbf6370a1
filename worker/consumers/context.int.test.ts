import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../events/base/metadata.ts'
import { emailResendRequested } from '../../events/email/email.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { currentContext } from '../../events/process/context.ts'
import { createLogger } from '../../events/process/logger.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase } from '../../events/testing/database.ts'
import { json, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { dispatch } from '../email/dispatch.ts'
import { logLeftOutcomes } from '../email/email-sweeps.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { Consumer, type Consuming } from './consumer.ts'
import { EXIT_AFTER_MS } from './consumer-retry.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const openLog = () => {
  const lines: string[] = []
  const write = (line: string) => {
    lines.push(line)
  }
  const logger = createLogger({ level: 'info', base: {} }, { write })
  const linesOf = (msg: string) => lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg)
  return { logger, linesOf, text: () => lines.join('\n') }
}

describe('a consumer of the log', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let sql: Sql

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  })

  afterAll(async () => {
    await sql.end()
    await database.drop()
  })

  test('takes each step in its own context, and reports a failure in that of the step', async () => {
    const { logger, linesOf } = openLog()
    const contexts: Context[] = []
    const { signal } = new AbortController()
    const consuming: Consuming = {
      sql,
      logger,
      signal,
      exitAfterMs: EXIT_AFTER_MS,
      areStoresUp: async () => true,
      exit: () => {},
    }
    const consumer = new Consumer(consuming, { name: 'some-view', version: 1 }, async () => {
      contexts.push(currentContext())
      if (contexts.length === 2) throw new Error('this step fails')
      return contexts.length < 4 ? 'more' : 'done'
    })
    await expect(consumer.read()).rejects.toThrow()
    await consumer.read()
    expect(contexts).toHaveLength(4)
    for (const { actor, causationId } of contexts) {
      expect([actor, causationId]).toEqual([{ type: 'system', name: 'some-view' }, null])
    }
    expect(new Set(contexts.map(({ correlationId }) => correlationId)).size).toBe(contexts.length)
    const failures = linesOf('consumer failed, trying again')
    expect(failures).toMatchObject([{ requestId: contexts[1]?.correlationId, consumer: 'some-view' }])
  })
})

describe('delivering', () => {
  let service: TestService
  let mail: TestDelivering
  let log: ReturnType<typeof openLog>
  let contexts: Context[]

  beforeAll(async () => {
    service = await openTestService()
    mail = await openTestDelivering(service)
  })

  beforeEach(() => {
    log = openLog()
    contexts = []
    const append: typeof mail.log.append = (request) => {
      contexts.push(currentContext())
      return mail.log.append(request)
    }
    mail.delivering = { ...mail.delivering, logger: log.logger, log: { ...mail.log, append } }
  })

  afterAll(async () => {
    await mail.close()
    await service.close()
  })

  test('appends the outcome of an attempt as caused by the event that holds the email', async () => {
    const id = await mail.submitContract()
    await mail.attempt(id)
    expect(contexts).toEqual([
      { actor: { type: 'system', name: 'email' }, causationId: id, correlationId: expect.stringMatching(UUID) },
    ])
  })

  test('writes a line for each attempt that names the event and the request, and no person', async () => {
    const id = await mail.submitContract()
    service.reply(json({ success: 'false', message: 'Ana Botha at ana@example.com is refused' }, 500))
    await mail.attempt(id)
    await mail.setBack(id)
    service.reply(json({ success: 'true' }))
    await mail.attempt(id)
    expect(log.linesOf('email attempted')).toMatchObject([
      { eventId: id, attempt: 1, state: 'retrying', kind: 'busy', requestId: contexts[0]?.correlationId },
      { eventId: id, attempt: 2, state: 'delivered', kind: 'delivered', requestId: contexts[1]?.correlationId },
    ])
    expect(log.text()).not.toMatch(/Ana|Botha|example/)
  })

  test('names the event by which staff requested it again', async () => {
    const id = await mail.submitContract()
    await mail.attempt(id)
    const asked = randomUUID()
    const event = { id: asked, ...emailResendRequested({ emailId: id, by: randomUUID() }) }
    await mail.log.append({ stream: leadStreams.of(id), expectedVersion: 'any', events: [event] })
    await dispatch(mail.sql, mail.queue)
    await mail.attempt(id)
    expect(contexts.map(({ causationId }) => causationId)).toEqual([id, asked])
  })

  test('reports its own failure under the same request', async () => {
    const id = await mail.submitContract()
    const away = { ...mail.log, append: () => Promise.reject(new Error('the log is away')) }
    mail.delivering = { ...mail.delivering, log: away }
    await expect(mail.attempt(id)).rejects.toThrow('the log is away')
    const [attempted] = log.linesOf('email attempted')
    expect(log.linesOf('the delivery of an email failed')).toMatchObject([
      { eventId: id, requestId: attempted?.requestId },
    ])
    expect(attempted?.requestId).toMatch(UUID)
  })

  test('names the same cause if another worker appends the outcome', async () => {
    const id = await mail.submitContract()
    const next = mail.delivering
    const dying = { ...mail.log, append: () => Promise.reject(new Error('the worker dies')) }
    mail.delivering = { ...next, log: dying }
    await expect(mail.attempt(id)).rejects.toThrow('the worker dies')
    mail.delivering = next
    await mail.setBack(id)
    await logLeftOutcomes(mail.delivering)
    expect(contexts).toMatchObject([{ actor: { type: 'system', name: 'email' }, causationId: id }])
  })
})
