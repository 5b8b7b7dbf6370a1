import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activationStreams, emailActivationRequested } from '../../events/email/email.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { DELIVERED, json, openTestService, type TestService, text } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openTestSmtp } from '../../events/testing/smtp.ts'
import { ACTIVATION, openTestDelivering, settingsOf, type TestDelivering } from '../testing/delivering.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'

let service: TestService
let mail: TestDelivering

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  mail = await openTestDelivering(service)
  return () => mail.close()
})

afterAll(() => service.close())

const requestActivation = async () => {
  const id = randomUUID()
  await mail.log.append({
    stream: activationStreams.of(id),
    expectedVersion: 0,
    events: [{ id, ...emailActivationRequested({}) }],
  })
  await dispatch(mail.sql, mail.queue)
  return id
}

describe('a contract', () => {
  test('goes out once with all fields of the visitor, and the view shows it as delivered', async () => {
    const id = await mail.submitContract({ message: 'Please\nhurry' })
    expect((await mail.viewOf(id))?.emailStatus).toBe('pending')
    expect(mail.queued).toEqual([id])
    expect(await mail.attempt(id)).toBeUndefined()
    expect(await mail.attempt(id)).toBeUndefined()
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
      _autoresponse: expect.stringContaining('Hello Ana Botha,'),
    })
    expect(await mail.outcomesOf(id)).toEqual([{ type: 'EmailSent', emailId: id, to: 'service', attempt: 1 }])
    expect((await mail.viewOf(id))?.emailStatus).toBe('delivered')
    expect(await mail.rowOf(id)).toMatchObject({ state: 'delivered', attempts: 1, claimed_until: null, outcome: null })
  })

  test('of a visitor who knows the service gives it no instructions', async () => {
    const id = await mail.submitContract({ _cc: 'x@elsewhere.example', _next: 'https://elsewhere.example' })
    await mail.attempt(id)
    const names = service.submissions[0]?.fields.map(([name]) => name).filter((name) => name.startsWith('_'))
    expect(names?.toSorted()).toEqual(['_autoresponse', '_captcha', '_next', '_subject', '_template'])
    expect(JSON.stringify(service.submissions)).not.toContain('elsewhere')
  })

  test('is retried after a pause that grows, and the retry names its lead in its subject', async () => {
    service.reply(json({ success: 'false' }, 500))
    const id = await mail.submitContract()
    const pauses = [await mail.attempt(id), await mail.attempt(id), await mail.attempt(id)]
    for (const [index, pause = 0] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(1_000 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(2_000 * 2 ** index)
    }
    expect((await mail.rowOf(id))?.pause).toBeCloseTo((pauses[2] ?? 0) / 1_000)
    expect((await mail.viewOf(id))?.emailStatus).toBe('retrying')
    expect(await mail.outcomesOf(id)).toEqual([
      { type: 'EmailFailed', emailId: id, willRetry: true, reason: 'busy', attempt: 1 },
    ])

    service.reply(DELIVERED)
    expect(await mail.attempt(id)).toBeUndefined()
    const subjects = service.submissions.map(({ fields }) => Object.fromEntries(fields)._subject)
    expect(subjects).toEqual([
      'New contract: essential',
      ...[2, 3, 4].map(() => `New contract: essential (reference ${id.slice(0, 8)})`),
    ])
    expect((await mail.viewOf(id))?.emailStatus).toBe('delivered')
  })

  test('waits as long as the service asks', async () => {
    service.reply(json({ success: 'false' }, 429, { 'retry-after': '90' }))
    const id = await mail.submitContract()
    expect(await mail.attempt(id)).toBe(90_000)
    expect((await mail.rowOf(id))?.pause).toBe(90)
    expect(await mail.due()).toEqual([])
  })

  test('that is refused three times waits for staff', async () => {
    service.reply(json({ success: 'false', message: 'Invalid' }))
    const id = await mail.submitContract()
    for (let count = 0; count < 5; count += 1) await mail.attempt(id)
    expect(service.submissions).toHaveLength(3)
    expect((await mail.viewOf(id))?.emailStatus).toBe('rejected')
    expect(await mail.outcomesOf(id)).toMatchObject([
      { willRetry: true, reason: 'rejected', attempt: 1 },
      { willRetry: false, reason: 'rejected', attempt: 3 },
    ])
  })

  test('that is blocked is not retried soon, and logged once', async () => {
    service.reply(text('<!DOCTYPE html>'))
    const id = await mail.submitContract()
    expect(await mail.attempt(id)).toBeUndefined()
    expect((await mail.viewOf(id))?.emailStatus).toBe('blocked')
    expect((await mail.rowOf(id))?.pause).toBeGreaterThan(3_500)
    await mail.attempt(id)
    expect(await mail.outcomesOf(id)).toHaveLength(1)
  })

  test('that gets no certain response is sent three times within an hour, then waits for staff', async () => {
    service.reply((response) => response.destroy())
    const id = await mail.submitContract()
    const pauses = [await mail.attempt(id), await mail.attempt(id), await mail.attempt(id), await mail.attempt(id)]
    expect(service.submissions).toHaveLength(3)
    expect(pauses.slice(2)).toEqual([undefined, undefined])
    expect((pauses[0] ?? 0) + (pauses[1] ?? 0)).toBeLessThan(60 * 60_000)
    expect((await mail.viewOf(id))?.emailStatus).toBe('uncertain')
    expect(await mail.outcomesOf(id)).toMatchObject([
      { willRetry: true, reason: 'unknown', attempt: 1 },
      { willRetry: false, reason: 'uncertain', attempt: 3 },
    ])
    expect(await mail.due()).toEqual([])

    service.reply(DELIVERED)
    await mail.askAgain(id)
    await mail.attempt(id)
    expect((await mail.viewOf(id))?.emailStatus).toBe('delivered')
  })

  test('that the other side is too busy for is given up after four days', async () => {
    service.reply(json({ success: 'false' }, 503))
    const id = await mail.submitContract()
    expect(await mail.attempt(id)).toBeGreaterThan(0)
    await mail.sql`update deliveries set first_tried_at = first_tried_at - interval '95 hours' where event_id = ${id}`
    expect(await mail.attempt(id)).toBeGreaterThan(0)
    await mail.sql`update deliveries set first_tried_at = first_tried_at - interval '1 hour' where event_id = ${id}`
    expect(await mail.attempt(id)).toBeUndefined()
    expect((await mail.viewOf(id))?.emailStatus).toBe('expired')
    expect(await mail.outcomesOf(id)).toMatchObject([
      { willRetry: true, reason: 'busy', attempt: 1 },
      { willRetry: false, reason: 'expired', attempt: 3 },
    ])
  })

  test('is not sent before it is due, however often its job is added', async () => {
    service.reply(json({ success: 'false' }, 429, { 'retry-after': '90' }))
    const id = await mail.submitContract()
    await mail.attempt(id)
    expect(await deliver(mail.delivering, id)).toEqual({ share: null })
    expect(service.submissions).toHaveLength(1)
  })

  test('stays in the outbox if no service is set', async () => {
    mail.delivering = { ...mail.delivering, config: { ...mail.delivering.config, emailForwardUrl: undefined } }
    const id = await mail.submitContract()
    await mail.attempt(id)
    expect((await mail.viewOf(id))?.emailStatus).toBe('outbox')
    expect(await mail.outcomesOf(id)).toEqual([{ type: 'EmailSent', emailId: id, to: 'outbox', attempt: 1 }])
    expect(service.submissions).toEqual([])
  })

  test('whose person has been erased is not sent', async () => {
    const id = await mail.submitContract()
    await mail.sql`update events set personal = null where id = ${id}`
    await mail.attempt(id)
    expect(service.submissions).toEqual([])
    expect(await mail.rowOf(id)).toMatchObject({ state: 'rejected' })
    expect((await mail.viewOf(id))?.emailStatus).toBe('rejected')
  })
})

