import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ACCOUNTS_STREAM, webhookChanged } from '../../events/account-history.ts'
import { chatEnded, chatStarted, chatStreams } from '../../events/chat.ts'
import { leadFollowUpChanged } from '../../events/follow-up.ts'
import { leadErased, leadReleased, leadStreams, submitLead } from '../../events/lead.ts'
import { leadsMerged, leadsUnmerged, mergeStreams } from '../../events/lead-merge.ts'
import { prepareCheckpoint, readPosition } from '../../events/log/checkpoints.ts'
import { inTransaction } from '../../events/log/connection.ts'
import { parseKeyRing } from '../../events/log/key-ring.ts'
import { destroyKeys } from '../../events/log/subject-keys.ts'
import {
  editWebhook,
  insertWebhook,
  listWebhooks,
  pauseWebhook,
  readReceiver,
  removeWebhook,
  rewrapWebhookSecrets,
  rotateSecret,
} from '../../events/log/webhooks.ts'
import { WEBHOOKS } from '../../events/projections/readers.ts'
import {
  AT_ONCE,
  deliveryIdOf,
  dueWebhookDeliveries,
  tidyWebhookDeliveries,
} from '../../events/projections/webhook-deliveries.ts'
import { listWebhookDeliveries } from '../../events/projections/webhook-log.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { isSignedBy, openTestReceiver, type TestReceiver } from '../../events/testing/receiver.ts'
import { WEBHOOK_RESENDS, webhookResendRequested } from '../../events/webhook.ts'
import { WEBHOOK_TOPICS, type WebhookTopic } from '../../events/webhook-form.ts'
import { openTestForwarding, type TestForwarding } from '../email/test-forwarding.ts'
import { noteForWebhooks, prepareWebhooks } from './note.ts'
import { pauseAfter, tell } from './send.ts'

let service: TestService
let mail: TestForwarding
let receiver: TestReceiver
let owner: string

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

beforeEach(async () => {
  mail = await openTestForwarding(service)
  receiver = await openTestReceiver()
  await prepareWebhooks(mail.sql)
  owner = randomUUID()
  await mail.sql`
    insert into staff (id, username, display_name, password_hash, role) values (${owner}, 'thandi', 'Thandi', '', 'owner')`
})
afterEach(async () => {
  await Promise.all([mail.close(), receiver.close()])
})

/** The first pause is 5 seconds, and a fifth of it by chance. */
const FIRST_PAUSE_MS = 6_000
/** How long one that hangs is waited for here. */
const HANGS_MS = 2_000

const ring = () => mail.sql.keys?.ring ?? expect.fail()

const add = async (url = `${receiver.origin}/hook`, topics: WebhookTopic[] = [...WEBHOOK_TOPICS]) =>
  (await insertWebhook(mail.sql, ring(), { url, topics }, owner)) ?? expect.fail()

const append = (stream: string, ...events: Parameters<TestForwarding['log']['append']>[0]['events']) =>
  mail.log.append({ stream, expectedVersion: 'any', events })

const submit = async (fields: object = {}, spamSignals: 'trap'[] = []) => {
  const leadId = randomUUID()
  const form = { ...sampleLeadForm({ name: 'Ana Botha', email: 'ana@example.com' }), ...fields }
  const event = submitLead({ leadId, form }, { touches: { firstTouch: null, lastTouch: null }, spamSignals })
  await append(leadStreams.of(leadId), { id: leadId, ...event })
  return leadId
}

const change = (leadId: string, status: 'won' | 'quoted') =>
  append(leadStreams.of(leadId), {
    id: randomUUID(),
    ...leadFollowUpChanged({ by: owner, followUpStatus: status }),
  })

const warned: object[] = []
const telling = (origins = [receiver.origin], timeoutMs?: number) => ({
  ...(timeoutMs && { timeoutMs }),
  sql: mail.sql,
  log: mail.log,
  logger: { warn: (what: object) => warned.push(what) },
  config: { pushTestOrigins: origins },
})

