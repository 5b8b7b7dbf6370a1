import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { DELIVERED } from '../../events/testing/email-service.ts'
import { eventually } from '../../events/testing/node.ts'
import { openSending, PATIENT_MS } from '../testing/sending.ts'

// Faults of other servers, with workers as processes.

const { workers, service, startWithService, submitContract, becomes } = await openSending()

test('a service that hangs, and responds after the time-out, is not tried again at once, and delays the next for a moment', async () => {
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