describe('an address that waits for confirmation', () => {
  test('stops all sending until the next attempt is due, and a test submission that succeeds frees the rest', async () => {
    service.reply(ACTIVATION)
    const [first, second] = [await mail.submitContract(), await mail.submitContract()]
    await mail.attempt(first)
    await mail.attempt(second)
    expect(service.submissions).toHaveLength(1)
    expect((await mail.viewOf(first))?.emailStatus).toBe('needs_activation')
    expect((await mail.viewOf(second))?.emailStatus).toBe('pending')
    expect(await mail.rowOf(second)).toMatchObject({ attempts: 0, last_answer: null })
    expect(await mail.due()).toEqual([])

    service.reply(DELIVERED)
    await mail.attempt(await requestActivation())
    expect(Object.fromEntries(service.submissions[1]?.fields ?? [])).toMatchObject({
      _cc: 'inbox@agency.example',
      _subject: 'Test submission: please confirm this address',
      test_date: expect.stringMatching(/Z$/),
    })
    expect((await mail.due()).toSorted()).toEqual([first, second].toSorted())
    await mail.attempt(first)
    await mail.attempt(second)
    expect((await mail.viewOf(first))?.emailStatus).toBe('delivered')
    expect((await mail.viewOf(second))?.emailStatus).toBe('delivered')
    expect(service.submissions).toHaveLength(4)
  })
})

describe('an address that is confirmed without a test submission', () => {
  test('gets the waiting emails, whatever made them due', async () => {
    service.reply(ACTIVATION)
    const first = await mail.submitContract()
    await mail.attempt(first)
    const second = await mail.submitContract()
    await mail.attempt(second)
    service.reply(DELIVERED)
    await mail.sql`update deliveries set due_at = due_at - interval '15 minutes'`
    for (const id of await mail.due()) await mail.attempt(id)
    expect((await mail.viewOf(first))?.emailStatus).toBe('delivered')
    expect((await mail.viewOf(second))?.emailStatus).toBe('delivered')
  })
})

