import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'
import { DESKTOP, PHONE, TABLET } from '../../test-site.ts'

let site: StaffSite
let page: Page

beforeAll(async () => {
  site = await startStaffSite([{ name: 'Ana Botha' }])
  page = await site.open('/admin-api')
})
afterAll(() => site.stop())

const looksRight = async () => {
  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport)
    expect(await faultsOf(page)).toEqual([])
  }
}
const form = (name: string) => page.getByRole('form', { name, exact: true })

test('a call is found and sent by keyboard, as who is signed in', async () => {
  const call = page.locator('summary').filter({ hasText: 'Lists leads' })
  await call.press('Enter')
  await looksRight()
  await form('GET /api/leads').getByLabel('limit').fill('1')
  await form('GET /api/leads').getByRole('button', { name: 'Send' }).press('Enter')
  await form('GET /api/leads').getByText('200 OK').waitFor()
  await form('GET /api/leads').getByRole('region', { name: 'Answer' }).getByText('Ana Botha').waitFor()
  await looksRight()
})

test('with a token it is sent as its program, which is refused beyond its scopes', async () => {
  const made = await site.call('POST', '/api/tokens', { name: 'Bookkeeping', scopes: ['leads:read'] })
  const { token } = await made.json()
  await page.getByLabel('API token').fill(token)
  await page.locator('summary').filter({ hasText: 'Enters a lead' }).click()
  await form('POST /api/leads/by-hand').getByLabel('Body').fill('{ "name": "Sipho", "email": "s@example.com" }')
  await form('POST /api/leads/by-hand').getByRole('button', { name: 'Send' }).click()
  await form('POST /api/leads/by-hand').getByText('This token does not have the scope leads:write').waitFor()
  await page.locator('summary').filter({ hasText: 'One lead' }).click()
  const [{ id }] = await (await site.call('GET', '/api/leads')).json()
  const one = form('GET /api/leads/{id}')
  await one.getByLabel('id', { exact: true }).fill(id)
  await one.getByRole('button', { name: 'Send' }).click()
  await one.getByRole('region', { name: 'Answer' }).getByText('Ana Botha').waitFor()
})

test('the document is there for programs that nobody has let in yet, and names this site', async () => {
  const response = await fetch(`${site.node.url}/api/openapi.json`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: expect.stringMatching('^http') }] })
})
