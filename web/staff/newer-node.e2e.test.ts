import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fromTheFuture } from '../../events/testing/future.ts'
import { eventually } from '../../events/testing/node.ts'
import { faultsOf, type StaffSite, startStaffSite } from './test-staff-site.ts'

const CONTRACT = {
  name: 'Ana Botha',
  leadSource: 'contract_premium',
  businessName: 'Botha Bakery',
  agreedToTerms: true,
}

/** How a word that no version knows is shown. */
const NEW = 'Brand new'

let site: StaffSite
let page: Page
let leadId: string
let sessionId: string

/** Has every answer and every frame come as from a node that knows more than this page. */
const upgradeNode = async (to: Page) => {
  await to.route('**/api/**', async (route) => {
    if (route.request().url().endsWith('/stream')) return await route.continue()
    const response = await route.fetch()
    const isJson = response.headers()['content-type']?.includes('json')
    await route.fulfill(isJson ? { response, json: fromTheFuture(await response.json()) } : { response })
  })
  await to.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((text) => {
      socket.send(JSON.stringify({ type: 'brand_new', sessionId, party: 'bot' }))
      socket.send(JSON.stringify({ type: 'receipt', sessionId, party: 'bot', delivered: 1, seen: 1 }))
      socket.send(JSON.stringify(fromTheFuture(JSON.parse(String(text)), ['type', 'senderType', 'party'])))
    })
  })
}

const open = async (path: string) => {
  await page.goto(`${site.node.url}${path}`)
  return page
}

beforeAll(async () => {
  site = await startStaffSite()
  const { id } = await site.submit(CONTRACT)
  leadId = id
  const flagged = { name: 'Bot', email: 'bot@example.com', phone: '082 555 0100', leadSource: 'hero_form', quartz: 'x' }
  await site.node.post('/api/leads', flagged)
  await site.call('POST', `/api/leads/${id}/notes`, { note: 'Call back' })
  await site.hire('Sipho')
  sessionId = await site.chat({ name: 'Lerato', email: 'lerato@example.com' }, 'Hello there')
  await eventually(async () => {
    const [lead] = await (await site.call('GET', '/api/leads')).json()
    expect(lead).toMatchObject({ forwardStatus: 'outbox' })
    expect(await (await site.call('GET', '/api/chats')).json()).toHaveLength(1)
  })
  page = await site.open('/admin-account')
  await upgradeNode(page)
})

afterAll(async () => {
  await site?.stop()
})

beforeEach(() => page.goto('about:blank'))

test('the list of leads shows a status and an email’s state that it does not know', async () => {
  await open('/admin-dashboard')
  const card = page.getByRole('article', { name: 'Botha Bakery' })
  await card.getByText(NEW, { exact: true }).waitFor()
  await card.getByText('Email brand new', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('the quarantine shows a suspicion that it does not know', async () => {
  await open('/admin-submissions?quarantine=true')
  await page.getByText(`${NEW}.`).waitFor()
})

test('a lead’s page shows kinds of entries that it does not know, and leaves an unknown status as it is', async () => {
  await open(`/admin-lead?id=${leadId}`)
  const entries = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
  await entries.filter({ hasText: NEW }).first().waitFor()
  expect(await entries.count()).toBe(3)
  expect(await page.getByLabel('Status').inputValue()).toBe('brand_new')
  expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  expect(await faultsOf(page)).toEqual([])
})

test('the email site shows a state and a recipient that it does not know', async () => {
  await open('/admin-email')
  const card = page.getByRole('listitem').filter({ hasText: 'Botha Bakery' })
  await card.getByText(NEW, { exact: true }).first().waitFor()
})

test('the overview counts sources, packages and times that it does not know', async () => {
  await open('/admin-overview')
  await page.getByText('1 lead in 30 days, from Brand new', { exact: true }).waitFor()
  await page.locator('svg').getByText(NEW, { exact: true }).first().waitFor()
})

test('settings, accounts and one’s own account are shown, and an unknown role is kept', async () => {
  await open('/admin-settings')
  const row = page.getByRole('listitem').filter({ hasText: 'Sipho' })
  await row.getByText(NEW, { exact: true }).waitFor()
  await row.getByRole('button', { name: /Edit/ }).click()
  await page.getByRole('button', { name: 'Save account' }).waitFor()
  expect(await page.getByRole('dialog').getByLabel('Role').count()).toBe(0)
  await open('/admin-account-history')
  await page.getByText(`${NEW}: thandi`).first().waitFor()
  await open('/admin-account')
  await page.getByText('Owner', { exact: true }).waitFor()
})

test('the console passes over frames that it does not know, and shows chats that go on and have ended', async () => {
  await open(`/admin-chat?session=${sessionId}`)
  await page.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('log').getByText('Hello there').waitFor()
  await page.getByRole('button', { name: 'End chat' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
  await page.getByText(/^This chat has ended/).waitFor()
  await page.getByRole('button', { name: 'Ended', exact: true }).click()
  await page.getByRole('list', { name: 'Ended chats' }).getByRole('button', { name: 'Lerato' }).waitFor()
})

test('a visitor’s chat passes over frames that it does not know', async () => {
  const visitor = await site.open('/')
  await upgradeNode(visitor)
  await visitor.getByRole('button', { name: 'Open chat' }).click()
  await visitor.getByLabel('Your name').fill('Zanele')
  await visitor.getByRole('button', { name: 'Start Chat' }).click()
  await visitor.getByText('Thanks for reaching out!').waitFor()
  await visitor.getByPlaceholder('Type your message...').fill('Is this still open?')
  await visitor.keyboard.press('Enter')
  const bubble = visitor.getByRole('log').getByRole('listitem').filter({ hasText: 'Is this still open?' })
  await bubble.getByText('Sent').waitFor()
  await visitor.context().close()
})
