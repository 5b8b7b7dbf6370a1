import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatMessagePosted, messageStreams } from '../../events/chat.ts'
import { chatActivityStreams, chatBecameLead } from '../../events/chat-activity.ts'
import { chatEmailGiven, chatEmailStreams } from '../../events/chat-email.ts'
import { leadFollowUpChanged } from '../../events/follow-up.ts'
import { leadErased, leadStreams } from '../../events/lead.ts'
import { leadsMerged, mergeStreams } from '../../events/lead-merge.ts'
import { readFamily } from '../../events/log/lead-family.ts'
import { CHAT_ANSWERS } from '../../events/projections/readers.ts'
import { waitingBetween } from '../../events/projections/waiting-leads.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { startChat as chatStart } from '../../events/testing/fixtures/samples.ts'
import { openTestForwarding, type TestForwarding } from '../email/test-forwarding.ts'
import { openPassOver } from '../pass-over.ts'
import { answerLead, change, hire, inMinutes, submitLead } from '../test-leads.ts'
import { prepareChatAnswers, stopClocks } from './chat-answers.ts'

const DAY_MINUTES = 24 * 60
const EMAIL = 'thabo@example.co.za'

let service: TestService
let mail: TestForwarding
let ana: string
let ben: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestForwarding(service)
  await prepareChatAnswers(mail.sql)
  ana = await hire(mail, 'owner')
  ben = await hire(mail, 'agent')
})

afterAll(async () => {
  await mail.close()
  await service.close()
})

const startChat = async (email: string | null = EMAIL) => {
  const sessionId = randomUUID()
  await mail.log.append(chatStart(sessionId, 'Thabo', email))
  return sessionId
}

/** Somebody says something in a chat: its visitor, or `by` of the staff. */
const say = async (sessionId: string, by?: string) => {
  const personal = { senderName: 'Somebody', message: 'Good day', clientMessageId: null }
  const sender = by === undefined ? ({ senderType: 'visitor' } as const) : ({ senderType: 'admin', by } as const)
  const { events } = await mail.log.append({
    stream: messageStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatMessagePosted(sender, { subjectId: sessionId, personal }) }],
  })
  return events[0]?.recordedAt.toISOString()
}

const giveEmail = (sessionId: string, visitorEmail: string) =>
  mail.log.append({
    stream: chatEmailStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatEmailGiven({}, { subjectId: sessionId, personal: { visitorEmail } }) }],
  })

const becomeLead = (sessionId: string, leadId: string) =>
  mail.log.append({
    stream: chatActivityStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatBecameLead({ leadId, by: ana }) }],
  })

const stopAll = async (now = new Date()) => {
  await mail.viewOf(randomUUID())
  const passOver = openPassOver({ logger: { warn: () => {} } })
  while (await stopClocks({ sql: mail.sql, log: mail.log, passOver }, now));
  await mail.viewOf(randomUUID())
}

const submit = (fields: object = {}) => submitLead(mail, { email: EMAIL, ...fields })
const leadOf = async (leadId: string) => (await readFamily(mail.sql, [leadId])).get(leadId)?.lead
const changesOf = async (leadId: string) => {
  const rows = await mail.sql<{ data: object }[]>`
    select data from events where stream = ${leadStreams.of(leadId)} and type = 'LeadFollowUpChanged' order by version`
  return rows.map(({ data }) => data)
}
const waiting = () => waitingBetween(mail.sql, { until: inMinutes(DAY_MINUTES) })

test('the first answer in the chat of a lead’s own address stops its clock at that moment, for whoever wrote it', async () => {
  const leadId = await submit({ email: 'Thabo@Example.co.za' })
  const sessionId = await startChat()
  await say(sessionId)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'new', answeredAt: null })
  const answeredAt = await say(sessionId, ben)
  await say(sessionId, ana)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted', answeredAt, ownerId: ben })
  expect(await changesOf(leadId)).toEqual([
    { followUpStatus: 'contacted', answeredAt, by: ben, inChat: sessionId },
    { ownerId: ben, by: ben, inChat: sessionId },
  ])
  expect(await waiting()).toEqual([])
})

test('to read the log twice changes nothing, nor do several workers at once', async () => {
  const leadId = await submit()
  await say(await startChat(), ben)
  await stopAll()
  await mail.sql`delete from checkpoint_positions where consumer = ${CHAT_ANSWERS.name} and position > 0`
  await Promise.all([stopAll(), stopAll()])
  expect(await changesOf(leadId)).toHaveLength(2)
})

