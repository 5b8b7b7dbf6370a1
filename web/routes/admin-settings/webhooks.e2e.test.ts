import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { isSignedBy, openTestReceiver, type TestReceiver } from '../../../events/testing/receiver.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'
import { DESKTOP, PHONE, TABLET } from '../../test-site.ts'

const PASSWORD = 'the password of an owner'

let receiver: TestReceiver
let moved: TestReceiver
let site: StaffSite
let owner: Page
let other: Page
let secret = ''

beforeAll(async () => {
  receiver = await openTestReceiver()
  moved = await openTestReceiver()
  site = await startStaffSite([], { PUSH_TEST_ORIGINS: `${receiver.origin},${moved.origin}` })
  const account = { username: 'naledi', displayName: 'Naledi', password: PASSWORD, role: 'owner' }
  expect((await site.call('POST', '/api/accounts', account)).status).toBe(201)
  const signedIn = await site.node.post('/api/login', { username: 'naledi', password: PASSWORD })
  const naledi = { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '' }
  owner = await site.open('/admin-settings#webhooks')
  other = await site.open('/admin-settings#webhooks', { as: naledi })
})
afterAll(async () => {
  await site.stop()
  await Promise.all([receiver.close(), moved.close()])
})

const host = () => new URL(receiver.origin).host
const rows = (page: Page) => page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
const deliveries = (page: Page) => page.getByRole('list', { name: 'Webhook log' }).getByRole('article')
const looksRight = async (page: Page) => {
  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport)
    // a screen that is still being filled in is no fault
    await expect.poll(() => faultsOf(page)).toEqual([])
  }
}
const topicsTaken = () => receiver.bodies().map(({ type }) => type)

test('an owner adds a webhook by keyboard and sees its secret once; it is told of a lead, signed by it', async () => {
  await owner.getByText('There are no webhooks').waitFor()
  await owner.getByRole('button', { name: 'Add a webhook' }).press('Enter')
  const form = owner.getByRole('dialog', { name: 'Add a webhook' })
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter')
  await form.getByText('Address is required').waitFor()
  await form.getByText('Choose what it is told of').waitFor()
  await form.getByLabel('Address').fill('https://192.168.1.1/hook')
  await form.getByLabel('Lead created').press('Space')
  await form.getByLabel('Lead won').press('Space')
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter')
  await form.getByText('Must be an HTTPS address on the internet').waitFor()
  await looksRight(owner)
  await form.getByLabel('Address').fill(`${receiver.origin}/hook`)
  await form.getByRole('button', { name: 'Add webhook' }).press('Enter')
  const made = owner.getByRole('dialog', { name: 'The webhook’s secret' })
  secret = await made.getByRole('textbox', { name: 'Secret' }).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await looksRight(owner)
  await made.getByRole('button', { name: 'Done' }).click()
  await rows(owner).getByText('Lead created, Lead won').waitFor()
  expect(await owner.getByText(secret).count()).toBe(0)
  await looksRight(owner)
  const lead = await site.submit({ name: 'Ana Botha' })
  await eventually(async () => expect(topicsTaken()).toEqual(['lead.created']))
  expect(receiver.bodies()[0].data.lead).toMatchObject({ id: lead.id, name: 'Ana Botha' })
  expect(receiver.taken.every((message) => isSignedBy(message, secret))).toBe(true)
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'won' })
  await eventually(async () => expect(topicsTaken()).toEqual(['lead.created', 'lead.won']))
})

test('another owner sends a test, sees what came of it, and sends it again', async () => {
  receiver.taken.length = 0
  receiver.reply((_, response) => response.writeHead(500).end('out of order'))
  await other.reload()
  await rows(other)
    .getByRole('button', { name: `Send test to ${host()}` })
    .click()
  await other.getByText('Test on its way').first().waitFor()
  await rows(other).getByRole('link', { name: 'See the log' }).click()
  const failed = deliveries(other).filter({ hasText: 'Given up' })
  await failed.getByText('Last try: Answered 500', { exact: true }).waitFor()
  await failed.getByText('Tries', { exact: true }).click()
  await failed.getByText('out of order').waitFor()
  await failed.getByText('Answered 500', { exact: true }).waitFor()
  await looksRight(other)
  receiver.reply((_, response) => response.writeHead(200).end('ok'))
  await failed.getByRole('button', { name: 'Send again' }).click()
  await deliveries(other).filter({ hasText: 'Test' }).getByText('Delivered', { exact: true }).waitFor()
  expect(
    await deliveries(other)
      .getByText(/^Last try:/)
      .count(),
  ).toBe(0)
  expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await other.getByRole('button', { name: 'Given up' }).click()
  await other.getByText('No deliveries').waitFor()
  await other.getByRole('button', { name: 'Delivered' }).click()
  await eventually(async () => expect(await deliveries(other).count()).toBe(3))
})

