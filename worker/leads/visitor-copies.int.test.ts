import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { referenceOf } from '../../events/base/reference.ts'
import { readEmail } from '../../events/email/store/compose.ts'
import { eraseKeys } from '../../events/erasure/key-eraser.ts'
import { leadCopyStreams } from '../../events/lead/email/copy.ts'
import { leadFlagged } from '../../events/lead/flag.ts'
import type { SpamSignal } from '../../events/lead/form/spam-signals.ts'
import { leadErased, leadReleased } from '../../events/lead/lead.ts'
import { companyPart, NO_COMPANY } from '../../events/settings/company.ts'
import { SETTINGS_STREAM } from '../../events/settings/settings.ts'
import { DELIVERED, json, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { dispatch } from '../email/dispatch.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { change, releaseLead, submitLead } from '../testing/leads.ts'
import { requestCopies } from './visitor-copies.ts'

const CONTRACT = { leadSource: 'contract_premium', businessName: 'Nkosi Bakery', agreedToTerms: true }

let service: TestService
let smtp: TestSmtp
let mail: TestDelivering

beforeAll(async () => {
  service = await openTestService()
  smtp = await openTestSmtp()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestDelivering(service)
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: smtp.url }
  smtp.taken.length = 0
})

afterAll(async () => {
  await mail.close()
  await Promise.all([service.close(), smtp.close()])
})

const submit = (fields: object = {}, spamSignals: SpamSignal[] = []) => submitLead(mail, fields, spamSignals)

/** The copies that were requested, by lead, once every consumer has reached the end of the log. */
const copies = async (now = new Date()) => {
  await mail.viewOf(randomUUID())
  while (
    await requestCopies({ sql: mail.sql, log: mail.log, isOn: mail.delivering.config.smtpUrl !== undefined }, now)
  );
  const rows = await mail.sql<{ id: string; leadId: string }[]>`
    select id, data ->> 'leadId' as "leadId" from events where type = 'LeadCopyRequested' order by position`
  return rows
}

const leadsOf = async (now?: Date) => (await copies(now)).map(({ leadId }) => leadId)

test('quotes and contracts are copied once, whatever is repeated', async () => {
  const leads = [await submit({ leadSource: 'hero_form' }), await submit(), await submit(CONTRACT)]
  expect(await leadsOf()).toEqual(leads)
  await mail.sql`delete from checkpoint_positions where consumer = 'visitor-copies' and position > 0`
  expect(await leadsOf()).toEqual(leads)
})

test('a flagged lead is not copied until staff have released it', async () => {
  const leadId = await submit(CONTRACT, ['too_fast'])
  expect(await leadsOf()).toEqual([])
  await releaseLead(mail, leadId, null)
  expect(await leadsOf()).toEqual([leadId])
})

test('a lead that staff flagged themselves and release again is not copied for that', async () => {
  const leadId = await submit(CONTRACT)
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: undefined }
  expect(await leadsOf()).toEqual([])
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: smtp.url }
  await change(mail, leadId, leadFlagged({ by: randomUUID() }))
  await change(mail, leadId, leadReleased({ by: randomUUID(), emailId: null, undoes: randomUUID() }))
  expect(await leadsOf()).toEqual([])
})

test('leads that staff made from a chat, with another source, or older than a day are not copied', async () => {
  await submit({ leadSource: 'live_chat' })
  await submit({ leadSource: 'somewhere else' })
  expect(await leadsOf()).toEqual([])
  await submit()
  expect(await leadsOf(new Date(Date.now() + 25 * 60 * 60 * 1000))).toEqual([])
})

test('one address gets three copies a day, however it is written, and others still get theirs', async () => {
  const first = []
  for (const email of ['victim@example.com', 'Victim@example.com', 'victim@EXAMPLE.com', 'victim@example.com'])
    first.push(await submit({ email }))
  const other = await submit({ email: 'thandi@example.com' })
  expect(await leadsOf()).toEqual([...first.slice(0, 3), other])
})

test('of the forms that one address sends at once, three are copied', async () => {
  await Promise.all(Array.from({ length: 5 }, () => submit({ email: 'victim@example.com' })))
  expect(await leadsOf()).toHaveLength(3)
})

