import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDashboard, queryOf, TEST_LEADS } from '../../staff/leads/test-leads.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

let site: StaffSite
let sipho: TestSession

beforeAll(async () => {
  site = await startStaffSite(TEST_LEADS)
  sipho = await site.hire('Sipho')
})
afterAll(() => site?.stop())

test('what is shown is kept under a name, beside the given views, for this account on any device', async () => {
  const page = await openDashboard(site, '?period=week&q=bulk&page=2')
  const views = page.getByRole('navigation', { name: 'Views' })
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Name is required').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Name').fill('Bulk of the week')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const own = views.getByRole('link', { name: 'Bulk of the week' })
  await own.waitFor()
  expect(await own.getAttribute('aria-current')).toBe('true')
  await views.getByRole('link', { name: 'Overdue' }).click()
  await own.click()
  await expect.poll(() => queryOf(page)).toBe('?period=week&q=bulk')

  const elsewhere = await openDashboard(site)
  await elsewhere.getByRole('link', { name: 'Bulk of the week' }).click()
  await expect.poll(() => queryOf(elsewhere)).toBe('?period=week&q=bulk')
  const colleague = await site.open('/admin-dashboard', { as: sipho })
  await colleague.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Overdue' }).waitFor()
  expect(await colleague.getByRole('link', { name: 'Bulk of the week' }).count()).toBe(0)
  for (const other of [elsewhere, colleague]) await other.context().close()

  await page.getByRole('button', { name: 'Edit view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Bulk')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await views.getByRole('link', { name: 'Bulk', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit view' }).click()
  await page.getByRole('button', { name: 'Remove view' }).click()
  await views.getByRole('link', { name: 'Bulk', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save view' }).waitFor()
  await page.context().close()
})

test('a view keeps its dates: days that were picked as they are, and the last days as of the present one', async () => {
  const page = await openDashboard(site)
  const views = page.getByRole('navigation', { name: 'Views' })
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  const save = async (name: string, dates: string) => {
    await page.getByRole('button', { name: 'Save view' }).click()
    await dialog.getByText(`Each time you open it, it shows ${dates}.`).waitFor()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await views.getByRole('link', { name }).waitFor()
  }
  await page.getByLabel('Period').selectOption({ label: 'Last 7 Days' })
  await expect.poll(() => queryOf(page)).toBe('?period=last7')
  await save('The last days', 'the last 7 days up to the day you open it (today: 12 November 2026 - 18 November 2026)')
  await page.goto('/admin-dashboard?date=2026-11-16&status=new')
  await save('One day', 'the same dates: Monday, 16 November 2026')
  await page.goto('/admin-dashboard?status=won')
  await save('The day', 'the leads of the day you open it (today: Wednesday, 18 November 2026)')
  await page.goto('/admin-dashboard?period=month&status=won')
  await save('The month', 'the leads of the month in which you open it (now: November 2026)')
  await views.getByRole('link', { name: 'The last days' }).click()
  await expect.poll(() => queryOf(page)).toBe('?period=last7')
  await page.getByRole('heading', { name: '12 November 2026 - 18 November 2026' }).waitFor()
  await views.getByRole('link', { name: 'One day' }).click()
  await expect.poll(() => queryOf(page)).toBe('?date=2026-11-16&status=new')
  await page.context().close()
})

test('a period that finds nothing offers the same search over all dates', async () => {
  const page = await openDashboard(site, '?q=bulk&date=2020-01-01')
  await page.getByRole('button', { name: 'Search all dates' }).click()
  await expect.poll(() => new URLSearchParams(queryOf(page)).get('period')).toBe('all')
  await page.getByText('No submissions found', { exact: true }).waitFor({ state: 'detached' })
  await page.context().close()
})
