import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatActivityStreams, chatBecameLead } from '../../events/chat/activity.ts'
import { chatMessagePosted, messageStreams } from '../../events/chat/chat.ts'
import { emailFailed, emailSent } from '../../events/email/email.ts'
import { leadAnswered } from '../../events/lead/follow-up/answered.ts'
import { leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import { leadErased, leadStreams } from '../../events/lead/lead.ts'
import { leadsMerged, mergeStreams } from '../../events/lead/person/merge.ts'
import { leadAnswerStreams, leadContacted, leadEmailWritten } from '../../events/lead/reply/answer.ts'
import { answeredId } from '../../events/lead/store/answer-ids.ts'
import { readFamily } from '../../events/lead/store/family.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { startChat } from '../../events/testing/fixtures/samples.ts'
import { openPassOver } from '../consumers/pass-over.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { change, hire, submitLead } from '../testing/leads.ts'
import { settleAnswers } from './failed-answers.ts'

const EMAIL = 'naledi@gmial.example'

let service: TestService
let mail: TestDelivering
let ana: string

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  await mail?.close()
  mail = await openTestDelivering(service)
  ana = await hire(mail, 'owner')
})

afterAll(async () => {
  await mail.close()
  await service.close()
})

const leadOf = async (leadId: string) => (await readFamily(mail.sql, [leadId])).get(leadId)?.lead

const toAnswers = (
  leadId: string,
  event: ReturnType<typeof leadEmailWritten | typeof leadContacted | typeof emailSent | typeof emailFailed>,
  id = randomUUID(),
) => mail.log.append({ stream: leadAnswerStreams.of(leadId), expectedVersion: 'any', events: [{ id, ...event }] })

/** Staff write an email to a lead, which stops its clock. Returns the email's id. */
const writeEmail = async (leadId: string) => {
  const emailId = randomUUID()
  const personal = { to: EMAIL, subject: 'Your website', text: 'Good day' }
  await toAnswers(leadId, leadEmailWritten({ leadId, by: ana }, { subjectId: leadId, personal }), emailId)
  await count(leadId, emailId, 'email')
  return emailId
}

/** Counts a reply for a lead. */
const count = async (leadId: string, answerId: string, channel: 'email' | 'call') => {
  const events = [{ id: answeredId(answerId), ...leadAnswered({ answerId, channel, by: ana }) }]
  await mail.log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events })
}

/** Staff call a lead, which stops its clock. */
const call = async (leadId: string) => {
  const callId = randomUUID()
  const personal = { to: '+27 82 555 0199', text: null }
  await toAnswers(leadId, leadContacted({ leadId, channel: 'call', by: ana }, { subjectId: leadId, personal }), callId)
  await count(leadId, callId, 'call')
}

const fail = (leadId: string, emailId: string, reason: 'rejected' | 'expired' | 'uncertain' | 'partial' = 'rejected') =>
  toAnswers(leadId, emailFailed({ emailId, willRetry: false, reason, attempt: 1 }))

const arrive = (leadId: string, emailId: string) => toAnswers(leadId, emailSent({ emailId, to: 'smtp', attempt: 2 }))

const settleAll = async (now = new Date()) => {
  const passOver = openPassOver({ logger: { warn: () => {} } })
  while (await settleAnswers({ sql: mail.sql, log: mail.log, passOver }, now));
}

const WAITS = { followUpStatus: 'new', answeredAt: null, emailFailedAt: expect.any(String) }

test.each(['rejected', 'expired'] as const)(
  'a lead whose reply is %s waits again, and keeps its owner',
  async (reason) => {
    const leadId = await submitLead(mail)
    const emailId = await writeEmail(leadId)
    expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted', ownerId: ana })
    await fail(leadId, emailId, reason)
    await settleAll()
    await settleAll()
    expect(await leadOf(leadId)).toMatchObject({ ...WAITS, ownerId: ana, version: 3 })
  },
)

test.each(['uncertain', 'partial'] as const)('a reply that is %s may have arrived, and counts', async (reason) => {
  const leadId = await submitLead(mail)
  await fail(leadId, await writeEmail(leadId), reason)
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted' })
})

test('once the email was sent again and arrived, the lead is answered from then on', async () => {
  const leadId = await submitLead(mail)
  const emailId = await writeEmail(leadId)
  await fail(leadId, emailId)
  await settleAll()
  const arrived = await arrive(leadId, emailId)
  await settleAll()
  const lead = await leadOf(leadId)
  expect(lead).toMatchObject({
    followUpStatus: 'contacted',
    answeredAt: arrived.events[0]?.recordedAt.toISOString(),
  })
  expect(lead).not.toHaveProperty('emailFailedAt')
})

