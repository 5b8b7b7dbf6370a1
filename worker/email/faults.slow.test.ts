import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { leadStreams, submitLead } from '../../events/lead.ts'
import { DELIVERED, openTestService, type TestService } from '../../events/testing/email-service.ts'
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

test('a service that hangs, and answers after the time-out, is not asked again at once, and holds up the next for a moment', async () => {
  const late: ServerResponse[] = []
  service.reply((response, submission) => {
    if (service.submissions.length === 1) late.push(response)
    else DELIVERED(response, submission)
  })
  await startWithService()
  const hanging = await submitContract()
  await eventually(() => expect(late).toHaveLength(1), PATIENT_MS)
  const next = await submitContract()
  await becomes(hanging, { state: 'retrying', attempts: 1, uncertain: 1 })
  for (const response of late) response.end(JSON.stringify({ success: 'true' }))
  await becomes(next, { state: 'delivered', attempts: 1 })
  await becomes(hanging, { state: 'retrying', attempts: 1, uncertain: 1 })
  expect(service.submissions).toHaveLength(2)
  await workers.sql`update deliveries set due_at = now() where event_id = ${hanging}`
  await becomes(hanging, { state: 'delivered', attempts: 2 })
})