const note = async () => {
  while (await noteForWebhooks(mail.sql, { addDue: async () => {} }));
}
/** Sends all that is due once. */
const sendDue = async (origins?: string[], timeoutMs?: number) => {
  await note()
  for (let ids = await dueWebhookDeliveries(mail.sql); ids.length > 0; ids = await dueWebhookDeliveries(mail.sql)) {
    await Promise.all(ids.map((id) => tell(telling(origins, timeoutMs), id)))
  }
}
/** Lets so much time pass that all tries are due, and those before count as older. */
const wait = (hours: number) =>
  mail.sql.begin((tx) => [
    tx`update webhook_deliveries set due_at = now() where state = 'waiting'`,
    tx`update webhook_deliveries set first_tried_at = first_tried_at - ${hours} * interval '1 hour'`,
    tx`update webhooks set failing_since = failing_since - ${hours} * interval '1 hour'`,
  ])
const list = async () =>
  (await listWebhookDeliveries(mail.sql, { webhookId: undefined, state: undefined, limit: 50, after: undefined })).page
const ask = (id: string) =>
  append(WEBHOOK_RESENDS, { id: randomUUID(), ...webhookResendRequested({ deliveryId: id, by: owner }) })

test('leads and chats are told once each, signed, under the id of their delivery, with what the webhook asked for', async () => {
  const { id, secret } = await add()
  await add(`${receiver.origin}/won`, ['lead.won'])
  const leadId = await submit()
  await change(leadId, 'won')
  const chatId = randomUUID()
  const personal = { visitorName: 'Sam', visitorEmail: null, pageUrl: '/', userAgent: null }
  await append(chatStreams.of(chatId), { id: chatId, ...chatStarted({}, { subjectId: chatId, personal }) })
  await append(chatStreams.of(chatId), { id: randomUUID(), ...chatEnded({ endedBy: 'visitor' }) })
  await Promise.all([note(), note(), note()])
  await Promise.all([sendDue(), sendDue()])
  const told = receiver.taken.filter(({ path }) => path === '/hook')
  expect(told.every((message) => isSignedBy(message, secret))).toBe(true)
  expect(told.some((message) => isSignedBy({ ...message, body: `${message.body} ` }, secret))).toBe(false)
  const bodies = told.map(({ body }) => JSON.parse(body)).sort((a, b) => a.type.localeCompare(b.type))
  expect(bodies.map(({ type }) => type)).toEqual([
    'chat.ended',
    'chat.started',
    'lead.changed',
    'lead.created',
    'lead.won',
  ])
  expect(bodies[0].data.chat).toMatchObject({ sessionId: chatId, visitorName: 'Sam', isActive: false })
  expect(bodies[2].data).toMatchObject({ lead: { id: leadId, name: 'Ana Botha' }, change: { followUpStatus: 'won' } })
  const created = told.find(({ body }) => JSON.parse(body).type === 'lead.created')
  expect(created?.headers['webhook-id']).toBe(deliveryIdOf(id, leadId, 'lead.created'))
  expect(receiver.taken.filter(({ path }) => path === '/won').map(({ body }) => JSON.parse(body).type)).toEqual([
    'lead.won',
  ])
  expect((await list()).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true)
  expect(JSON.stringify(await mail.sql`select * from webhook_deliveries`)).not.toContain('Ana')
})

test('a merge is told of both leads, each as staff see it, and so is one that is taken back', async () => {
  const [staying, gone] = [await submit(), await submit({ name: 'Anna Botha-Nel' })]
  await add(undefined, ['lead.changed'])
  const mergeId = randomUUID()
  const merged = leadsMerged({ by: owner, into: staying, takes: ['name'] })
  await append(mergeStreams.of(gone), { id: mergeId, ...merged })
  await Promise.all([sendDue(), sendDue()])
  const told = () => new Map(receiver.bodies().map(({ type, data }) => [data.lead.id, { type, ...data.lead }]))
  expect(receiver.taken).toHaveLength(2)
  expect(told().get(staying)).toMatchObject({ type: 'lead.changed', name: 'Anna Botha-Nel' })
  expect(told().get(gone)).toMatchObject({ type: 'lead.changed', mergedInto: staying })
  await append(mergeStreams.of(gone), { id: randomUUID(), ...leadsUnmerged({ by: owner, mergeId }) })
  await sendDue()
  expect(receiver.taken).toHaveLength(4)
  expect(told().get(staying)).toMatchObject({ name: 'Ana Botha' })
  expect(told().get(gone)).not.toHaveProperty('mergedInto')
})

