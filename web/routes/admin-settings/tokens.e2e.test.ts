import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agencyDay } from '../../../events/agency-day.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'
import { DESKTOP, PHONE, startTestSite, TABLET, type TestSite } from '../../test-site.ts'

const AGENT = { username: 'sipho', password: 'the password of Sipho' }

let site: TestSite
let owner: Page
let other: Page
let token = ''

beforeAll(async () => {
  site = await startTestSite()
  const settings = async () => {
    const page = await site.open('/admin-settings#api-tokens', { viewport: DESKTOP })
    await fillSignIn(page)
    await page.getByText('There are no tokens').waitFor()
    return page
  }
  owner = await settings()
  other = await settings()
})
afterAll(() => site.stop())

const tokens = (page: Page) => page.getByRole('list', { name: 'API tokens' }).getByRole('listitem')
/** Whether the program is let in, which asks for a lead that nobody has. */
const isLetIn = async () => {
  const { status } = await fetch(`${site.node.url}/api/leads/${randomUUID()}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect([401, 404]).toContain(status)
  return status === 404
}
const fits = async (page: Page) => {
  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
}

test('an owner makes a token by keyboard, sees it once, and its program is let in', async () => {
  await owner.getByRole('button', { name: 'Make a token' }).focus()
  await owner.keyboard.press('Enter')
  const form = owner.getByRole('dialog', { name: 'Make a token' })
  await form.getByRole('button', { name: 'Make token' }).press('Enter')
  await form.getByText('Name is required').waitFor()
  await form.getByText('Choose what the token may do').waitFor()
  expect(await violationsIn(owner, 'html')).toEqual([])
  await form.getByLabel('Name').fill('Bookkeeping')
  await form.getByLabel('Read and export leads').press('Space')
  await form.getByLabel('Last day').fill('2020-01-01')
  await form.getByText('Choose today or a later day').waitFor()
  await form.getByLabel('Last day').fill(agencyDay(new Date()))
  await fits(owner)
  await form.getByRole('button', { name: 'Make token' }).press('Enter')
  const made = owner.getByRole('dialog', { name: 'Your new token' })
  token = await made.getByRole('textbox', { name: 'Token' }).inputValue()
  expect(await isLetIn()).toBe(true)
  expect(await violationsIn(owner, 'html')).toEqual([])
  await fits(owner)
  await made.getByRole('button', { name: 'Done' }).click()
  await tokens(owner).filter({ hasText: 'Bookkeeping' }).getByText('Read and export leads').waitFor()
  expect(await owner.getByText(token).count()).toBe(0)
  await fits(owner)
})

test('another owner revokes it after a question that names it; the account history tells both', async () => {
  await other.reload()
  await tokens(other).getByText(token.slice(0, 15)).waitFor()
  await tokens(other).getByRole('button', { name: 'Revoke Bookkeeping' }).click()
  const question = other.getByRole('dialog', { name: 'Revoke Bookkeeping?' })
  expect(await violationsIn(other, 'html')).toEqual([])
  await other.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await isLetIn()).toBe(true)
  await tokens(other).getByRole('button', { name: 'Revoke Bookkeeping' }).click()
  await question.getByRole('button', { name: 'Revoke token' }).click()
  await other.getByText('There are no tokens').waitFor()
  expect(await isLetIn()).toBe(false)
  // whose list is older is told that it has gone
  await tokens(owner).getByRole('button', { name: 'Revoke Bookkeeping' }).click()
  await owner.getByRole('button', { name: 'Revoke token' }).click()
  await owner.getByText('There is no token with this id').waitFor()
  await other.goto(`${site.node.url}/admin-account-history`)
  await other.getByText('thandi revoked the API token Bookkeeping').waitFor()
  await other.getByText('thandi made the API token Bookkeeping').waitFor()
})

test('a token that a restored backup has ended says so', async () => {
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  await sql`update api_tokens set revoked_at = null, expires_at = now(), ended_by_restore = true`
  await sql.end()
  await owner.reload()
  const ended = tokens(owner).filter({ hasText: 'Bookkeeping' })
  await ended.getByText('A backup was restored, so this token ended.').waitFor()
  expect(await violationsIn(owner, 'html')).toEqual([])
  await fits(owner)
})

test('agents see that there are such tokens, and none of them', async () => {
  await other.evaluate(
    (body) => fetch('/api/accounts', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    JSON.stringify({ ...AGENT, displayName: 'Sipho', role: 'agent' }),
  )
  const agent = await site.open('/admin-settings', { viewport: PHONE })
  await fillSignIn(agent, AGENT)
  await agent.getByText('Only owners see them.').waitFor()
  expect(await violationsIn(agent, 'html')).toEqual([])
})
