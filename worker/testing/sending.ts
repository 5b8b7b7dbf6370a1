import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect } from 'vitest'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { DELIVERED, openTestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestSmtp } from '../../events/testing/smtp.ts'
import { openTestWorkers } from './workers.ts'

/** Ten seconds of waiting for a response, on a slow machine. */
export const PATIENT_MS = 60_000
export const FAST = { EMAIL_SERVICE_PER_MINUTE: '600', EMAIL_SMTP_PER_MINUTE: '600' }

/** Opens both ways out for email, for the tests of a file; no worker runs until a test starts one. */
export const openSending = async () => {
  const workers = await openTestWorkers()
  const service = await openTestService()
  const smtp = await openTestSmtp()

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

  return { workers, service, smtp, startWithService, submitContract, becomes }
}