test('a flagged submission is told once staff release it; nothing is told of before the webhook was made', async () => {
  const before = await submit()
  await add()
  const flagged = await submit({}, ['trap'])
  await sendDue()
  expect(receiver.taken).toEqual([])
  await append(leadStreams.of(flagged), { id: randomUUID(), ...leadReleased({ by: owner, forwards: null }) })
  await sendDue()
  expect(receiver.bodies().map(({ data }) => data.lead.id)).toEqual([flagged])
  expect(flagged).not.toBe(before)
})

test('what is answered by 500 is tried again later each time, for a day; then it is given up and the webhook paused, once', async () => {
  const { id } = await add()
  receiver.reply((_, response) => response.writeHead(500).end('out of order\0'))
  await submit()
  await sendDue()
  await sendDue()
  expect(receiver.taken).toHaveLength(1)
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    answer: 'out of order�',
    tries: [{ status: 500 }],
  })
  await wait(12)
  await sendDue()
  expect((await list())[0]).toMatchObject({ state: 'waiting', attempts: 2 })
  await wait(12)
  await Promise.all([sendDue(), sendDue()])
  expect((await list())[0]).toMatchObject({ state: 'given_up', attempts: 3, dueAt: null })
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ id, isPaused: true, isFailed: true })
  const events = await mail.sql`select data from events where type = 'WebhookChanged'`
  expect(events.map(({ data }) => data)).toEqual([
    { webhookId: id, change: 'failed', host: new URL(receiver.origin).host, by: null, from: null },
  ])
  const ids = new Set(receiver.taken.map(({ headers }) => headers['webhook-id']))
  expect(ids.size).toBe(1)
  // what happens meanwhile waits until an owner has it go on
  await submit()
  await sendDue()
  expect(receiver.taken).toHaveLength(3)
  receiver.reply((_, response) => response.writeHead(200).end('ok'))
  await inTransaction(mail.sql, (tx) => pauseWebhook(tx, id, false))
  await sendDue()
  expect((await list()).map(({ state }) => state)).toEqual(['delivered', 'given_up'])
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ isPaused: false, isFailed: false, failingSince: null })
})

test('one that takes something in between is not paused', async () => {
  await add()
  receiver.reply((_, response) => response.writeHead(503).end())
  await submit()
  await sendDue()
  await wait(20)
  receiver.reply((_, response) => response.writeHead(200).end())
  await submit()
  await sendDue()
  receiver.reply((_, response) => response.writeHead(503).end())
  await submit()
  await sendDue()
  await wait(20)
  await sendDue()
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ isPaused: false })
})

test.each([
  ['https://127.0.0.1/hook'],
  ['https://[::1]/hook'],
  ['https://[::ffff:10.0.0.1]/hook'],
  ['https://169.254.169.254/latest/meta-data'],
  ['https://192.168.1.1/'],
  ['https://[fd00::1]/'],
  ['https://[fe80::1]/'],
  ['https://localhost/'],
  ['https://127.1/'],
  ['https://2130706433/'],
  ['https://db.internal/'],
  ['http://example.com/'],
  ['https://somebody:word@example.com/'],
])('%s gets nothing', async (url) => {
  await add(url)
  await submit()
  await sendDue()
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    tries: [{ status: null, problem: expect.stringMatching('^Refused') }],
  })
})

test('a redirect is not followed, also not to this machine', async () => {
  const inside = await openTestReceiver()
  await add()
  receiver.reply((_, response) => response.writeHead(307, { location: `${inside.origin}/inside` }).end())
  await submit()
  await sendDue([receiver.origin, inside.origin])
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    tries: [{ status: 307, problem: 'It redirects, which is not followed' }],
  })
  expect(inside.taken).toEqual([])
  await inside.close()
})

