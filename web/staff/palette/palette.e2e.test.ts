import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../test-staff-site.ts'

let site: StaffSite
let agent: TestSession
let sessionId: string

beforeAll(async () => {
  site = await startStaffSite([
    { name: 'Zanele Qwabe', businessName: 'Uxbridge Bakery' },
    { name: 'Xolani Zulu', email: 'xolani@example.com' },
  ])
  agent = await site.hire('Sipho Dlamini')
  sessionId = await site.chat({ name: 'Zodwa', email: 'zodwa@example.com' }, 'Hello')
})
afterAll(() => site?.stop())

const openPalette = async (page: Page) => {
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').waitFor()
}
const options = (page: Page) => page.getByRole('dialog').getByRole('option')
/** What Enter goes to: while more is found it may be another one. */
const chosen = (page: Page) => page.getByRole('dialog').getByRole('option', { selected: true })

test('by keys alone: to a lead, a chat, a colleague’s leads and a screen, from every screen', async () => {
  const page = await site.open('/admin-overview')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await openPalette(page)
  await page.keyboard.type('qw')
  await chosen(page).filter({ hasText: 'Zanele Qwabe, Uxbridge Bakery' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin-lead?id=*')
  await page.getByRole('heading', { level: 1, name: 'Zanele Qwabe, Uxbridge Bakery' }).waitFor()

  await openPalette(page)
  await page.keyboard.type('zodwa')
  await chosen(page)
    .filter({ hasText: /^Zodwa/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/admin-chat?session=${sessionId}`)

  await openPalette(page)
  await page.keyboard.type('sipho')
  await chosen(page).filter({ hasText: 'Leads of Sipho Dlamini' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin-dashboard?period=all&owner=*')

  await openPalette(page)
  await page.keyboard.type('hist')
  await chosen(page).filter({ hasText: 'Account history' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin-account-history')
  await page.context().close()
})

test('arrows move, Escape closes and gives the focus back, and what fits nothing can be searched for', async () => {
  const page = await site.open('/admin-dashboard')
  const opener = page.getByRole('button', { name: 'Go to' })
  await opener.click()
  await page.getByRole('combobox', { name: 'Go to' }).waitFor()
  const current = () => page.locator('[cmdk-item][aria-selected=true]').textContent()
  await expect.poll(current).toBe('Today')
  await page.keyboard.press('ArrowDown')
  await expect.poll(current).toBe('Dashboard')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
  await openPalette(page)
  await page.keyboard.type('nobody at all')
  await expect.poll(() => options(page).allTextContents()).toEqual(['All leads with "nobody at all"'])
  await page.getByRole('status').getByText('Nothing found for "nobody at all".').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin-dashboard?period=all&q=nobody+at+all')
  await page.context().close()
})

test('names a lead that is called so before a newer one with such an address', async () => {
  await site.submit({ name: 'Zodwa Ndaba' })
  await site.submit({ name: 'Chatty Cathy', email: 'zodwa@example.com' })
  const page = await site.open('/admin-today')
  await page.getByRole('button', { name: 'Go to' }).click()
  const field = page.getByRole('combobox', { name: 'Go to' })
  await expect
    .poll(async () => {
      await field.fill('')
      await field.fill('zodwa')
      return (await options(page).allTextContents()).slice(0, 2).map((text) => text.slice(0, 6))
    })
    .toEqual(['Zodwa ', 'Chatty'])
  await page.context().close()
})

test('tells of leads in quarantine that match, and leads to them', async () => {
  await site.submit({ name: 'Trapped Thami', ...({ quartz: 'x' } as object) })
  const page = await site.open('/admin-today')
  await page.getByRole('button', { name: 'Go to' }).click()
  const field = page.getByRole('combobox', { name: 'Go to' })
  const entries = ['All leads with "trapped"', '1 in quarantine matches "trapped"']
  await expect
    .poll(async () => {
      await field.fill('')
      await field.fill('trapped')
      return await options(page).allTextContents()
    })
    .toEqual(entries)
  expect(await faultsOf(page)).toEqual([])
  // the answer of the next text is late: what was counted for the one before is not told as its own
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  await page.route('**/api/palette?q=else*', () => ask())
  await field.fill('else')
  await asked
  expect(await options(page).allTextContents()).toEqual(['All leads with "else"'])
  await field.fill('trapped')
  await options(page).filter({ hasText: 'in quarantine' }).click()
  await page.waitForURL('**/admin-submissions?quarantine=true&decided=true&q=trapped')
  await page.getByRole('article', { name: 'Trapped Thami' }).waitFor()
  await page.context().close()
})

test('an agent on a phone finds leads, and not what is for owners', async () => {
  const page = await site.open('/admin-today', { as: agent, viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: 'Go to' }).click()
  const field = page.getByRole('combobox', { name: 'Go to' })
  await field.fill('account')
  await expect.poll(() => options(page).allTextContents()).toEqual(['Your account', 'All leads with "account"'])
  await field.fill('xol')
  await options(page).filter({ hasText: 'Xolani Zulu' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.context().close()
})
