import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { chatEnded, chatStarted, chatStreams } from '../../events/chat/chat.ts'
import { WEBHOOKS } from '../../events/consumers/acting-consumers.ts'
import { destroyKeys } from '../../events/keys/subject-keys.ts'
import { leadCorrected } from '../../events/lead/correction.ts'
import { leadFlagged } from '../../events/lead/flag.ts'
import { NO_SUBMISSION_CONTEXT } from '../../events/lead/form/submission-context.ts'
import { submitWebsiteInfo } from '../../events/lead/form/website-info.ts'
import { leadErased, leadReleased, leadStreams } from '../../events/lead/lead.ts'
import { leadsMerged, leadsUnmerged, mergeStreams } from '../../events/lead/person/merge.ts'
import { prepareCheckpoint, readPosition } from '../../events/log/checkpoints.ts'
import { ACCOUNTS_STREAM, webhookChanged } from '../../events/staff/account-history.ts'
import { inTransaction } from '../../events/stores/connection.ts'
import { sampleWebsiteInfo } from '../../events/testing/fixtures/samples.ts'
import { isSignedBy, openTestReceiver } from '../../events/testing/receiver.ts'
import { deleteOldDeliveries, deliveryIdOf } from '../../events/webhook/store/deliveries.ts'
import { listWebhookDeliveries } from '../../events/webhook/store/log.ts'
import { editWebhook, listWebhooks, pauseWebhook, removeWebhook } from '../../events/webhook/store/webhooks.ts'
import { openTestWebhooks } from '../testing/webhooks.ts'

const { at, add, append, submit, change, note, sendDue, wait, list, ask } = openTestWebhooks()

test('leads and chats are sent once each, signed, under the id of their delivery, for the topics of the webhook', async () => {
  const { id, secret } = await add()
  await add(`${at.receiver.origin}/won`, ['lead.won'])
  const leadId = await submit()
  await change(leadId, 'won')
  const chatId = randomUUID()
  const personal = { visitorName: 'Sam', visitorEmail: null, pageUrl: '/', userAgent: null }
  await append(chatStreams.of(chatId), { id: chatId, ...chatStarted({}, { subjectId: chatId, personal }) })
  await append(chatStreams.of(chatId), { id: randomUUID(), ...chatEnded({ endedBy: 'visitor' }) })
  await Promise.all([note(), note(), note()])
  await Promise.all([sendDue(), sendDue()])
  const told = at.receiver.taken.filter(({ path }) => path === '/hook')
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
  expect(at.receiver.taken.filter(({ path }) => path === '/won').map(({ body }) => JSON.parse(body).type)).toEqual([
    'lead.won',
  ])
  expect((await list()).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true)
  expect(JSON.stringify(await at.mail.sql`select * from webhook_deliveries`)).not.toContain('Ana')
})

test('a correction is sent with the corrected values', async () => {
  const leadId = await submit()
  await add(undefined, ['lead.changed'])
  const correction = leadCorrected({ by: at.owner }, { subjectId: leadId, personal: { email: 'right@example.com' } })
  await append(leadStreams.of(leadId), { id: randomUUID(), ...correction })
  await sendDue()
  expect(at.receiver.bodies()).toMatchObject([
    { type: 'lead.changed', data: { lead: { email: 'right@example.com' }, change: { email: 'right@example.com' } } },
  ])
})

test('a lead that staff flag is no longer sent, and one that they release again is sent as a change', async () => {
  await add()
  const leadId = await submit()
  await sendDue()
  const flagId = randomUUID()
  await append(leadStreams.of(leadId), { id: flagId, ...leadFlagged({ by: at.owner }) })
  await change(leadId, 'quoted')
  await sendDue()
  expect(at.receiver.bodies().map(({ type }) => type)).toEqual(['lead.created'])
  const released = leadReleased({ by: at.owner, emailId: null, undoes: flagId })
  await append(leadStreams.of(leadId), { id: randomUUID(), ...released })
  await sendDue()
  expect(at.receiver.bodies().map(({ type }) => type)).toEqual(['lead.created', 'lead.changed'])
})