test('a lead that was made of the chat is answered in it, without any address', async () => {
  const leadId = await submit({ email: 'entered@example.com' })
  const sessionId = await startChat(null)
  await becomeLead(sessionId, leadId)
  await say(sessionId, ben)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted' })
})

test('an answer counts for the address that staff saw when they wrote, not for one that was typed later or before', async () => {
  const [typed, corrected] = [await submit({ email: 'victim@example.com' }), await submit()]
  const sessionId = await startChat(null)
  await say(sessionId, ben)
  await giveEmail(sessionId, 'victim@example.com')
  await giveEmail(sessionId, EMAIL)
  await stopAll()
  expect(await waiting()).toEqual([typed, corrected])
  await say(sessionId, ben)
  await stopAll()
  expect(await waiting()).toEqual([typed])
})

test('a stranger who types somebody’s address stops no clock as long as staff write nothing there', async () => {
  const leadId = await submit()
  const sessionId = await startChat()
  for (const _ of ['first', 'second']) await say(sessionId)
  await stopAll()
  expect(await waiting()).toEqual([leadId])
})

test('a request that comes after the answer waits for its own, which the next message is', async () => {
  const sessionId = await startChat()
  await say(sessionId, ben)
  const leadId = await submit()
  await stopAll()
  expect(await waiting()).toEqual([leadId])
  await say(sessionId, ana)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted', ownerId: ana })
})

test('what was taken back of a chat’s answer stays so, whatever is said there later', async () => {
  const leadId = await submit()
  const sessionId = await startChat()
  await say(sessionId, ben)
  await stopAll()
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'new', by: ana }))
  await say(sessionId, ben)
  await stopAll()
  expect(await waiting()).toEqual([leadId])
  await say(await startChat(), ben)
  await stopAll()
  expect(await waiting()).toEqual([])
})

test('a lead that is answered, in quarantine or erased stays as it is, and an owner keeps theirs', async () => {
  const [answered, flagged, erased, owned] = [
    await submit(),
    await submitLead(mail, { email: EMAIL }, ['too_fast']),
    await submit(),
    await submit(),
  ]
  await answerLead(mail, answered, ana)
  await change(mail, erased, leadErased({ by: ana }))
  await change(mail, owned, leadFollowUpChanged({ ownerId: ana, by: ana }))
  await say(await startChat(), ben)
  await stopAll()
  expect(await changesOf(answered)).toHaveLength(1)
  expect(await changesOf(flagged)).toEqual([])
  expect(await changesOf(erased)).toEqual([])
  expect(await leadOf(owned)).toMatchObject({ followUpStatus: 'contacted', ownerId: ana })
})

test('of a merged lead the one that stays is answered', async () => {
  const [staying, gone] = [await submit({ email: 'other@example.com' }), await submit()]
  const merged = { into: staying, takes: [], by: ana }
  await mail.log.append({
    stream: mergeStreams.of(gone),
    expectedVersion: 0,
    events: [{ id: randomUUID(), ...leadsMerged(merged) }],
  })
  await say(await startChat(), ben)
  await stopAll()
  expect(await leadOf(staying)).toMatchObject({ followUpStatus: 'contacted', ownerId: ben })
  expect(await changesOf(gone)).toEqual([])
})

test('a chat or a lead whose data key is lost holds up no other', async () => {
  const [lost, leadId] = [await submit(), await submit()]
  const [lostChat, sessionId] = [await startChat(), await startChat()]
  await mail.viewOf(randomUUID())
  await mail.sql`delete from subject_keys where subject_id = any(${[lost, lostChat]}::uuid[])`
  await say(sessionId, ben)
  await mail.sql`
    update events set stream = ${messageStreams.of(lostChat)} where stream = ${messageStreams.of(sessionId)}`
  await say(sessionId, ben)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted' })
  expect(await changesOf(lost)).toEqual([])
})

test('what was said long ago is looked at no more: a new installation of this rule changes no old lead', async () => {
  const leadId = await submit()
  await say(await startChat(), ben)
  await stopAll(inMinutes(8 * DAY_MINUTES))
  expect(await waiting()).toEqual([leadId])
})
