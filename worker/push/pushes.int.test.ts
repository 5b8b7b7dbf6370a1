import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { referenceOf } from '../../events/base/reference.ts'
import { parseKeyRing } from '../../events/keys/key-ring.ts'
import { openSubjectKeys } from '../../events/keys/subject-keys.ts'
import { ALERTS } from '../../events/staff/staff.ts'
import { saveAlertSettings } from '../../events/staff/store/alerts.ts'
import {
  readPublicPushKey,
  readPushKeys,
  replaceLostPushKeys,
  rewrapPushKeys,
} from '../../events/staff/store/push-keys.ts'
import { endPushSubscription } from '../../events/staff/store/push-subscriptions.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { openTestPushService } from '../../events/testing/push-service.ts'
import { openPassOver } from '../consumers/pass-over.ts'
import { alertStaff } from '../leads/alerts.ts'
import { openTestDevices, type TestDevices } from '../testing/devices.ts'
import { ALWAYS, answerLead, hire, inMinutes, neverClose, submitLead } from '../testing/leads.ts'
import { pushToDevices, repairPushKeys } from './pushes.ts'

/** All alerts except those of a subject. */
const without = (subject: string) => ALERTS.filter((alert) => !alert.startsWith(subject))

let service: TestService
let devices: TestDevices
let push: TestDevices['push']
let mail: TestDevices['mail']
let signIn: TestDevices['signIn']
let subscribe: TestDevices['subscribe']
let give: TestDevices['give']
let owner: string
let agent: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await devices?.close()
  devices = await openTestDevices(service)
  ;({ push, mail, signIn, subscribe, give } = devices)
  await neverClose(mail)
  owner = await hire(mail, 'owner')
  agent = await hire(mail, 'agent')
})

afterAll(async () => {
  await Promise.all([devices.close(), service.close()])
})

const submit = async () => {
  const leadId = await submitLead(mail, { name: 'Ana Botha' })
  await mail.viewOf(leadId)
  return leadId
}

const answer = (leadId: string) => answerLead(mail, leadId, owner)

const passOver = openPassOver({ logger: { warn: () => {} } })

/** A sweep of the alerts, without SMTP. */
const sweep = (now = inMinutes(1)) =>
  alertStaff({ sql: mail.sql, log: mail.log, hours: ALWAYS, canEmail: false, passOver }, { now })

const warned: (object | string)[] = []
const pushing = (testOrigins = [push.origin]) => ({
  sql: mail.sql,
  logger: { warn: (what: object | string) => warned.push(what) },
  config: { agencyEmail: 'inbox@agency.example', pushTestOrigins: testOrigins },
})
const sendAll = async (testOrigins?: string[]) => {
  while (await pushToDevices(pushing(testOrigins)));
}

const endpoints = async () => {
  const rows = await mail.sql<{ endpoint: string }[]>`select endpoint from push_subscriptions order by endpoint`
  return rows.map(({ endpoint }) => endpoint)
}

