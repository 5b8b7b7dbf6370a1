import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { isSignedBy, openTestReceiver, type TestReceiver } from '../../../events/testing/receiver.ts'
import { DESKTOP, PHONE } from '../../testing/site.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../testing/staff-site.ts'

let receiver: TestReceiver
let site: StaffSite
let owner: Page
let secret = ''

beforeAll(async () => {
  receiver = await openTestReceiver()
  site = await startStaffSite([], { PUSH_TEST_ORIGINS: receiver.origin })
  owner = await site.open('/admin-settings/webhooks')
})
afterAll(async () => {
  await site.stop()
  await receiver.close()
})

const host = () => new URL(receiver.origin).host
const rows = () => owner.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
const deliveries = () => owner.getByRole('list', { name: 'Webhook log' }).getByRole('article')
const looksRight = async () => {
  for (const viewport of [PHONE, DESKTOP]) {
    await owner.setViewportSize(viewport)
    // a screen that is still being filled in is no fault
    await expect.poll(() => faultsOf(owner)).toEqual([])
  }
}
const topicsTaken = () => receiver.bodies().map(({ type }) => type)

test('an owner adds a webhook by keyboard and sees its secret once; it receives a lead, signed with it', async () => {
  await owner.getByRole('button', { name: 'Add a webhook' }).press('Enter')
  const form = owner.getByRole('dialog', { name: 'Add a webhook' })
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter')
  await form.getByText('Address is required').waitFor()
  await looksRight()
  await form.getByLabel('Lead created').press('Space')
  await form.getByLabel('Lead won').press('Space')
  await form.getByLabel('Address').fill('https://192.168.1.1/hook')
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter')
  await form.getByText('Must be an HTTPS address on the internet').waitFor()
  await form.getByLabel('Address').fill(`${receiver.origin}/hook`)
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter')
  const made = owner.getByRole('dialog', { name: 'The webhook’s secret' })
  secret = await made.getByRole('textbox', { name: 'Secret' }).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await made.getByRole('button', { name: 'Done' }).click()
  const lead = await site.submit({ name: 'Ana Botha' })
  await eventually(async () => expect(topicsTaken()).toEqual(['lead.created']))
  expect(receiver.bodies()[0].data.lead).toMatchObject({ id: lead.id, name: 'Ana Botha' })
  expect(receiver.taken.every((message) => isSignedBy(message, secret))).toBe(true)
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'won' })
  await eventually(async () => expect(topicsTaken()).toEqual(['lead.created', 'lead.won']))
})

test('events wait while it is paused; a new secret signs next to the old one', async () => {
  receiver.taken.length = 0
  const act = (name: string) => rows().getByRole('button', { name }).click()
  await act(`Pause ${host()}`)
  await rows().getByText('Paused', { exact: true }).waitFor()
  await site.submit({ name: 'Sipho' })
  await eventually(async () => {
    const [webhook] = await (await site.call('GET', '/api/webhooks')).json()
    expect(webhook).toMatchObject({ isPaused: true, waiting: 1 })
  })
  await act(`New secret for ${host()}`)
  await owner.getByRole('button', { name: 'Make secret' }).click()
  const fresh = await owner.getByRole('textbox', { name: 'Secret' }).inputValue()
  await owner.getByRole('button', { name: 'Done' }).click()
  expect(receiver.taken).toEqual([])
  await act(`Resume ${host()}`)
  await eventually(async () => expect(topicsTaken()).toEqual(['lead.created']))
  for (const each of [secret, fresh]) expect(receiver.taken.every((one) => isSignedBy(one, each))).toBe(true)
})

test('a failed test is in the log with its response, and can be sent again from there', async () => {
  receiver.taken.length = 0
  receiver.reply((_, response) => response.writeHead(500).end('out of order'))
  await rows()
    .getByRole('button', { name: `Send test to ${host()}` })
    .click()
  await owner.getByText('Test on its way').first().waitFor()
  await rows().getByRole('link', { name: 'See the log' }).click()
  const failed = deliveries().filter({ hasText: 'Given up' })
  await failed.getByText('Last try: Answered 500', { exact: true }).waitFor()
  await failed.getByText('Tries', { exact: true }).click()
  await failed.getByText('out of order').waitFor()
  await failed.getByText('Answered 500', { exact: true }).waitFor()
  await looksRight()
  receiver.reply((_, response) => response.writeHead(200).end('ok'))
  await failed.getByRole('button', { name: 'Send again' }).click()
  await deliveries().filter({ hasText: 'Test' }).getByText('Delivered', { exact: true }).waitFor()
  expect(
    await deliveries()
      .getByText(/^Last try:/)
      .count(),
  ).toBe(0)
  expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await owner.getByRole('button', { name: 'Given up' }).click()
  await owner.getByText('No deliveries').waitFor()
  await owner.getByRole('button', { name: 'Delivered' }).click()
  await eventually(async () => expect(await deliveries().count()).toBe(4))
})

test('a paused webhook shows to owners on every screen with a link; an agent sees the log without it', async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  await sql`update webhooks set paused_at = now(), paused_by_restore = true`
  await sql.end()
  const agent = await site.open('/admin-webhooks', { as: await site.hire('Sipho') })
  await deliveries().first().waitFor()
  await owner.goto('/admin-overview')
  await owner.getByRole('alert').getByText(`The webhook to ${host()} is paused`).waitFor()
  await looksRight()
  await owner.getByRole('link', { name: 'Look at webhooks' }).click()
  await rows().getByText('A backup was restored, so this webhook was paused.').waitFor()
  await looksRight()
  await rows()
    .getByRole('button', { name: `Resume ${host()}` })
    .click()
  await owner.getByText('is paused').waitFor({ state: 'detached' })
  await agent.getByRole('list', { name: 'Webhook log' }).getByRole('article').first().waitFor()
  expect(await agent.getByText('is paused').count()).toBe(0)
  await agent.context().close()
})

test('it is removed, and the account history lists all changes', async () => {
  await rows()
    .getByRole('button', { name: `Remove ${host()}` })
    .click()
  await owner.getByRole('button', { name: 'Remove webhook' }).click()
  await owner.getByText('No webhooks yet.').waitFor()
  await owner.goto('/admin-account-history')
  for (const done of ['added', 'paused', 'made a new secret for', 'removed'])
    await owner.getByText(`thandi ${done} the webhook to ${host()}`).first().waitFor()
  await owner.getByText(`thandi sent a test to ${host()}`).waitFor()
  // entries of sign-ins are between them
  await owner.getByText('Sipho signed in').waitFor()
  await looksRight()
})