test('a receiver may ask for a longer pause, of 4 hours at most; one that is gone is paused at once', async () => {
  const { id } = await add()
  const waitsMs = async () => Date.parse((await list())[0]?.dueAt ?? '') - Date.now()
  for (const [asked, expectedMs] of [
    ['900', 900_000],
    ['999999', 4 * 60 * 60 * 1_000],
  ] as const) {
    receiver.reply((_, response) => response.writeHead(429, { 'retry-after': asked }).end())
    await submit()
    await sendDue()
    expect(await waitsMs()).toBeGreaterThan(expectedMs - 60_000)
    expect(await waitsMs()).toBeLessThanOrEqual(expectedMs)
  }
  receiver.reply((_, response) => response.writeHead(410).end())
  await submit()
  await Promise.all([sendDue(), sendDue()])
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ id, isPaused: true, isFailed: true })
  expect((await list())[0]).toMatchObject({ state: 'waiting', tries: [{ status: 410 }] })
  expect(await mail.sql`select 1 from events where type = 'WebhookChanged'`).toHaveLength(1)
})

test('of an answer without end a little is read; an answer that hangs after its status counts', async () => {
  await add(undefined, ['lead.created'])
  let written = 0
  receiver.reply((_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const write = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
      response.once('drain', write)
    }
    write()
  })
  await submit()
  await sendDue()
  expect((await list())[0]).toMatchObject({ state: 'delivered', answer: 'x'.repeat(500) })
  expect(written).toBeLessThan(64 * 1024 * 1024)
  receiver.reply((_, response) => response.writeHead(202).write('half'))
  await submit()
  await sendDue(undefined, HANGS_MS)
  expect((await list())[0]).toMatchObject({ state: 'delivered', answer: 'half' })
})

test('one that hangs is left after its time, and holds up no other', async () => {
  const quick = await openTestReceiver()
  await add()
  await add(`${quick.origin}/quick`)
  receiver.reply(() => {})
  for (let leads = 0; leads <= AT_ONCE; leads += 1) await submit()
  await note()
  const due = await dueWebhookDeliveries(mail.sql)
  // of each no more than may be under way: one behind them waits
  expect(due).toHaveLength(2 * AT_ONCE)
  const begun = performance.now()
  const quickEnds: number[] = []
  quick.reply((_, response) => {
    quickEnds.push(performance.now() - begun)
    response.writeHead(204).end()
  })
  await Promise.all(due.map((id) => tell(telling([receiver.origin, quick.origin], HANGS_MS), id)))
  expect(quickEnds).toHaveLength(AT_ONCE)
  expect(Math.max(...quickEnds)).toBeLessThan(HANGS_MS)
  const hung = (await list()).filter(({ state, attempts }) => state === 'waiting' && attempts === 1)
  expect(hung.map(({ tries: [first] }) => first?.problem)).toEqual(Array(AT_ONCE).fill('No answer within 2 seconds'))
  await quick.close()
})

test('one that cannot be reached, or speaks no HTTP, is tried again', async () => {
  await add()
  receiver.reply((_, response) => response.socket?.end('nonsense\r\n\r\n'))
  await submit()
  await sendDue()
  expect((await list())[0]?.tries[0]).toMatchObject({ status: null, problem: expect.stringMatching('^No connection') })
  const { origin } = receiver
  await receiver.close()
  await submit()
  await sendDue([origin])
  expect((await list())[0]?.tries[0]).toMatchObject({ problem: 'No connection (ECONNREFUSED)' })
  receiver = await openTestReceiver()
})

test('nothing goes out of a person who has been erased, and what a receiver said of them is gone too', async () => {
  await add()
  receiver.reply(({ body }, response) => response.writeHead(500).end(body))
  const leadId = await submit()
  await sendDue()
  expect((await list())[0]?.answer).toContain('Ana Botha')
  const [row] = await mail.sql`select answer from webhook_deliveries`
  expect(row?.answer.includes('Ana')).toBe(false)
  await append(leadStreams.of(leadId), { id: randomUUID(), ...leadErased({ by: owner }) })
  await destroyKeys(mail.sql, mail.sql.keys ?? expect.fail(), [leadId])
  expect((await list())[0]?.answer).toBeNull()
  await wait(1)
  await sendDue()
  expect(receiver.taken).toHaveLength(1)
  expect((await list())[0]).toMatchObject({ state: 'dropped' })
  // also not where somebody asks for it again
  await ask((await list())[0]?.id ?? '')
  await sendDue()
  expect(receiver.taken).toHaveLength(1)
})