describe('a response that Postgres cannot store', () => {
  test('is stored without the invalid parts, and the email is sent once', async () => {
    service.reply(json({ success: 'true', message: 'a\0b' }))
    const id = await mail.submitContract()
    await mail.attempt(id)
    expect(await mail.rowOf(id)).toMatchObject({ state: 'delivered' })
  })
})

test('an event that requests no email sends none', async () => {
  const id = randomUUID()
  const form = sampleLeadForm({ leadSource: 'hero_form' })
  await mail.log.append({
    stream: leadStreams.of(id),
    expectedVersion: 0,
    events: [{ id, ...submitLead({ leadId: id, form }) }],
  })
  await dispatch(mail.sql, mail.queue)
  expect(mail.queued).toEqual([])
  await mail.attempt(id)
  expect(service.submissions).toEqual([])
})

describe('further inboxes', () => {
  const withInboxes = (...inboxAddresses: string[]) => {
    mail.delivering = { ...mail.delivering, settings: settingsOf({ inboxAddresses }) }
  }
  const copies = () => service.submissions.map(({ fields }) => Object.fromEntries(fields)._cc)

  test('get a copy of every email from the moment that they are set', async () => {
    await mail.attempt(await mail.submitContract())
    withInboxes('second@agency.example', 'third@agency.example')
    await mail.attempt(await mail.submitContract())
    await mail.attempt(await requestActivation())
    expect(copies()).toEqual([
      undefined,
      'second@agency.example,third@agency.example',
      'inbox@agency.example,second@agency.example,third@agency.example',
    ])
  })

  test('get one copy however they are written, and the inbox that the service knows gets none', async () => {
    withInboxes('Inbox@agency.example', 'second@agency.example', 'Second@Agency.example')
    await mail.attempt(await mail.submitContract())
    await mail.attempt(await requestActivation())
    const { config } = mail.delivering
    const emailForwardUrl = `${config.emailForwardUrl}/SECOND@agency.example`
    mail.delivering = { ...mail.delivering, config: { ...config, emailForwardUrl } }
    await mail.attempt(await mail.submitContract())
    await mail.attempt(await requestActivation())
    expect(copies()).toEqual([
      'second@agency.example',
      'inbox@agency.example,second@agency.example',
      undefined,
      'inbox@agency.example',
    ])
  })

  test('are reported separately if one refuses it, and only those that lack it get it again', async () => {
    const smtp = await openTestSmtp()
    const { config } = mail.delivering
    mail.delivering = { ...mail.delivering, config: { ...config, emailForwardUrl: undefined, smtpUrl: smtp.url } }
    withInboxes('full@agency.example', 'gone@agency.example')
    smtp.answer({
      recipient: (address) => {
        if (address.startsWith('full')) return { status: 452, text: 'full' }
        return address.startsWith('gone') ? { status: 550, text: 'no such user' } : undefined
      },
    })
    const id = await mail.submitContract()
    expect(await mail.attempt(id)).toBeGreaterThan(0)
    expect((await mail.viewOf(id))?.emailStatus).toBe('retrying')

    smtp.answer({ recipient: (address) => (address.startsWith('gone') ? { status: 550, text: 'no' } : undefined) })
    expect(await mail.attempt(id)).toBeUndefined()
    expect(smtp.taken.map(({ to }) => to)).toEqual([['inbox@agency.example'], ['full@agency.example']])
    expect((await mail.viewOf(id))?.emailStatus).toBe('partial')
    expect((await mail.outcomesOf(id)).at(-1)).toMatchObject({ willRetry: false, reason: 'partial', attempt: 2 })
    const rows = await mail.sql`select d.*, t.* from deliveries d join delivery_tries t using (event_id)`
    expect(JSON.stringify(rows)).not.toContain('@')

    smtp.answer({})
    await mail.askAgain(id)
    await mail.attempt(id)
    expect(smtp.taken.at(-1)?.to).toEqual(['gone@agency.example'])
    expect((await mail.viewOf(id))?.emailStatus).toBe('delivered')

    await mail.askAgain(id)
    await mail.attempt(id)
    expect(smtp.taken.at(-1)?.to).toHaveLength(3)
    await smtp.close()
  })

  test('are recipients by SMTP, each once', async () => {
    const smtp = await openTestSmtp()
    mail.delivering = {
      ...mail.delivering,
      config: { ...mail.delivering.config, emailForwardUrl: undefined, smtpUrl: smtp.url },
    }
    withInboxes('second@agency.example', 'inbox@agency.example')
    const id = await mail.submitContract()
    await mail.attempt(id)
    await smtp.close()
    expect(smtp.taken[0]?.to).toEqual(['inbox@agency.example', 'second@agency.example'])
    expect(smtp.taken[0]?.message).toContain(`Message-ID: <${id}@www.agency.example>`)
    expect(await mail.outcomesOf(id)).toEqual([{ type: 'EmailSent', emailId: id, to: 'smtp', attempt: 1 }])
  })
})
