import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { inboxAddressesPart } from '../../events/settings/inbox-addresses.ts'
import { SETTINGS_STREAM } from '../../events/settings/settings.ts'
import { DELIVERED, json } from '../../events/testing/email-service.ts'
import { eventually } from '../../events/testing/node.ts'
import { FAST, openSending, PATIENT_MS } from '../testing/sending.ts'

// Faults of other servers, with workers as processes.

const { workers, service, smtp, startWithService, submitContract, becomes } = await openSending()

test('a service that reports failure inside a 200 response is tried three times, and then staff decide', async () => {
  service.reply(json({ success: 'false', message: 'Invalid' }))
  await startWithService()
  const id = await submitContract()
  await becomes(id, { state: 'rejected', attempts: 3 })
  expect(service.submissions).toHaveLength(3)
})

test('Redis that is killed during a send, and comes back empty, neither loses nor doubles it', async () => {
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

test('an SMTP server that refuses one of two inboxes has delivered in part, and is not tried again', async () => {
  const event = inboxAddressesPart.changed({ addresses: ['gone@agency.example'], by: randomUUID() })
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
