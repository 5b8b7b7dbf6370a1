import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { referenceOf } from '../../events/base/reference.ts'
import { destroyKeys } from '../../events/keys/subject-keys.ts'
import { enterLead } from '../../events/lead/entry.ts'
import type { SpamSignal } from '../../events/lead/form/spam-signals.ts'
import { leadErased, leadReleased, leadStreams } from '../../events/lead/lead.ts'
import { readEvent } from '../../events/log/read.ts'
import { ALERTS } from '../../events/staff/staff.ts'
import { readAlertSettings, saveAlertSettings } from '../../events/staff/store/alerts.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { openPassOver } from '../consumers/pass-over.ts'
import { dispatch } from '../email/dispatch.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { ALWAYS, answerLead, change, hire, inMinutes, MINUTE_MS, neverClose, submitLead } from '../testing/leads.ts'
import { alertStaff } from './alerts.ts'

const BY_DAY = { ...ALWAYS, opensAtMinute: 8 * 60, closesAtMinute: 17 * 60 }

/** All alerts except those of a subject. */
const without = (subject: string) => ALERTS.filter((alert) => !alert.startsWith(subject))

let service: TestService
let smtp: TestSmtp
let mail: TestDelivering
let owner: string
let agent: string

const hireAlerted = async (role: 'owner' | 'agent') => {
  const id = await hire(mail, role)
  await saveAlertSettings(mail.sql, id, { email: `${role}@agency.example`, alerts: [...ALERTS] })
  return id
}

beforeAll(async () => {
  service = await openTestService()
  smtp = await openTestSmtp()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestDelivering(service)
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: smtp.url }
  smtp.taken.length = 0
  await neverClose(mail)
  owner = await hireAlerted('owner')
  agent = await hireAlerted('agent')
})

afterAll(async () => {
  await mail.close()
  await Promise.all([service.close(), smtp.close()])
})

const submit = (spamSignals: SpamSignal[] = []) => submitLead(mail, { name: 'Ana Botha' }, spamSignals)
const answer = (leadId: string) => answerLead(mail, leadId, owner)

const sweep = (now: Date, hours = ALWAYS) =>
  alertStaff(
    { sql: mail.sql, log: mail.log, hours, canEmail: true, passOver: openPassOver({ logger: { warn: () => {} } }) },
    { now },
  )

/** The alerts that were requested, once the views have reached the end of the log and a sweep is over. */
const alerts = async (now = inMinutes(1), hours = ALWAYS) => {
  await mail.viewOf(randomUUID())
  await sweep(now, hours)
  const rows = await mail.sql<{ id: string; leadId: string; accountId: string; alert: string }[]>`
    select id, data ->> 'leadId' as "leadId", data ->> 'accountId' as "accountId", data ->> 'alert' as alert
    from events where type = 'LeadAlertRequested' order by position`
  return rows
}
const told = async (...when: Parameters<typeof alerts>) =>
  (await alerts(...when)).map(({ leadId, accountId, alert }) => `${alert} ${leadId} ${accountId}`).sort()
const wanted = (...rows: [alert: string, leadId: string, accountId: string][]) =>
  rows.map((row) => row.join(' ')).sort()

test('everyone who wants it is notified of a new lead once, however many workers look and however often', async () => {
  const leadId = await submit()
  await mail.viewOf(leadId)
  await Promise.all([sweep(inMinutes(1)), sweep(inMinutes(1)), sweep(inMinutes(1))])
  const all = wanted(['new', leadId, owner], ['new', leadId, agent])
  expect(await told()).toEqual(all)
  expect(await told()).toEqual(all)
})

test('imported leads send no alert', async () => {
  const leadId = randomUUID()
  const person = { name: 'Zola', email: 'zola@example.com', phone: '', leadSource: 'import' }
  const event = enterLead(leadId, person, { by: owner, followUpStatus: 'new', importId: randomUUID() })
  await mail.log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [{ id: leadId, ...event }] })
  expect(await told(inMinutes(100))).toEqual([])
})

test('a form that calls itself an import sends one', async () => {
  const leadId = await submitLead(mail, { name: 'Ana Botha', leadSource: 'import' })
  expect(await told()).toEqual(wanted(['new', leadId, owner], ['new', leadId, agent]))
})

test('only owners are notified after 90 minutes without a reply, once', async () => {
  const leadId = await submit()
  const fresh = wanted(['new', leadId, owner], ['new', leadId, agent])
  expect(await told(inMinutes(89))).toEqual(fresh)
  const all = [...fresh, ...wanted(['late', leadId, owner])].sort()
  expect(await told(inMinutes(91))).toEqual(all)
  expect(await told(inMinutes(200))).toEqual(all)
})

test('at night no alert goes out; once the hours begin it does', async () => {
  const leadId = await submit()
  const tomorrow = new Date(Date.now() + 24 * 60 * MINUTE_MS)
  const [night, morning] = [1, 6.5].map((hour) => new Date(tomorrow.setUTCHours(hour, (hour % 1) * 60, 0, 0)))
  await saveAlertSettings(mail.sql, owner, { email: null, alerts: [...ALERTS] })
  expect(await told(night, BY_DAY)).toEqual([])
  expect(await told(morning, BY_DAY)).toEqual(wanted(['new', leadId, agent]))
})

