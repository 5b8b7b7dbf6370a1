import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { leadStreams, submitLead } from '../../events/lead.ts'
import { inboxAddressesChanged, SETTINGS_STREAM } from '../../events/settings.ts'
import { DELIVERED, json, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { openTestWorkers, type TestWorkers } from '../test-workers.ts'

// What other sides do wrong, to workers as processes.

/** Ten seconds of waiting for an answer, on a slow machine. */
const PATIENT_MS = 60_000
const FAST = { EMAIL_SERVICE_PER_MINUTE: '600', EMAIL_SMTP_PER_MINUTE: '600' }

let workers: TestWorkers
let service: TestService
let smtp: TestSmtp

beforeAll(async () => {
  workers = await openTestWorkers()
  service = await openTestService()
  smtp = await openTestSmtp()
})

afterEach(async () => {
  await workers.reset()
  service.reply(DELIVERED)
  service.submissions.length = 0
})

afterAll(async () => {
  await Promise.all([service.close(), smtp.close()])
  await workers.close()
})

const startWithService = () => workers.start(1, { ...FAST, EMAIL_FORWARD_URL: service.url })
const submitContract = async () => {
  const id = randomUUID()
  const form = sampleLeadForm({ leadSource: 'contract_premium', businessName: 'Nkosi Bakery', agreedToTerms: true })
  const events = [{ id, ...submitLead({ leadId: id, form }) }]
  await workers.log.append({ stream: leadStreams.of(id), expectedVersion: 0, events })
  return id
}
const becomes = (id: string, expected: object) =>
  eventually(async () => {
    const [row] = await workers.sql`
      select state, attempts, uncertain_tries as uncertain from deliveries where event_id = ${id}`
    expect(row).toMatchObject(expected)
  }, PATIENT_MS)

test('a service that says failure inside its answer of 200 is asked three times, and then staff decide', async () => {
  service.reply(json({ success: 'false', message: 'Invalid' }))
  await startWithService()
  const id = await submitContract()
  await becomes(id, { state: 'rejected', attempts: 3 })
  expect(service.submissions).toHaveLength(3)
})

test('Redis that is killed in the midst of a send, and comes back empty, neither loses nor doubles it', async () => {
  const held: ServerResponse[] = []
  service.reply((response) => held.push(response))
  await startWithService()
  const id = await submitContract()
  await eventually(() => expect(held).toHaveLength(1), PATIENT_MS)
  service.reply(DELIVERED)
  await workers.loseRedis(async () => {
    for (const response of held) response.end(JSON.stringify({ success: 'true' }))
    await becomes(id, { state: 'delivered', attempts: 1 })
  })
  const next = await submitContract()
  await becomes(next, { state: 'delivered', attempts: 1 })
  expect(service.submissions).toHaveLength(2)
})

test('an SMTP server that refuses one of two inboxes has delivered in part, and is not asked again', async () => {
  const event = inboxAddressesChanged({ addresses: ['gone@agency.example'], by: randomUUID() })
  const events = [{ id: randomUUID(), ...event }]
  await workers.log.append({ stream: SETTINGS_STREAM, expectedVersion: 0, events })
  smtp.answer({
    recipient: (address) => (address.startsWith('gone') ? { status: 550, text: '5.1.1 No such user' } : undefined),
  })
  await workers.start(1, { ...FAST, SMTP_URL: smtp.url, AGENCY_EMAIL: 'inbox@agency.example' })
  const id = await submitContract()
  await becomes(id, { state: 'partial', attempts: 1 })
  const toAgency = smtp.taken.map(({ to }) => to).filter((to) => !to.includes('thandi@example.co.za'))
  expect(toAgency).toEqual([['inbox@agency.example']])
})