test('a merge is sent for both leads, each as staff see it, and so is its undo', async () => {
  const [staying, gone] = [await submit(), await submit({ name: 'Anna Botha-Nel' })]
  await add(undefined, ['lead.changed'])
  const mergeId = randomUUID()
  const merged = leadsMerged({ by: at.owner, into: staying, takes: ['name'] })
  await append(mergeStreams.of(gone), { id: mergeId, ...merged })
  await Promise.all([sendDue(), sendDue()])
  const told = () => new Map(at.receiver.bodies().map(({ type, data }) => [data.lead.id, { type, ...data.lead }]))
  expect(at.receiver.taken).toHaveLength(2)
  expect(told().get(staying)).toMatchObject({ type: 'lead.changed', name: 'Anna Botha-Nel' })
  expect(told().get(gone)).toMatchObject({ type: 'lead.changed', mergedInto: staying })
  await append(mergeStreams.of(gone), { id: randomUUID(), ...leadsUnmerged({ by: at.owner, mergeId }) })
  await sendDue()
  expect(at.receiver.taken).toHaveLength(4)
  expect(told().get(staying)).toMatchObject({ name: 'Ana Botha' })
  expect(told().get(gone)).not.toHaveProperty('mergedInto')
})

test('a questionnaire that follows a contract is sent as a change of both, and so is its undo', async () => {
  const [contract, answers] = [await submit(), randomUUID()]
  await add(undefined, ['lead.created', 'lead.changed'])
  const mergeId = randomUUID()
  const context = { ...NO_SUBMISSION_CONTEXT, contractId: contract }
  const submitted = submitWebsiteInfo({ leadId: answers, form: sampleWebsiteInfo() }, context)
  await append(leadStreams.of(answers), { id: mergeId, ...submitted })
  await Promise.all([sendDue(), sendDue()])
  const changedOnes = () =>
    at.receiver.bodies().map(({ type, data }) => `${type} ${data.lead.id} in ${data.lead.mergedInto}`)
  const both = [`lead.changed ${contract} in undefined`, `lead.changed ${answers} in ${contract}`]
  expect(changedOnes().sort()).toEqual(both.toSorted())
  await append(mergeStreams.of(answers), { id: randomUUID(), ...leadsUnmerged({ by: at.owner, mergeId }) })
  await sendDue()
  expect(changedOnes().slice(2).sort()).toEqual([`lead.changed ${answers} in undefined`, both[0]].sort())
})

test('a flagged submission is sent once staff release it; nothing from before the webhook was made is sent', async () => {
  const before = await submit()
  await add()
  const flagged = await submit({}, ['trap'])
  await sendDue()
  expect(at.receiver.taken).toEqual([])
  await append(leadStreams.of(flagged), { id: randomUUID(), ...leadReleased({ by: at.owner, emailId: null }) })
  await sendDue()
  expect(at.receiver.bodies().map(({ data }) => data.lead.id)).toEqual([flagged])
  expect(flagged).not.toBe(before)
})

test('nothing is sent about a person who has been erased, and the receiver’s responses about them are gone too', async () => {
  await add()
  at.receiver.reply(({ body }, response) => response.writeHead(500).end(body))
  const leadId = await submit()
  await sendDue()
  expect((await list())[0]?.answer).toContain('Ana Botha')
  const [row] = await at.mail.sql`select answer from webhook_deliveries`
  expect(row?.answer.includes('Ana')).toBe(false)
  await append(leadStreams.of(leadId), { id: randomUUID(), ...leadErased({ by: at.owner }) })
  await destroyKeys(at.mail.sql, at.mail.sql.keys ?? expect.fail(), [leadId])
  expect((await list())[0]?.answer).toBeNull()
  await wait(1)
  await sendDue()
  expect(at.receiver.taken).toHaveLength(1)
  expect((await list())[0]).toMatchObject({ state: 'dropped' })
  // also not if it is requested again
  await ask((await list())[0]?.id ?? '')
  await sendDue()
  expect(at.receiver.taken).toHaveLength(1)
})

test('a message that is requested again goes out again under the same id, whatever its outcome', async () => {
  const { id } = await add()
  await submit()
  await sendDue()
  const deliveryId = (await list())[0]?.id ?? ''
  await ask(deliveryId)
  await Promise.all([note(), note()])
  await sendDue()
  expect(at.receiver.taken.map(({ headers }) => headers['webhook-id'])).toEqual([deliveryId, deliveryId])
  expect((await list())[0]).toMatchObject({
    state: 'delivered',
    attempts: 2,
    tries: [{ status: 204 }, { status: 204 }],
  })
  await inTransaction(at.mail.sql, (tx) => removeWebhook(tx, id))
  await ask(deliveryId)
  await sendDue()
  expect(at.receiver.taken).toHaveLength(2)
})