test('no flagged, no answered and no erased lead sends an alert; a flagged lead does once staff have released it', async () => {
  const [flagged, answered, erased] = [await submit(['too_fast']), await submit(), await submit()]
  await answer(answered)
  await change(mail, erased, leadErased({ by: owner }))
  expect(await told(inMinutes(100))).toEqual([])
  await change(mail, flagged, leadReleased({ by: owner, emailId: null }))
  expect(await told()).toEqual(wanted(['new', flagged, owner], ['new', flagged, agent]))
})

test('a lead that is answered after the view was read sends none', async () => {
  const leadId = await submit()
  await mail.viewOf(leadId)
  await answer(leadId)
  await sweep(inMinutes(1))
  const [row] = await mail.sql`select count(*)::integer as count from events where type = 'LeadAlertRequested'`
  expect(row).toEqual({ count: 0 })
})

test('no person is notified of leads from before they asked for it, nor without asking', async () => {
  const before = await submit()
  await saveAlertSettings(mail.sql, owner, { email: null, alerts: [...ALERTS] })
  await saveAlertSettings(mail.sql, owner, { email: 'owner@agency.example', alerts: without('late') })
  await saveAlertSettings(mail.sql, agent, { email: 'agent@agency.example', alerts: without('new') })
  const after = await submit()
  expect(await told(inMinutes(100))).toEqual(wanted(['new', after, owner]))
  expect(before).not.toBe(after)
  expect(await readAlertSettings(mail.sql, agent)).toEqual({
    email: 'agent@agency.example',
    alerts: without('new'),
  })
})

test('a person who has been removed, or no longer wants alerts, gets none that was requested before', async () => {
  await submit()
  const asked = await alerts()
  await dispatch(mail.sql, mail.queue)
  await mail.sql`update staff set removed_at = now() where id = ${owner}`
  await saveAlertSettings(mail.sql, agent, { email: null, alerts: [...ALERTS] })
  for (const { id } of asked) await mail.attempt(id)
  expect(smtp.taken).toEqual([])
  expect(await mail.sql`select kind from delivery_tries`).toEqual([{ kind: 'unwanted' }, { kind: 'unwanted' }])
})

test('an alert goes by the chosen ways alone, and not once it is switched off', async () => {
  await saveAlertSettings(mail.sql, owner, {
    email: 'owner@agency.example',
    alerts: ['new-page', 'new-device', 'late-email'],
  })
  const leadId = await submit()
  expect(await told()).toEqual(wanted(['new', leadId, agent]))
  await dispatch(mail.sql, mail.queue)
  await saveAlertSettings(mail.sql, agent, { email: 'agent@agency.example', alerts: without('new-email') })
  for (const { id } of await alerts(inMinutes(91))) await mail.attempt(id)
  expect(smtp.taken).toEqual([])
  await dispatch(mail.sql, mail.queue)
  for (const { id } of await alerts(inMinutes(91))) await mail.attempt(id)
  expect(smtp.taken.map(({ to }) => to[0])).toEqual(['owner@agency.example'])
})

test('a former owner gets nothing that is for owners, even if it was requested before', async () => {
  const leadId = await submit()
  const asked = await alerts(inMinutes(91))
  await dispatch(mail.sql, mail.queue)
  await mail.sql`update staff set role = 'agent' where id = ${owner}`
  for (const { id } of asked) await mail.attempt(id)
  // both are notified of the new lead as before
  expect(smtp.taken.map(({ to }) => to[0]).sort()).toEqual(['agent@agency.example', 'owner@agency.example'])
  expect(await mail.sql`select kind from delivery_tries order by kind`).toEqual([
    { kind: 'delivered' },
    { kind: 'delivered' },
    { kind: 'unwanted' },
  ])
  expect(await told(inMinutes(91))).toContainEqual(wanted(['late', leadId, owner])[0])
})

test('an alert has its own data key; none goes out about a lead that was erased since then', async () => {
  const leadId = await submit()
  const asked = await alerts()
  await dispatch(mail.sql, mail.queue)
  await destroyKeys(mail.sql, TEST_KEYS, [leadId])
  for (const { id } of asked) {
    expect(await readEvent(mail.sql, id)).toMatchObject({ subjectId: id, personal: { to: expect.any(String) } })
    await mail.attempt(id)
  }
  expect(smtp.taken).toEqual([])
  expect(await mail.sql`select kind from delivery_tries`).toEqual([{ kind: 'erased' }, { kind: 'erased' }])
})

test('the email goes only to the person, with a link; it is not sent if a colleague has replied since then', async () => {
  await saveAlertSettings(mail.sql, agent, { email: 'agent@agency.example', alerts: without('new') })
  const [open, answered] = [await submit(), await submit()]
  const asked = await alerts()
  await dispatch(mail.sql, mail.queue)
  await answer(answered)
  for (const { id } of asked) await mail.attempt(id)
  expect(smtp.taken).toMatchObject([{ to: ['owner@agency.example'] }])
  const message = smtp.taken[0]?.message.replace(/=\r\n/g, '').replace(/\r\n[ \t]+/g, ' ')
  expect(message).toContain(`reference ${referenceOf(open)}`)
  expect(message).toContain('Ana Botha')
  const rows = await mail.sql`
    select d.state, d.recipient, t.kind from deliveries d join delivery_tries t using (event_id) order by event_position`
  expect(rows).toEqual(
    asked.map(({ leadId }) => ({
      state: 'delivered',
      recipient: 'staff',
      kind: leadId === answered ? 'answered' : 'delivered',
    })),
  )
})
