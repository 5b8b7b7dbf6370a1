import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contractReferenceOf } from '../../events/base/reference.ts'
import type { AnyNewEvent } from '../../events/catalogue.ts'
import {
  contractAccepted,
  contractNoticeGiven,
  contractStepUndone,
  contractWentLive,
} from '../../events/contract/life.ts'
import { contractStreams } from '../../events/contract/signed-copy.ts'
import { readCopies, readCopy } from '../../events/contract/store/signed-copies.ts'
import { publishTerms, sha256Of } from '../../events/contract/store/terms.ts'
import { termsOf } from '../../events/contract/terms.ts'
import { eraseKeys } from '../../events/erasure/key-eraser.ts'
import { type Correction, leadCorrected } from '../../events/lead/correction.ts'
import type { SpamSignal } from '../../events/lead/form/spam-signals.ts'
import { leadErased, leadStreams, submitLead } from '../../events/lead/lead.ts'
import { verifiedContract } from '../../events/lead/store/verified-contract.ts'
import { NO_COMPANY } from '../../events/settings/company.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { dispatch } from '../email/dispatch.ts'
import { requestCopies } from '../leads/visitor-copies.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { change, releaseLead } from '../testing/leads.ts'
import { makeSignedCopies, warmUp } from './signed-copies.ts'

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
  service.submissions.length = 0
  smtp.taken.length = 0
})

afterAll(async () => {
  await mail.close()
  await Promise.all([service.close(), smtp.close()])
})

/** A visitor signs a contract. Returns the id of its lead. */
const sign = async (spamSignals: SpamSignal[] = [], name = 'Zoë Nkosi') => {
  const leadId = randomUUID()
  const { version, sha256, terms } = await publishTerms(mail, termsOf('premium', { packages: {}, company: NO_COMPANY }))
  const signing = {
    terms: { version, sha256, isNamed: true, agreement: terms.agreement },
    evidence: {
      signature: name,
      clientAddress: '203.0.113.7',
      userAgent: 'A browser',
      openedAt: null,
      tickedAt: null,
      contractSha256: '5c'.repeat(32),
    },
  }
  const context = { touches: { firstTouch: null, lastTouch: null }, spamSignals, signing }
  const events = [{ id: leadId, ...submitLead({ leadId, form: sampleLeadForm({ ...CONTRACT, name }) }, context) }]
  await mail.log.append({ stream: leadStreams.of(leadId), expectedVersion: 0, events })
  return leadId
}

const makeCopies = async () => {
  const passOver = (_: unknown, error: unknown) => {
    throw error
  }
  while (await makeSignedCopies({ ...mail.delivering, passOver }));
}

const madeCopies = () => mail.sql<{ id: string; text: string }[]>`
  select id, e::text as text from events e where type = 'ContractCopyMade' order by position`

test('a contract gets one signed copy, encrypted, however many workers make it and however often', async () => {
  const leadId = await sign()
  await Promise.all([makeCopies(), makeCopies()])
  await mail.sql`delete from checkpoint_positions where consumer = 'signed-copies' and position > 0`
  await makeCopies()
  const [made, ...others] = await madeCopies()
  expect(others).toEqual([])
  const copy = await readCopy(mail.sql, leadId)
  expect(copy?.pdf?.subarray(0, 5).toString()).toBe('%PDF-')
  expect(copy?.sha256).toBe(sha256Of(copy?.pdf ?? ''))
  expect(made?.text).toContain(copy?.sha256)
  expect(made?.text).not.toMatch(/Nkosi|JVBERi0/)
})

test('a worker that warms up renders a whole document, and stores none', async () => {
  await warmUp(mail.delivering.config)
  expect(await madeCopies()).toEqual([])
})

test('a worker that dies before the copy is stored leaves it to the next one: one PDF in the end, and one email', async () => {
  const leadId = await sign()
  const dying = { append: () => Promise.reject(new Error('killed')) }
  const passOver = (_: unknown, error: unknown) => {
    throw error
  }
  await expect(makeSignedCopies({ ...mail.delivering, log: dying, passOver })).rejects.toThrow('killed')
  expect(await readCopy(mail.sql, leadId)).toBeUndefined()
  await makeCopies()
  expect(await madeCopies()).toHaveLength(1)
  for (let times = 0; times < 2; times += 1) {
    await dispatch(mail.sql, mail.queue)
    await mail.attempt(leadId)
  }
  expect(service.submissions.map(({ files }) => sha256Of(files?.attachment?.content ?? ''))).toEqual([
    (await readCopy(mail.sql, leadId))?.sha256,
  ])
})

test('a contract whose terms were changed by hand in Postgres gets no copy, and its email goes without one', async () => {
  const leadId = await sign()
  await mail.sql`
    update events set data = jsonb_set(data::jsonb, '{text}', to_jsonb(replace(data->>'text', '499', '1')))::json
    where stream = 'terms-premium'`
  await makeCopies()
  expect(await readCopy(mail.sql, leadId)).toBeUndefined()
  await dispatch(mail.sql, mail.queue)
  await mail.attempt(leadId)
  expect(service.submissions).toHaveLength(1)
  expect(service.submissions[0]?.files?.attachment).toBeUndefined()
})

test('a flagged contract gets its copy once staff have released it', async () => {
  const leadId = await sign(['too_fast'])
  await makeCopies()
  expect(await readCopy(mail.sql, leadId)).toBeUndefined()
  await releaseLead(mail, leadId, leadId)
  await makeCopies()
  expect((await readCopy(mail.sql, leadId))?.pdf).toBeTruthy()
})

