import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatActivityStreams, chatBecameLead } from '../../events/chat/activity.ts'
import { chatMessagePosted, messageStreams } from '../../events/chat/chat.ts'
import { CHAT_ANSWERS } from '../../events/consumers/acting-consumers.ts'
import { leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import { leadErased, leadStreams } from '../../events/lead/lead.ts'
import { leadsMerged, mergeStreams } from '../../events/lead/person/merge.ts'
import { chatAnswerId } from '../../events/lead/store/answer-ids.ts'
import { readFamily } from '../../events/lead/store/family.ts'
import { waitingBetween } from '../../events/lead/store/waiting-leads.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { startChat as chatStart } from '../../events/testing/fixtures/samples.ts'
import { openPassOver } from '../consumers/pass-over.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { answerLead, change, hire, inMinutes, submitLead } from '../testing/leads.ts'
import { stopClocks } from './chat-answers.ts'

const DAY_MINUTES = 24 * 60
const EMAIL = 'thabo@example.co.za'

let service: TestService
let mail: TestDelivering
let ana: string
let ben: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestDelivering(service)
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

/** Writes a message in a chat: the visitor does, or the staff member `by`. */
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

const becomeLead = (sessionId: string, leadId: string) =>
  mail.log.append({
    stream: chatActivityStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatBecameLead({ leadId, by: ana }) }],
  })

/** Makes a chat, and a lead from it. */
const makeLead = async (fields: object = {}) => {
  const [sessionId, leadId] = [await startChat(), await submit(fields)]
  await becomeLead(sessionId, leadId)
  return { sessionId, leadId }
}

const mergeInto = (into: string, leadId: string) =>
  mail.log.append({
    stream: mergeStreams.of(leadId),
    expectedVersion: 0,
    events: [{ id: randomUUID(), ...leadsMerged({ into, takes: [], by: ana }) }],
  })

const stopAll = async (now = new Date()) => {
  const passOver = openPassOver({ logger: { warn: () => {} } })
  while (await stopClocks({ sql: mail.sql, log: mail.log, passOver }, now));
}

const submit = (fields: object = {}) => submitLead(mail, { email: EMAIL, ...fields })
const leadOf = async (leadId: string) => (await readFamily(mail.sql, [leadId])).get(leadId)?.lead
const changesOf = async (leadId: string) => {
  const rows = await mail.sql<{ data: object }[]>`
    select data from events where stream = ${leadStreams.of(leadId)} and version > 1 and type <> 'LeadErased'
    order by version`
  return rows.map(({ data }) => data)
}
const waiting = async () => {
  await mail.viewOf(randomUUID())
  return await waitingBetween(mail.sql, { until: inMinutes(DAY_MINUTES) })
}

test('the first reply in the chat from which a lead was made stops its clock at that moment, whoever wrote it', async () => {
  const { leadId, sessionId } = await makeLead({ email: 'entered@example.com' })
  await say(sessionId)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'new', answeredAt: null })
  const answeredAt = await say(sessionId, ben)
  await say(sessionId, ana)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted', answeredAt, ownerId: ben })
  const answerId = chatAnswerId(leadId, sessionId)
  expect(await changesOf(leadId)).toEqual([{ answerId, channel: 'chat', by: ben, at: answeredAt, sessionId }])
  expect(await waiting()).toEqual([])
})

test('reading the log twice changes nothing, nor do several workers at once', async () => {
  const { leadId, sessionId } = await makeLead()
  await say(sessionId, ben)
  await stopAll()
  await mail.sql`delete from checkpoint_positions where consumer = ${CHAT_ANSWERS.name} and position > 0`
  await Promise.all([stopAll(), stopAll()])
  expect(await changesOf(leadId)).toHaveLength(1)
})

test('a stranger who types another person’s address in a chat stops no clock of theirs, whatever staff write there', async () => {
  const leadId = await submit()
  const sessionId = await startChat()
  await say(sessionId)
  await say(sessionId, ben)
  await say((await makeLead()).sessionId, ben)
  await stopAll()
  expect(await waiting()).toEqual([leadId])
  expect(await changesOf(leadId)).toEqual([])
})

test('a lead that comes after the reply waits for its own, which is the next message', async () => {
  const sessionId = await startChat()
  await say(sessionId, ben)
  const leadId = await submit()
  await becomeLead(sessionId, leadId)
  await stopAll()
  expect(await waiting()).toEqual([leadId])
  await say(sessionId, ana)
  await stopAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted', ownerId: ana })
})

test('decisions of staff after the reply stay, however late it is read; the next message counts', async () => {
  const { leadId, sessionId } = await makeLead()
  await answerLead(mail, leadId, ana)
  await say(sessionId, ben)
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'new', by: ana }))
  await stopAll()
  expect(await waiting()).toEqual([leadId])
  await say(sessionId, ben)
  await stopAll()
  expect(await waiting()).toEqual([])
})

test('a withdrawn reply of a chat stays withdrawn, whatever is written there later', async () => {
  const { leadId, sessionId } = await makeLead()
  await say(sessionId, ben)
  await stopAll()
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'new', by: ana }))
  await say(sessionId, ben)
  await stopAll()
  expect(await waiting()).toEqual([leadId])
  const other = await startChat()
  await becomeLead(other, leadId)
  await say(other, ben)
  await stopAll()
  expect(await waiting()).toEqual([])
})

test('a lead that is answered, in quarantine or erased does not change, and an assigned one keeps its owner', async () => {
  const [answered, erased, owned] = [await makeLead(), await makeLead(), await makeLead()]
  const flagged = { sessionId: await startChat(), leadId: await submitLead(mail, { email: EMAIL }, ['too_fast']) }
  await becomeLead(flagged.sessionId, flagged.leadId)
  await answerLead(mail, answered.leadId, ana)
  await change(mail, erased.leadId, leadErased({ by: ana }))
  await change(mail, owned.leadId, leadFollowUpChanged({ ownerId: ana, by: ana }))
  for (const { sessionId } of [answered, flagged, erased, owned]) await say(sessionId, ben)
  await stopAll()
  expect(await changesOf(answered.leadId)).toHaveLength(1)
  expect(await changesOf(flagged.leadId)).toEqual([])
  expect(await changesOf(erased.leadId)).toEqual([])
  expect(await leadOf(owned.leadId)).toMatchObject({ followUpStatus: 'contacted', ownerId: ana })
})

test('if the lead was merged, the remaining one is answered, however often that happened', async () => {
  const [{ leadId: gone, sessionId }, between, staying] = [await makeLead(), await submit(), await submit()]
  await mergeInto(between, gone)
  await mergeInto(staying, between)
  await say(sessionId, ben)
  await stopAll()
  expect(await leadOf(staying)).toMatchObject({ followUpStatus: 'contacted', ownerId: ben })
  expect([await changesOf(gone), await changesOf(between)]).toEqual([[], []])
})

test('a lead whose data key is lost delays no other', async () => {
  const [lost, found] = [await makeLead(), await makeLead()]
  for (const { sessionId } of [lost, found]) await say(sessionId, ben)
  await mail.sql`delete from subject_keys where subject_id = any(${[lost.leadId, found.sessionId]}::uuid[])`
  await stopAll()
  expect(await leadOf(found.leadId)).toMatchObject({ followUpStatus: 'contacted' })
  expect(await changesOf(lost.leadId)).toEqual([])
})

test('old messages are not read: a new installation of this rule changes no old lead', async () => {
  const { leadId, sessionId } = await makeLead()
  await say(sessionId, ben)
  await stopAll(inMinutes(8 * DAY_MINUTES))
  expect(await waiting()).toEqual([leadId])
})