test('what is asked for again goes out once more under the same id, whatever came of it', async () => {
  const { id } = await add()
  await submit()
  await sendDue()
  const deliveryId = (await list())[0]?.id ?? ''
  await ask(deliveryId)
  await Promise.all([note(), note()])
  await sendDue()
  expect(receiver.taken.map(({ headers }) => headers['webhook-id'])).toEqual([deliveryId, deliveryId])
  expect((await list())[0]).toMatchObject({
    state: 'delivered',
    attempts: 2,
    tries: [{ status: 204 }, { status: 204 }],
  })
  await inTransaction(mail.sql, (tx) => removeWebhook(tx, id))
  await ask(deliveryId)
  await sendDue()
  expect(receiver.taken).toHaveLength(2)
})

test('a test goes to its webhook alone, also where that is paused, and is tried once', async () => {
  const { id } = await add(undefined, ['lead.won'])
  await add(`${receiver.origin}/other`)
  await inTransaction(mail.sql, (tx) => pauseWebhook(tx, id, true))
  receiver.reply((_, response) => response.writeHead(500).end('no'))
  const eventId = randomUUID()
  await append(ACCOUNTS_STREAM, {
    id: eventId,
    ...webhookChanged({ webhookId: id, change: 'tested', by: owner, from: null }),
  })
  await sendDue()
  expect(receiver.bodies()).toEqual([{ type: 'test', timestamp: expect.any(String), data: {} }])
  expect((await list())[0]).toMatchObject({
    topic: 'test',
    state: 'given_up',
    answer: 'no',
    leadId: null,
    chatId: null,
  })
  expect((await listWebhooks(mail.sql)).map(({ failingSince }) => failingSince)).toEqual([null, null])
})

test('after a rotation both secrets sign for a day; removal destroys them, and what waits is not sent', async () => {
  const { id, secret } = await add()
  const fresh = await inTransaction(mail.sql, (tx) => rotateSecret(tx, ring(), id))
  await submit()
  await sendDue()
  const [first] = receiver.taken
  expect([secret, fresh ?? ''].map((each) => first && isSignedBy(first, each))).toEqual([true, true])
  await mail.sql`update webhook_secrets set ends_at = now() where ends_at is not null`
  await submit()
  await sendDue()
  const second = receiver.taken[1] ?? expect.fail()
  expect([secret, fresh ?? ''].map((each) => isSignedBy(second, each))).toEqual([false, true])
  expect(JSON.stringify(await mail.sql`select * from webhook_secrets`)).not.toContain(secret.slice(6))
  await submit()
  await note()
  await inTransaction(mail.sql, (tx) => removeWebhook(tx, id))
  await sendDue()
  expect(receiver.taken).toHaveLength(2)
  expect(await mail.sql`select 1 from webhook_secrets`).toHaveLength(0)
  expect((await mail.sql`select url from webhooks`)[0]?.url).toBe(receiver.origin)
  expect((await list())[0]).toMatchObject({ state: 'dropped', isResendable: false })
})

test('another DATA_KEY opens secrets only after a rewrap, which names those that it does not open', async () => {
  const { id } = await add()
  const known = await readReceiver(mail.sql, ring(), id)
  const alone = parseKeyRing(Buffer.alloc(32, 'next').toString('base64')) ?? expect.fail()
  expect((await readReceiver(mail.sql, alone, id))?.secrets).toEqual([])
  const both = { active: alone.active, byId: new Map([...alone.byId, ...ring().byId]) }
  const closed = await add('https://b.example/hook')
  await mail.sql`update webhook_secrets set ring_key = 'deadbeef' where webhook_id = ${closed.id}`
  expect(await rewrapWebhookSecrets(mail.sql, both)).toEqual(['b.example'])
  expect(await readReceiver(mail.sql, alone, id)).toEqual(known)
})

test('a new address forgets how the old one failed; topics change from now on', async () => {
  const { id } = await add()
  receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await inTransaction(mail.sql, (tx) => editWebhook(tx, id, { url: `${receiver.origin}/new`, topics: ['lead.won'] }))
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ topics: ['lead.won'], failingSince: null, waiting: 1 })
  receiver.reply((_, response) => response.writeHead(204).end())
  await wait(0)
  await submit()
  await sendDue()
  expect(receiver.taken.map(({ path }) => path)).toEqual(['/hook', '/new'])
})