test('the copy goes only to the visitor by SMTP, and does not change the status of the email to the agency', async () => {
  const leadId = await submit({ ...CONTRACT, name: 'Thandi', email: 'thandi@example.co.za' })
  const [copy] = await copies()
  await dispatch(mail.sql, mail.queue)
  await mail.attempt(copy?.id ?? '')
  expect(service.submissions).toEqual([])
  expect(smtp.taken).toMatchObject([{ to: ['thandi@example.co.za'] }])
  const message = smtp.taken[0]?.message.replace(/\r\n[ \t]+/g, ' ')
  expect(message).toContain(`Subject: Your contract to Karoo Web Studio, reference ${referenceOf(leadId)}`)
  const [outcome] = await mail.sql`select type from events where stream = ${leadCopyStreams.of(leadId)} and version = 2`
  expect(outcome).toEqual({ type: 'EmailSent' })
  expect((await mail.viewOf(leadId))?.emailStatus).toBe('pending')
})

test('without SMTP the service responds to those who sign a contract, once, in the email that the agency gets', async () => {
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: undefined }
  await submit()
  const id = await mail.submitContract({ email: 'ana@example.com' })
  expect(await copies()).toEqual([])
  service.reply(json({ message: 'later' }, 500))
  await mail.attempt(id)
  await mail.setBack(id)
  service.reply(DELIVERED)
  await mail.attempt(id)
  expect(service.submissions).toHaveLength(2)
  const [first, retry] = service.submissions.map(({ fields }) => Object.fromEntries(fields))
  expect(first).toMatchObject({ email: 'ana@example.com', _autoresponse: expect.stringContaining(referenceOf(id)) })
  expect(retry).not.toHaveProperty('_autoresponse')
})

test('without SMTP the service responds to a contract that staff have released from quarantine, too', async () => {
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: undefined }
  const id = await submit({ ...CONTRACT, email: 'ana@example.com' }, ['too_fast'])
  await releaseLead(mail, id, id)
  await mail.viewOf(id)
  await dispatch(mail.sql, mail.queue)
  await mail.attempt(id)
  const [sent] = service.submissions.map(({ fields }) => Object.fromEntries(fields))
  expect(sent).toMatchObject({ email: 'ana@example.com', _autoresponse: expect.stringContaining(referenceOf(id)) })
})

test('the service responds to one address at most three times a day', async () => {
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: undefined }
  const ids = []
  for (let count = 0; count < 4; count += 1) ids.push(await mail.submitContract({ email: 'victim@example.com' }))
  await mail.viewOf(randomUUID())
  for (const id of ids) await mail.attempt(id)
  const answered = service.submissions.map(({ fields }) => '_autoresponse' in Object.fromEntries(fields))
  expect(answered).toEqual([true, true, true, false])
})

test('an erased person gets no copy', async () => {
  const gone = await submit({ email: 'gone@example.co.za' })
  const [copy] = await copies()
  await dispatch(mail.sql, mail.queue)
  await change(mail, gone, leadErased({ by: randomUUID() }))
  while (await eraseKeys(mail.sql));
  await mail.attempt(copy?.id ?? '')
  expect(smtp.taken).toEqual([])
  const [row] = await mail.sql`select state, is_erased from deliveries where event_id = ${copy?.id ?? null}`
  expect(row).toEqual({ state: 'rejected', is_erased: true })
})

test('the copy of a contract names the agency as it was when it was signed, and its guarantees', async () => {
  const set = async (registeredName: string, expectedVersion: number) => {
    const company = { ...NO_COMPANY, registeredName, guarantee: `${registeredName} guarantees it.` }
    const events = [{ id: randomUUID(), ...companyPart.changed({ ...company, by: randomUUID() }) }]
    await mail.log.append({ stream: SETTINGS_STREAM, expectedVersion, events })
  }
  const copyOf = async (leadId: string) => {
    const copy = (await copies()).find((each) => each.leadId === leadId)
    const sender = { agencyName: 'Karoo', agencyEmail: '', publicUrl: 'https://karoo.example' }
    const secret = { resumeUrl: async () => undefined, passwordUrl: async () => undefined }
    return (await readEmail(mail.sql, copy?.id ?? '', { ...sender, ...secret }))?.fields[0]?.[1]
  }
  const first = await submit({ ...CONTRACT, email: 'first@example.com' })
  await set('Old Name', 0)
  const second = await submit({ ...CONTRACT, email: 'second@example.com' })
  await set('New Name', 1)
  expect(await copyOf(first)).not.toMatch(/signed with|guarantee/i)
  expect(await copyOf(second)).toMatch(/You signed with:\nOld Name\s+Our guarantee: Old Name guarantees it/)
  expect(await copyOf(second)).not.toContain('New Name')
})