test('a test goes only to its webhook, also if that is paused, and is tried once', async () => {
  const { id } = await add(undefined, ['lead.won'])
  await add(`${at.receiver.origin}/other`)
  await inTransaction(at.mail.sql, (tx) => pauseWebhook(tx, id, true))
  at.receiver.reply((_, response) => response.writeHead(500).end('no'))
  const eventId = randomUUID()
  await append(ACCOUNTS_STREAM, {
    id: eventId,
    ...webhookChanged({ webhookId: id, change: 'tested', by: at.owner, from: null }),
  })
  await sendDue()
  expect(at.receiver.bodies()).toEqual([{ type: 'test', timestamp: expect.any(String), data: {} }])
  expect((await list())[0]).toMatchObject({
    topic: 'test',
    state: 'given_up',
    answer: 'no',
    leadId: null,
    chatId: null,
  })
  expect((await listWebhooks(at.mail.sql)).map(({ failingSince }) => failingSince)).toEqual([null, null])
})

test('deliveries of more than 30 days ago are deleted, also those that still wait, and do not come back', async () => {
  await add()
  await submit()
  await submit()
  await sendDue()
  await at.mail.sql`update webhook_deliveries set happened_at = now() - interval '31 days'`
  await at.mail
    .sql`update webhook_deliveries set state = 'waiting' where id = (select id from webhook_deliveries limit 1)`
  await deleteOldDeliveries(at.mail.sql)
  expect(await list()).toEqual([])
})

test('each attempt shows the host that it went to, also after the webhook has moved', async () => {
  const other = await openTestReceiver()
  const { id } = await add()
  at.receiver.reply((_, response) => response.writeHead(500).end())
  await submit()
  await sendDue()
  await inTransaction(at.mail.sql, (tx) => editWebhook(tx, id, { url: `${other.origin}/new` }))
  const [before, after] = [at.receiver, other].map(({ origin }) => new URL(origin).host)
  expect((await list())[0]).toMatchObject({ host: before, tries: [{ host: before }] })
  await wait(1)
  await sendDue([other.origin])
  expect((await list())[0]).toMatchObject({ host: after, tries: [{ host: after }, { host: before }] })
  await other.close()
})

test('a flagged submission that staff edit is not sent until they release it', async () => {
  await add()
  const flagged = await submit({}, ['trap'])
  await change(flagged, 'won')
  await sendDue()
  expect(at.receiver.taken).toEqual([])
  await append(leadStreams.of(flagged), { id: randomUUID(), ...leadReleased({ by: at.owner, emailId: null }) })
  await change(flagged, 'quoted')
  await sendDue()
  const told = at.receiver.bodies().map(({ type }) => type)
  expect(told.sort()).toEqual(['lead.changed', 'lead.created'])
})

test('the log is paged, and found by webhook and state', async () => {
  const { id } = await add(undefined, ['lead.created'])
  await add(`${at.receiver.origin}/other`, ['lead.created'])
  for (let leads = 0; leads < 3; leads += 1) await submit()
  await sendDue()
  const pages: string[][] = []
  const filters = { webhookId: undefined, state: 'delivered' as const, limit: 4 }
  let after: Awaited<ReturnType<typeof listWebhookDeliveries>>['next']
  do {
    const { page, next } = await listWebhookDeliveries(at.mail.sql, { ...filters, after })
    pages.push(page.map((each) => each.id))
    after = next
  } while (after)
  expect(pages.map(({ length }) => length)).toEqual([4, 2])
  expect(new Set(pages.flat()).size).toBe(6)
  const ofOne = await listWebhookDeliveries(at.mail.sql, { ...filters, webhookId: id, after: undefined })
  expect(ofOne.page.map(({ webhookId }) => webhookId)).toEqual([id, id, id])
  const waiting = await listWebhookDeliveries(at.mail.sql, { ...filters, state: 'waiting' as never, after: undefined })
  expect(waiting.page).toEqual([])
})

test('the previous version is kept up to date, so that a rollback notes nothing again', async () => {
  const older = { ...WEBHOOKS, version: WEBHOOKS.version - 1 }
  await prepareCheckpoint(at.mail.sql, older, { isFilled: true })
  await add()
  await submit()
  await note()
  expect(await readPosition(at.mail.sql, WEBHOOKS)).toBeGreaterThan(0)
  expect(await readPosition(at.mail.sql, older)).toBe(await readPosition(at.mail.sql, WEBHOOKS))
})