test('deliveries of more than 30 days ago are forgotten, also those that still wait, and do not come back', async () => {
  await add()
  await submit()
  await submit()
  await sendDue()
  await mail.sql`update webhook_deliveries set happened_at = now() - interval '31 days'`
  await mail.sql`update webhook_deliveries set state = 'waiting' where id = (select id from webhook_deliveries limit 1)`
  await tidyWebhookDeliveries(mail.sql)
  expect(await list()).toEqual([])
})

test('what waited while a webhook was paused is tried for a day again, from the shortest pause on', async () => {
  const { id } = await add()
  receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await wait(12)
  await submit()
  await sendDue()
  await wait(12)
  await sendDue()
  expect((await list()).map(({ state }) => state)).toEqual(['waiting', 'given_up'])
  await wait(13)
  await inTransaction(mail.sql, (tx) => pauseWebhook(tx, id, false))
  await sendDue()
  const [first] = await list()
  expect(first).toMatchObject({ state: 'waiting', attempts: 3 })
  expect(Date.parse(first?.dueAt ?? '') - Date.now()).toBeLessThan(FIRST_PAUSE_MS)
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ isPaused: false })
})

test('what is under way as its webhook goes on counts as the first try', async () => {
  const { id } = await add()
  receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await wait(20)
  receiver.reply(async (_, response) => {
    await inTransaction(mail.sql, (tx) => pauseWebhook(tx, id, true))
    await inTransaction(mail.sql, (tx) => pauseWebhook(tx, id, false))
    response.writeHead(500).end()
  })
  await sendDue()
  receiver.reply((_, response) => response.writeHead(500).end())
  await wait(12)
  await sendDue()
  expect((await list())[0]).toMatchObject({ state: 'waiting', attempts: 3 })
})

test('what is sent again is tried for a day again, from the shortest pause on', async () => {
  await add()
  receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  for (let tries = 0; tries < 5; tries += 1) {
    await sendDue()
    await wait(1)
  }
  await wait(20)
  await ask((await list())[0]?.id ?? '')
  await sendDue()
  const [first] = await list()
  expect(first).toMatchObject({ state: 'waiting', attempts: 6 })
  expect(Date.parse(first?.dueAt ?? '') - Date.now()).toBeLessThan(FIRST_PAUSE_MS)
})

test('a secret that DATA_KEY does not open fails with words that say what to do, until there is a new one', async () => {
  const { id } = await add()
  await mail.sql`update webhook_secrets set ring_key = 'deadbeef'`
  await submit()
  await sendDue()
  expect((await list())[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    tries: [{ status: null, problem: 'Its secret cannot be opened: make a new one' }],
  })
  expect((await listWebhooks(mail.sql))[0]?.failingSince).not.toBeNull()
  const secret = await inTransaction(mail.sql, (tx) => rotateSecret(tx, ring(), id))
  expect(await mail.sql`select 1 from webhook_secrets`).toHaveLength(1)
  await wait(0)
  await sendDue()
  expect(receiver.taken.map((message) => isSignedBy(message, secret ?? ''))).toEqual([true])
  expect((await list())[0]).toMatchObject({ state: 'delivered' })
})

test('each try tells the host that it went to, also once the webhook is elsewhere', async () => {
  const other = await openTestReceiver()
  const { id } = await add()
  receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await inTransaction(mail.sql, (tx) => editWebhook(tx, id, { url: `${other.origin}/new` }))
  const [before, after] = [receiver, other].map(({ origin }) => new URL(origin).host)
  expect((await list())[0]).toMatchObject({ host: before, tries: [{ host: before }] })
  await wait(1)
  await sendDue([other.origin])
  expect((await list())[0]).toMatchObject({ host: after, tries: [{ host: after }, { host: before }] })
  await other.close()
})

test('a webhook fails no more once all that it did not take is dropped', async () => {
  await add()
  receiver.reply((_, response) => response.writeHead(500).end())
  const leads = [await submit(), await submit()]
  await sendDue()
  const erase = async (leadId = '') => {
    await append(leadStreams.of(leadId), { id: randomUUID(), ...leadErased({ by: owner }) })
    await destroyKeys(mail.sql, mail.sql.keys ?? expect.fail(), [leadId])
    await wait(0)
    await sendDue()
  }
  await erase(leads[0])
  expect((await listWebhooks(mail.sql))[0]?.failingSince).not.toBeNull()
  await erase(leads[1])
  expect((await listWebhooks(mail.sql))[0]?.failingSince).toBeNull()
})

