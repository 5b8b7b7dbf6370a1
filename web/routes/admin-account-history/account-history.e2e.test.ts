import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAFF } from '../../../events/testing/node.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

const SCREEN = '/admin-account-history'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let site: StaffSite
let page: Page

beforeAll(async () => {
  site = await startStaffSite()
  await site.hire('Sipho Dlamini')
  page = await site.open('/admin-settings')
})
afterAll(() => site.stop())

const logIn = (password: string) =>
  site.node.post('/api/login', { ...STAFF, password }, { 'x-forwarded-for': '203.0.113.9', 'user-agent': FIREFOX })
const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })

test('an owner comes to it from the head of the settings, and reads who did what from where', async () => {
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await tabs.getByRole('link', { name: 'Sign-ins' }).click()
  await page.waitForURL(`**${SCREEN}`)
  await entry('thandi added Sipho Dlamini as an agent').waitFor()
  await entry('Sipho Dlamini signed in').getByText('First time on this device').waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await tabs.locator('[aria-current=page]').innerText()).toBe('Sign-ins')
})

test('what happens shows by itself', async () => {
  expect((await logIn('not the password')).status).toBe(401)
  await entry('A wrong password for thandi').getByText('Firefox on Windows, from 203.0.x.x').waitFor()
  expect((await logIn(STAFF.password)).status).toBe(204)
  await page.getByText('thandi signed in').nth(1).waitFor()
})

test('older entries come a page at a time', async () => {
  for (let time = 0; time < 60; time += 1) expect((await logIn(STAFF.password)).status).toBe(204)
  await page.reload()
  const more = page.getByRole('button', { name: 'Show more' })
  await more.waitFor()
  const shown = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('time') })
  await expect.poll(() => shown.count()).toBe(50)
  await more.click()
  await entry('thandi added Sipho Dlamini as an agent').waitFor()
  await expect.poll(() => more.count()).toBe(0)
})

test('it reads well on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(page)).toEqual([])
})

test('an agent finds no way there, and is refused in words', async () => {
  const as = await site.hire('Naledi')
  const agent = await site.open('/admin-settings', { as })
  await agent.getByRole('list', { name: 'Accounts' }).waitFor()
  expect(await agent.getByRole('link', { name: /^Sign-ins/ }).count()).toBe(0)
  await agent.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Your account' }).click()
  await agent.getByRole('heading', { name: 'Your account' }).waitFor()
  await agent.goto(`${site.node.url}${SCREEN}`)
  const refusal = agent.getByRole('alert').filter({ hasText: 'Only an owner may do this' })
  await expect.poll(() => refusal.innerText()).toBe('Only an owner may do this.')
  expect(await agent.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})