test('every device of those who asked is notified once of a new lead, whichever worker looks and however often', async () => {
  const devices = [await give(owner), await give(agent), await give(agent)]
  const leadId = await submit()
  await Promise.all([sweep(), sweep(), sweep()])
  await Promise.all([sendAll(), sendAll(), sendAll()])
  await sweep()
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

test('only owners are notified after 90 minutes without a reply', async () => {
  const [ofOwner] = [await give(owner), await give(agent)]
  await saveAlertSettings(mail.sql, owner, { email: null, alerts: without('new') })
  await saveAlertSettings(mail.sql, agent, { email: null, alerts: without('new') })
  const leadId = await submit()
  await sweep(inMinutes(89))
  await sendAll()
  expect(push.taken).toEqual([])
  await sweep(inMinutes(91))
  await sendAll()
  expect(push.taken.map(({ body }) => ofOwner.open(body))).toEqual([
    { title: 'No answer for 90 minutes', body: `Reference ${referenceOf(leadId)}`, leadId },
  ])
})

test('no notification about a lead that was answered since then or is old, nor to those who were removed or no longer want any', async () => {
  const device = await give(agent)
  await give(owner)
  const answered = await submit()
  await sweep()
  await answer(answered)
  await sendAll()
  await submit()
  await sweep()
  await endPushSubscription(mail.sql, agent, device.endpoint)
  await mail.sql`update staff set removed_at = now() where id = ${owner}`
  await sendAll()
  await subscribe(agent, device)
  await submit()
  await sweep()
  await pushToDevices(pushing(), { now: () => inMinutes(61) })
  expect(push.taken).toEqual([])
})

test('a device is not notified after the end of the session by which it asked, also if another session ended it', async () => {
  const [ended, over, unproved, standing] = [push.device(), push.device(), push.device(), push.device()]
  const [first, second, third] = [await signIn(owner), await signIn(owner), await signIn(agent)]
  await subscribe(owner, ended, first)
  await subscribe(owner, over, second)
  await subscribe(agent, unproved, third)
  const stays = await hire(mail, 'agent')
  await subscribe(stays, standing)
  await submit()
  await sweep()
  await mail.sql`delete from staff_sessions where token_hash = ${first}`
  await mail.sql`update staff_sessions set expires_at = now() where token_hash = ${second}`
  // unused for long it lets no one in, and yet the phone in a pocket is notified
  await mail.sql`update staff_sessions set last_seen_at = now() - interval '2 days' where staff_id = ${stays}`
  await mail.sql`update staff set totp_event = gen_random_uuid() where id = ${agent}`
  await sendAll()
  expect(push.taken.map(({ path }) => push.origin + path)).toEqual([standing.endpoint])
  expect(await endpoints()).not.toContain(ended.endpoint)
  await mail.sql`delete from staff_sessions where staff_id = ${stays}`
  await submit()
  await sweep()
  expect(await mail.sql`select 1 from events where type = 'LeadPushRequested'`).toHaveLength(3)
})

test('a person is not notified of leads from before they asked', async () => {
  await submit()
  await give(owner)
  await sweep()
  await sendAll()
  expect(push.taken).toEqual([])
})

test('a device that its service no longer knows is removed; a busy service is tried three times, and the device stays', async () => {
  const [gone, missing, busy] = [await give(owner), await give(owner), await give(owner)]
  const statuses = new Map([
    [gone.endpoint, 410],
    [missing.endpoint, 404],
    [busy.endpoint, 503],
  ])
  push.reply((path, response) => response.writeHead(statuses.get(push.origin + path) ?? 201).end())
  await submit()
  await sweep()
  await sendAll()
  expect(await endpoints()).toEqual([busy.endpoint])
  expect(push.taken.filter(({ path }) => busy.endpoint.endsWith(path))).toHaveLength(3)
})

test('a service that does not respond is retried, the device stays, and no other is delayed', async () => {
  const [silent, other] = [await give(owner), await give(agent)]
  push.reply((path, response) => {
    if (other.endpoint.endsWith(path)) response.writeHead(201).end()
  })
  await submit()
  await sweep()
  let alive = 0
  const onAlive = () => {
    alive += 1
  }
  while (await pushToDevices({ ...pushing(), timeoutMs: 100 }, { onAlive }));
  const paths = push.taken.map(({ path }) => push.origin + path)
  expect(paths.filter((endpoint) => endpoint === silent.endpoint)).toHaveLength(2)
  expect(paths.filter((endpoint) => endpoint === other.endpoint)).toHaveLength(1)
  expect(alive).toBe(3)
  expect(await endpoints()).toHaveLength(2)
  expect(warned).toContainEqual(expect.objectContaining({ outcome: 'silent' }))
})

test('a lead that is answered while its service hangs is not sent again, nor to a device that was removed', async () => {
  const [first, second] = [await give(owner), await give(agent)]
  const leadId = await submit()
  await sweep()
  // once both are on their way: a busy machine may send them one after the other
  push.reply(() => {
    if (push.taken.length === 2) void answer(leadId)
  })
  while (await pushToDevices({ ...pushing(), timeoutMs: 1_000 }));
  expect(push.taken).toHaveLength(2)
  push.taken.length = 0
  await endPushSubscription(mail.sql, owner, first.endpoint)
  await submit()
  await sweep()
  push.reply(() => void endPushSubscription(mail.sql, agent, second.endpoint))
  while (await pushToDevices({ ...pushing(), timeoutMs: 1_000 }));
  expect(push.taken).toHaveLength(1)
})

test('a step takes only a few requests, so that a worker that dies loses no others', async () => {
  await give(owner)
  await Promise.all(Array.from({ length: 12 }, () => submit()))
  await sweep()
  expect(await pushToDevices(pushing())).toBe(true)
  expect(push.taken).toHaveLength(10)
  await sendAll()
  expect(push.taken).toHaveLength(12)
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
  await sweep()
  await sendAll()
  expect(push.taken).toHaveLength(1)
  expect(inside.taken).toEqual([])
  expect(await endpoints()).toHaveLength(4)
  await inside.close()
})

test('a device with an invalid key is removed, and others are still notified', async () => {
  const device = await give(owner)
  const noPoint = Buffer.alloc(65, 4).toString('base64url')
  await subscribe(owner, { endpoint: `${push.origin}/no-point`, keys: { ...device.keys, p256dh: noPoint } })
  await submit()
  await sweep()
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
  // another process has that key: it is not lost
  await mail.sql`insert into ring_keys (id) values (${ring.active.id}) on conflict do nothing`
  await expect(replaceLostPushKeys(mail.sql, openSubjectKeys(alone))).rejects.toThrow('DATA_KEY lacks the key')
  await rewrapPushKeys(mail.sql, { active: alone.active, byId: new Map([...alone.byId, ...ring.byId]) })
  expect(await readPushKeys(mail.sql, alone)).toEqual(keys[0])
})

test('keys that cannot be opened are replaced, with one line about it, and devices are notified again once they have asked', async () => {
  const lost = parseKeyRing(Buffer.alloc(32, 'lost').toString('base64')) ?? expect.fail()
  const before = await readPublicPushKey(mail.sql, lost)
  const device = await give(agent)
  await submit()
  await sweep()
  warned.length = 0
  await Promise.all([sendAll(), sendAll()])
  await repairPushKeys(pushing())
  expect(push.taken).toEqual([])
  expect(warned).toEqual([expect.stringMatching(/^no DATA_KEY opened the keys of notifications: there are new ones/)])
  expect(await endpoints()).toEqual([])
  const { publicKey } = await readPushKeys(mail.sql, mail.sql.keys?.ring ?? expect.fail())
  expect(publicKey).not.toBe(before)
  await subscribe(agent, device)
  await submit()
  await sweep()
  await sendAll()
  expect(push.taken.map((taken) => taken.publicKey)).toEqual([publicKey])
})

test('a lead whose key is lost delays no other, neither at the request nor when it is sent', async () => {
  const device = await give(agent)
  const before = await submit()
  await sweep()
  const lost = await submit()
  await sweep()
  await mail.sql`delete from subject_keys where subject_id = any(${[before, lost]}::uuid[])`
  const later = await submit()
  await sweep()
  warned.length = 0
  await sendAll()
  expect(push.taken.map(({ body }) => device.open(body))).toEqual([
    { title: 'New lead', body: `Reference ${referenceOf(later)}`, leadId: later },
  ])
  expect(warned).toContainEqual(expect.objectContaining({ outcome: 'unreadable' }))
})

test('a lead whose key is lost does not stop notifications about later ones', async () => {
  await give(agent)
  const lost = await submit()
  const later = await submit()
  await mail.sql`delete from subject_keys where subject_id = ${lost}`
  await sweep()
  const rows = await mail.sql`select distinct data ->> 'leadId' as id from events where type = 'LeadPushRequested'`
  expect(rows).toEqual([{ id: later }])
})