test('a try that fails as its webhook is removed waits for nothing; what arrived has arrived', async () => {
  const { id } = await add(undefined, ['lead.created'])
  const { id: taking } = await add(`${receiver.origin}/taking`, ['lead.created'])
  receiver.reply(async ({ path }, response) => {
    const isTaking = path === '/taking'
    await inTransaction(mail.sql, (tx) => removeWebhook(tx, isTaking ? taking : id))
    response.writeHead(isTaking ? 204 : 500).end()
  })
  await submit()
  await sendDue()
  const states = new Map((await list()).map(({ webhookId, state }) => [webhookId, state]))
  expect([states.get(id), states.get(taking)]).toEqual(['dropped', 'delivered'])
})

test('what a removed webhook still got is dropped with the next tidying', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await submit()
  await note()
  await mail.sql`update webhooks set removed_at = now() where id = ${id}`
  await tidyWebhookDeliveries(mail.sql)
  expect((await list()).map(({ state }) => state)).toEqual(['dropped'])
})

test('nothing is told of a flagged submission that staff edit, until they release it', async () => {
  await add()
  const flagged = await submit({}, ['trap'])
  await change(flagged, 'won')
  await sendDue()
  expect(receiver.taken).toEqual([])
  await append(leadStreams.of(flagged), { id: randomUUID(), ...leadReleased({ by: owner, forwards: null }) })
  await change(flagged, 'quoted')
  await sendDue()
  const told = receiver.bodies().map(({ type }) => type)
  expect(told.sort()).toEqual(['lead.changed', 'lead.created'])
})

test('a resumed webhook forgets why it was paused', async () => {
  const { id } = await add()
  await mail.sql`update webhooks set paused_at = now(), paused_by_restore = true`
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ isPaused: true, isPausedByRestore: true })
  await inTransaction(mail.sql, (tx) => pauseWebhook(tx, id, false))
  expect((await listWebhooks(mail.sql))[0]).toMatchObject({ isPaused: false, isPausedByRestore: false })
})

test('the log is paged, and found by webhook and state', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await add(`${receiver.origin}/other`, ['lead.created'])
  for (let leads = 0; leads < 3; leads += 1) await submit()
  await sendDue()
  const pages: string[][] = []
  const filters = { webhookId: undefined, state: 'delivered' as const, limit: 4 }
  let after: Awaited<ReturnType<typeof listWebhookDeliveries>>['next']
  do {
    const { page, next } = await listWebhookDeliveries(mail.sql, { ...filters, after })
    pages.push(page.map((each) => each.id))
    after = next
  } while (after)
  expect(pages.map(({ length }) => length)).toEqual([4, 2])
  expect(new Set(pages.flat()).size).toBe(6)
  const ofOne = await listWebhookDeliveries(mail.sql, { ...filters, webhookId: id, after: undefined })
  expect(ofOne.page.map(({ webhookId }) => webhookId)).toEqual([id, id, id])
  const waiting = await listWebhookDeliveries(mail.sql, { ...filters, state: 'waiting' as never, after: undefined })
  expect(waiting.page).toEqual([])
})

test('pauses grow from seconds to hours, and end after a day', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempts) => pauseAfter(attempts, 0, 0))
  expect(pauses.map((ms) => (ms ?? 0) / 1000)).toEqual([5, 20, 80, 320, 1280, 5120, 14_400, 14_400, 14_400])
  expect(pauseAfter(9, 24 * 60 * 60 * 1000)).toBeNull()
})

test('the version before comes along, so that a rollback notes nothing again', async () => {
  const older = { ...WEBHOOKS, version: WEBHOOKS.version - 1 }
  await prepareCheckpoint(mail.sql, older, { isFilled: true })
  await add()
  await submit()
  await note()
  expect(await readPosition(mail.sql, WEBHOOKS)).toBeGreaterThan(0)
  expect(await readPosition(mail.sql, older)).toBe(await readPosition(mail.sql, WEBHOOKS))
})