test('an email that arrives at once changes nothing', async () => {
  const leadId = await submitLead(mail)
  const emailId = await writeEmail(leadId)
  const before = await leadOf(leadId)
  await arrive(leadId, emailId)
  await settleAll()
  expect(await leadOf(leadId)).toEqual(before)
})

test('a lead that was reached in another way since does not wait again', async () => {
  const leadId = await submitLead(mail)
  const emailId = await writeEmail(leadId)
  await call(leadId)
  await fail(leadId, emailId)
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted' })
})

test('a lead that staff have since replied to in its chat is answered by that', async () => {
  const leadId = await submitLead(mail)
  const sessionId = randomUUID()
  await mail.log.append(startChat(sessionId, 'Thabo'))
  await mail.log.append({
    stream: chatActivityStreams.of(sessionId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...chatBecameLead({ leadId, by: ana }) }],
  })
  const emailId = await writeEmail(leadId)
  const personal = { senderName: 'Ana', message: 'Good day', clientMessageId: null }
  const { events } = await mail.log.append({
    stream: messageStreams.of(sessionId),
    expectedVersion: 'any',
    events: [
      { id: randomUUID(), ...chatMessagePosted({ senderType: 'admin', by: ana }, { subjectId: sessionId, personal }) },
    ],
  })
  await mail.viewOf(leadId)
  await fail(leadId, emailId)
  await settleAll()
  const answeredAt = events[0]?.recordedAt.toISOString()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted', answeredAt, ownerId: ana })
})

test('a reply from before the email does not prevent the lead from waiting again', async () => {
  const leadId = await submitLead(mail)
  await call(leadId)
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'new', by: ana }))
  await fail(leadId, await writeEmail(leadId))
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject(WAITS)
})

test('if a second email to the same address bounces too, the lead still waits', async () => {
  const leadId = await submitLead(mail)
  await fail(leadId, await writeEmail(leadId))
  await settleAll()
  await fail(leadId, await writeEmail(leadId))
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject(WAITS)
})

test('of two emails in progress the lead waits again once both have bounced', async () => {
  const leadId = await submitLead(mail)
  const [one, other] = [await writeEmail(leadId), await writeEmail(leadId)]
  await fail(leadId, one)
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted' })
  await fail(leadId, other)
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject(WAITS)
})

test('an email that was sent again into the local outbox has reached no recipient', async () => {
  const leadId = await submitLead(mail)
  const emailId = await writeEmail(leadId)
  await fail(leadId, emailId)
  await toAnswers(leadId, emailSent({ emailId: emailId, to: 'outbox', attempt: 2 }))
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject(WAITS)
})

test('one of two workers makes the lead wait again', async () => {
  const leadId = await submitLead(mail)
  await fail(leadId, await writeEmail(leadId))
  await Promise.all([settleAll(), settleAll()])
  expect(await leadOf(leadId)).toMatchObject({ ...WAITS, version: 3 })
})

test('later decisions of staff stay', async () => {
  const leadId = await submitLead(mail)
  const emailId = await writeEmail(leadId)
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'quoted', by: ana }))
  await fail(leadId, emailId)
  await settleAll()
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'quoted' })
})

test('a reply in another way stops the clock, and the email is no longer reported', async () => {
  const leadId = await submitLead(mail)
  await fail(leadId, await writeEmail(leadId))
  await settleAll()
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'contacted', by: ana }))
  await change(mail, leadId, leadFollowUpChanged({ followUpStatus: 'new', by: ana }))
  expect(await leadOf(leadId)).not.toHaveProperty('emailFailedAt')
})

test('a lead that was merged into another, or erased, does not change', async () => {
  const [into, gone, erased] = [await submitLead(mail), await submitLead(mail), await submitLead(mail)]
  const [toGone, toErased] = [await writeEmail(gone), await writeEmail(erased)]
  const merged = { id: randomUUID(), ...leadsMerged({ into, takes: [], by: ana }) }
  await mail.log.append({ stream: mergeStreams.of(gone), expectedVersion: 0, events: [merged] })
  await change(mail, erased, leadErased({ by: ana }))
  const versions = async () => [(await leadOf(gone))?.version, (await leadOf(erased))?.version]
  const before = await versions()
  await Promise.all([fail(gone, toGone), fail(erased, toErased)])
  await settleAll()
  expect(await versions()).toEqual(before)
})

test('an email that failed more than a week ago changes nothing', async () => {
  const leadId = await submitLead(mail)
  await fail(leadId, await writeEmail(leadId))
  await settleAll(new Date(Date.now() + 8 * 24 * 60 * 60 * 1000))
  expect(await leadOf(leadId)).toMatchObject({ followUpStatus: 'contacted' })
})
