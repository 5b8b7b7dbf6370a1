import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sampleLeadForm } from '../../events/fixtures/samples.ts'
import { leadFollowUpChanged } from '../../events/follow-up.ts'
import { leadStreams, submitLead } from '../../events/lead.ts'
import { openTestService, type TestService } from '../../events/local/test-email-service.ts'
import { openTestPushService, type TestPushService } from '../../events/local/test-push-service.ts'
import { parseKeyRing } from '../../events/log/key-ring.ts'
import { readPublicPushKey, readPushKeys, rewrapPushKeys } from '../../events/log/push-keys.ts'
import { endPushSubscription, savePushSubscription } from '../../events/log/push-subscriptions.ts'
import { saveAlertSettings } from '../../events/log/staff-alerts.ts'
import type { PushSubscription } from '../../events/process/push.ts'
import { referenceOf } from '../../events/reference.ts'
import { SETTINGS_STREAM, supportHoursChanged } from '../../events/settings.ts'
import { openTestForwarding, type TestForwarding } from '../email/test-forwarding.ts'
import { alertStaff } from '../lead-alerts.ts'
import { preparePushes, pushToDevices } from './pushes.ts'

const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], opensAtMinute: 0, closesAtMinute: 24 * 60 }
const MINUTE_MS = 60_000

let service: TestService
let push: TestPushService
let mail: TestForwarding
let owner: string
let agent: string

const hire = async (role: 'owner' | 'agent') => {
  const id = randomUUID()
  await mail.sql`
    insert into staff (id, username, display_name, password_hash, role) values (${id}, ${id}, 'Somebody', '', ${role})`
  return id
}

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await Promise.all([mail?.close(), push?.close()])
  mail = await openTestForwarding(service)
  push = await openTestPushService()
  await preparePushes(mail.sql)
  const events = [{ id: randomUUID(), ...supportHoursChanged({ ...ALWAYS, by: randomUUID() }) }]
  await mail.log.append({ stream: SETTINGS_STREAM, expectedVersion: 'any', events })
  owner = await hire('owner')
  agent = await hire('agent')
})

afterAll(async () => {
  await Promise.all([mail.close(), push.close(), service.close()])
})

const subscribe = async (staffId: string, device: PushSubscription) => {
  await savePushSubscription(mail.sql, staffId, { endpoint: device.endpoint, keys: device.keys })
}

/** A device of somebody. */
const give = async (staffId: string) => {
  const device = push.device()
  await subscribe(staffId, device)
  return device
}

const submit = async () => {
  const leadId = randomUUID()
  const circumstances = { touches: { firstTouch: null, lastTouch: null }, suspicions: [] }
  const event = submitLead({ leadId, form: sampleLeadForm({ name: 'Ana Botha' }) }, circumstances)
  await mail.log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events: [{ id: leadId, ...event }] })
  await mail.viewOf(leadId)
  return leadId
}

const answer = (leadId: string) =>
  mail.log.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadFollowUpChanged({ by: owner, followUpStatus: 'contacted' }) }],
  })

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS)

/** A round of the alerts, without SMTP. */
const round = (now = inMinutes(1)) =>
  alertStaff({ sql: mail.sql, log: mail.log, hours: ALWAYS, canEmail: false }, { now })

const warned: object[] = []
const pushing = (testOrigins = [push.origin]) => ({
  sql: mail.sql,
  logger: { warn: (what: object) => warned.push(what) },
  config: { agencyEmail: 'inbox@agency.example', pushTestOrigins: testOrigins },
})
const sendAll = async (testOrigins?: string[]) => {
  while (await pushToDevices(pushing(testOrigins)));
}

const endpoints = async () => {
  const rows = await mail.sql<{ endpoint: string }[]>`select endpoint from push_subscriptions order by endpoint`
  return rows.map(({ endpoint }) => endpoint)
}

test('every device of those who asked is told once of a new lead, whichever worker looks and however often', async () => {
  const devices = [await give(owner), await give(agent), await give(agent)]
  const leadId = await submit()
  await Promise.all([round(), round(), round()])
  await Promise.all([sendAll(), sendAll(), sendAll()])
  await round()
  await sendAll()
  const paths = devices.map(({ endpoint }) => new URL(endpoint).pathname)
  expect(push.taken.map(({ path }) => path).sort()).toEqual(paths.sort())
  const { publicKey } = await readPushKeys(mail.sql, mail.sql.keys?.ring ?? expect.fail())
  for (const { path, headers, body, claims, publicKey: named } of push.taken) {
    const device = devices.find(({ endpoint }) => endpoint.endsWith(path))
    expect(device?.open(body)).toEqual({ title: 'New lead', body: `Reference ${referenceOf(leadId)}`, leadId })
    expect(claims).toMatchObject({ aud: push.origin, sub: 'mailto:inbox@agency.example' })
    expect(claims?.exp).toBeLessThan(Date.now() / 1000 + 24 * 60 * 60)
    expect(named).toBe(publicKey)
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '3600', urgency: 'high' })
    expect(headers.topic).toMatch(/^[\w-]{32}$/)
    expect(body.toString('latin1')).not.toContain('Ana')
  }
})