test('the same copy goes with the email to the agency and with the client’s confirmation, also if email is first', async () => {
  const leadId = await sign()
  await dispatch(mail.sql, mail.queue)
  await mail.attempt(leadId)
  const [submission] = service.submissions
  const attached = submission?.files?.attachment
  expect(attached?.name).toMatch(/^contract-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}\.pdf$/)
  await makeCopies()
  const copy = await readCopy(mail.sql, leadId)
  expect(sha256Of(attached?.content ?? '')).toBe(copy?.sha256)

  mail.delivering.config = { ...mail.delivering.config, smtpUrl: smtp.url }
  await mail.viewOf(randomUUID())
  while (await requestCopies({ sql: mail.sql, log: mail.log, isOn: true }));
  await dispatch(mail.sql, mail.queue)
  const [asked] = await mail.sql<{ id: string }[]>`select id from events where type = 'LeadCopyRequested'`
  await mail.attempt(asked?.id ?? '')
  const message = smtp.taken[0]?.message ?? ''
  const base64 = copy?.pdf?.toString('base64') ?? 'no copy'
  expect(message.replace(/\r\n/g, '')).toContain(base64)
  expect(message).toContain(`filename=${attached?.name}`)
  expect(await madeCopies()).toHaveLength(1)
})

const correct = async (leadId: string, personal: Correction) => {
  const events = [{ id: randomUUID(), ...leadCorrected({ by: randomUUID() }, { subjectId: leadId, personal }) }]
  await mail.log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events })
}

test('a corrected name makes a new version of the copy, once, that names the one it replaces', async () => {
  const leadId = await sign()
  await makeCopies()
  await correct(leadId, { phone: '0821234567' })
  await correct(leadId, { name: 'Zoe Nkosi' })
  await Promise.all([makeCopies(), makeCopies()])
  await mail.sql`delete from checkpoint_positions where consumer = 'signed-copies' and position > 0`
  await makeCopies()
  const [first, second, ...others] = await readCopies(mail.sql, leadId)
  expect(others).toEqual([])
  expect([first?.correctionId, second?.correctionId]).toEqual([null, expect.any(String)])
  expect(second?.sha256).not.toBe(first?.sha256)
  expect(second?.pdf?.includes(`Replaces the copy: SHA-256 ${first?.sha256}`)).toBe(true)
  const verified = await verifiedContract(mail.sql, contractReferenceOf(leadId))
  expect(verified).toMatchObject({ copies: [second?.sha256, first?.sha256], isUnbroken: true, state: 'signed' })

  await correct(leadId, { company: 'Nkosi Bakers' })
  await makeCopies()
  const third = await readCopy(mail.sql, leadId)
  expect(third?.pdf?.includes('Client: Nkosi Bakers, by Zoe Nkosi')).toBe(true)
  expect(third?.pdf?.includes(`Replaces the copy: SHA-256 ${second?.sha256}`)).toBe(true)
})

test('a name that was corrected in quarantine is in the second version, made right after the first', async () => {
  const leadId = await sign(['too_fast'])
  await correct(leadId, { name: 'Zoe Nkosi' })
  await makeCopies()
  expect(await readCopies(mail.sql, leadId)).toEqual([])
  await releaseLead(mail, leadId, leadId)
  await makeCopies()
  expect(await readCopies(mail.sql, leadId)).toHaveLength(2)
})

test('a step in the life of a contract is emailed to its client once, unless it was undone', async () => {
  mail.delivering.config = { ...mail.delivering.config, smtpUrl: smtp.url }
  const leadId = await sign()
  await makeCopies()
  const about = { subjectId: leadId, personal: { to: 'zoe@example.com' } }
  const step = async (event: AnyNewEvent) => {
    const id = randomUUID()
    const stream: string = contractStreams.of(leadId)
    await mail.log.append({ stream, expectedVersion: 'any', events: [{ id, ...event }] })
    return id
  }
  const by = randomUUID()
  const accepted = await step(
    contractAccepted(
      { leadId, by, isEmailed: true },
      { ...about, personal: { ...about.personal, countersignedBy: 'Lindiwe' } },
    ),
  )
  await step(contractWentLive({ leadId, by, isEmailed: false, on: '2026-12-11', endsOn: null }, about))
  const notice = await step(
    contractNoticeGiven({ leadId, by, isEmailed: true, on: '2028-01-31', endsOn: '2028-03-01' }, about),
  )
  await step(contractStepUndone({ leadId, by, undoes: notice }))
  while (await dispatch(mail.sql, mail.queue));
  const asked = await mail.sql<{ id: string }[]>`
    select event_id as id from deliveries where recipient = 'visitor' and stream = ${contractStreams.of(leadId)}
    order by event_position`
  expect(asked.map(({ id }) => id)).toEqual([accepted, notice])
  for (const { id } of asked) await mail.attempt(id)
  expect(smtp.taken.map(({ message }) => /^Subject: (.+)$/m.exec(message)?.[1])).toEqual([
    expect.stringContaining('We accepted your contract'),
  ])
  const text = smtp.taken[0]?.message.replace(/=\r?\n/g, '')
  expect(text).toContain('Lindiwe has accepted and countersigned your contract.')
  expect((await verifiedContract(mail.sql, contractReferenceOf(leadId)))?.state).toBe('live')
})

test('an erased person’s contract gets no copy, and one that was made can no longer be read', async () => {
  const [first, second] = [await sign(), await sign()]
  await change(mail, second, leadErased({ by: randomUUID() }))
  while (await eraseKeys(mail.sql));
  await makeCopies()
  expect(await readCopy(mail.sql, second)).toBeUndefined()
  await change(mail, first, leadErased({ by: randomUUID() }))
  while (await eraseKeys(mail.sql));
  expect(await readCopy(mail.sql, first)).toMatchObject({ sha256: expect.any(String), pdf: null })
})
