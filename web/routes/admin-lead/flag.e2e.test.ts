import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite([])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const spam = (page: Page) => page.getByRole('button', { name: /^Spam:/ })
const undo = (page: Page) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('button', { name: 'Undo' })

test('an agent calls a lead spam on its page, which says who did, and takes it back', async () => {
  const lead = await site.submit({ name: 'Crypto King' })
  const page = await site.open(`/admin-lead?id=${lead.id}`, { as: ben, viewport: { width: 390, height: 844 } })
  await spam(page).focus()
  await page.keyboard.press('Enter')
  await page.getByText('In quarantine. Marked as spam by Ben Dube.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Crypto King')
  expect(await spam(page).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await undo(page).click()
  await page.getByText(/^In quarantine/).waitFor({ state: 'hidden' })
  await spam(page).waitFor()
  await page.context().close()
})

test('a lead that is called spam in the preview leaves the list, and the quarantine names who flagged it', async () => {
  await site.submit({ name: 'Seo Wizard' })
  const page = await site.open('/admin-dashboard?period=all', { as: ben })
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const preview = page.getByRole('complementary', { name: 'Preview: Seo Wizard' })
  await page.getByRole('button', { name: 'Seo Wizard' }).click()
  await preview.getByRole('button', { name: 'Spam: Seo Wizard' }).click()
  await preview.waitFor({ state: 'hidden' })
  await page.goto('/admin-submissions?quarantine=true&decided=true')
  await page.getByText('Marked as spam by Ben Dube.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})