test('owners alone are told after 90 minutes without an answer', async () => {
  const [ofOwner] = [await give(owner), await give(agent)]
  await saveAlertSettings(mail.sql, owner, { email: null, onNew: false, onLate: true })
  await saveAlertSettings(mail.sql, agent, { email: null, onNew: false, onLate: true })
  const leadId = await submit()
  await round(inMinutes(89))
  await sendAll()
  expect(push.taken).toEqual([])
  await round(inMinutes(91))
  await sendAll()
  expect(push.taken.map(({ body }) => ofOwner.open(body))).toEqual([
    { title: 'No answer for 90 minutes', body: `Reference ${referenceOf(leadId)}`, leadId },
  ])
})

test('nobody is told of a lead that was answered meanwhile, nor who was removed or wants no more, nor of old news', async () => {
  const device = await give(agent)
  await give(owner)
  const answered = await submit()
  await round()
  await answer(answered)
  await sendAll()
  await submit()
  await round()
  await endPushSubscription(mail.sql, agent, device.endpoint)
  await mail.sql`update staff set removed_at = now() where id = ${owner}`
  await sendAll()
  await subscribe(agent, device)
  await submit()
  await round()
  await pushToDevices(pushing(), inMinutes(61))
  expect(push.taken).toEqual([])
})

test('leads from before somebody asked are no news to them', async () => {
  await submit()
  await give(owner)
  await round()
  await sendAll()
  expect(push.taken).toEqual([])
})

test('a device that its service knows no more is forgotten; a busy service is tried three times, and keeps the device', async () => {
  const [gone, missing, busy] = [await give(owner), await give(owner), await give(owner)]
  const statuses = new Map([
    [gone.endpoint, 410],
    [missing.endpoint, 404],
    [busy.endpoint, 503],
  ])
  push.reply((path, response) => response.writeHead(statuses.get(push.origin + path) ?? 201).end())
  await submit()
  await round()
  await sendAll()
  expect(await endpoints()).toEqual([busy.endpoint])
  expect(push.taken.filter(({ path }) => busy.endpoint.endsWith(path))).toHaveLength(3)
})

test('no redirect is followed, and nothing within the own network is reached', async () => {
  const inside = await openTestPushService()
  push.reply((_, response) => response.writeHead(307, { location: `${inside.origin}/secret` }).end())
  await give(owner)
  for (const endpoint of [
    `${inside.origin}/x`,
    `https://127.0.0.1:${new URL(inside.origin).port}/x`,
    'https://localhost/x',
  ])
    await subscribe(owner, { ...inside.device(), endpoint })
  await submit()
  await round()
  await sendAll()
  expect(push.taken).toHaveLength(1)
  expect(inside.taken).toEqual([])
  expect(await endpoints()).toHaveLength(4)
  await inside.close()
})

test('a device whose key is none is forgotten, and others are told all the same', async () => {
  const device = await give(owner)
  const noPoint = Buffer.alloc(65, 4).toString('base64url')
  await subscribe(owner, { endpoint: `${push.origin}/no-point`, keys: { ...device.keys, p256dh: noPoint } })
  await submit()
  await round()
  await sendAll()
  expect(push.taken).toHaveLength(1)
  expect(await endpoints()).toEqual([device.endpoint])
})

test('all have one key pair, whose private half another DATA_KEY opens only after a rewrap', async () => {
  const ring = mail.sql.keys?.ring ?? expect.fail()
  const keys = await Promise.all(Array.from({ length: 5 }, () => readPushKeys(mail.sql, ring)))
  expect(new Set(keys.map(({ privateKey }) => privateKey)).size).toBe(1)
  expect(await readPublicPushKey(mail.sql, ring)).toBe(keys[0]?.publicKey)
  const [row] = await mail.sql<{ wrapped: Buffer }[]>`select wrapped from push_keys`
  expect(row?.wrapped.includes(Buffer.from(keys[0]?.privateKey ?? '', 'base64url'))).toBe(false)
  const next = Buffer.alloc(32, 'next').toString('base64')
  const alone = parseKeyRing(next) ?? expect.fail()
  await expect(readPushKeys(mail.sql, alone)).rejects.toThrow('DATA_KEY lacks the key')
  await rewrapPushKeys(mail.sql, { active: alone.active, byId: new Map([...alone.byId, ...ring.byId]) })
  expect(await readPushKeys(mail.sql, alone)).toEqual(keys[0])
})