test('what happens while it is paused waits; a new secret signs beside the old one', async () => {
  receiver.taken.length = 0
  await other.goto('/admin-settings#webhooks')
  await rows(other)
    .getByRole('button', { name: `Pause ${host()}` })
    .click()
  await rows(other).getByText('Paused', { exact: true }).waitFor()
  await site.submit({ name: 'Sipho' })
  await eventually(async () => {
    const [webhook] = await (await site.call('GET', '/api/webhooks')).json()
    expect(webhook).toMatchObject({ isPaused: true, waiting: 1 })
  })
  await rows(other)
    .getByRole('button', { name: `New secret for ${host()}` })
    .click()
  await other.getByRole('button', { name: 'Make secret' }).click()
  const fresh = await other.getByRole('textbox', { name: 'Secret' }).inputValue()
  await other.getByRole('button', { name: 'Done' }).click()
  expect(receiver.taken).toEqual([])
  await rows(other)
    .getByRole('button', { name: `Resume ${host()}` })
    .click()
  await eventually(async () => expect(topicsTaken()).toEqual(['lead.created']))
  expect([secret, fresh].map((each) => receiver.taken.every((message) => isSignedBy(message, each)))).toEqual([
    true,
    true,
  ])
})

test('one that was paused for its failures is told to owners on every screen, and not to agents', async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  await sql`update webhooks set paused_at = now(), paused_by_failures = true`
  await sql.end()
  await owner.goto('/admin-overview')
  await owner.getByRole('alert').getByText(`The webhook to ${host()} is paused`).waitFor()
  await looksRight(owner)
  const agent = await site.open('/admin-webhooks', { as: await site.hire('Sipho') })
  await deliveries(agent).first().waitFor()
  expect(await agent.getByText('is paused').count()).toBe(0)
  await agent.goto('/admin-settings')
  await agent.getByText('Only owners keep them.').waitFor()
  await owner.getByRole('link', { name: 'Look at webhooks' }).click()
  await rows(owner)
    .getByRole('button', { name: `Resume ${host()}` })
    .click()
  await owner.getByText('is paused').waitFor({ state: 'detached' })
})

test('one that the restore of a backup paused says so, in its row and on every screen', async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  await sql`update webhooks set paused_at = now(), paused_by_restore = true`
  await sql.end()
  await owner.goto('/admin-overview')
  await owner.getByRole('alert').getByText('A backup was restored.').waitFor()
  await owner.goto('/admin-settings#webhooks')
  await rows(owner).getByText('A backup was restored, so this webhook was paused.').waitFor()
  await looksRight(owner)
  await rows(owner)
    .getByRole('button', { name: `Resume ${host()}` })
    .click()
  await eventually(async () => expect(await owner.getByText('A backup was restored').count()).toBe(0))
})

test('an owner edits and removes it after a question that names it; the account history tells all of it', async () => {
  await rows(owner)
    .getByRole('button', { name: `Edit ${host()}` })
    .click()
  const form = owner.getByRole('dialog', { name: 'Edit the webhook' })
  const { host: newHost } = new URL(moved.origin)
  await form.getByLabel('Address').fill(`${moved.origin}/hook`)
  await form.getByLabel('Chat started').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await rows(owner).getByText('Lead created, Lead won, Chat started').waitFor()
  await rows(owner)
    .getByRole('button', { name: `Remove ${newHost}` })
    .click()
  await owner.getByRole('button', { name: 'Remove webhook' }).click()
  await owner.getByText('There are no webhooks').waitFor()
  // whose list is older is told that it has gone
  await rows(other)
    .getByRole('button', { name: /^Pause/ })
    .click()
  await other.getByText('There is no webhook with this id').first().waitFor()
  await owner.goto('/admin-account-history')
  for (const done of ['added', 'paused', 'made a new secret for'])
    await owner.getByText(`${done} the webhook to ${host()}`).first().waitFor()
  for (const done of ['edited', 'removed']) await owner.getByText(`${done} the webhook to ${newHost}`).first().waitFor()
  await owner.getByText(`Naledi sent a test to ${host()}`).waitFor()
})
