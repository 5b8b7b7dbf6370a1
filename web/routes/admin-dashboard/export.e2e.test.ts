import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, openDashboard, TEST_LEADS } from '../../staff/leads/test-leads.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'
import { alertDuring } from '../../test-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite(TEST_LEADS)
})

afterAll(() => site?.stop())

test('exports all leads of the period and the search as a CSV file, or as a workbook', async () => {
  const page = await openDashboard(site, '?period=week')
  await found(page, 64)
  const exported = async (label: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: label, exact: true }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const workbook = await exported('Export to Excel')
  expect(workbook.name).toBe('karoo-web-studio-week-2026-11-15.xlsx')
  expect(workbook.text.slice(0, 2)).toBe('PK')
  await page.getByLabel('File format').selectOption('csv')
  const week = await exported('Export to CSV')
  expect(week.name).toBe('karoo-web-studio-week-2026-11-15.csv')
  expect(week.text.startsWith('\u{FEFF}"Date","Time","Name"')).toBe(true)
  expect(week.text.trimEnd().split('\r\n')).toHaveLength(65)
  expect(week.text).toContain('"You are an expert web developer. ""Build"" it."')
  expect(week.text).toContain('"+27 82 555 0177"')
  await page.goto('/admin-dashboard?period=all')
  await found(page, TEST_LEADS.length)
  expect((await exported('Export to Excel')).name).toBe('karoo-web-studio-leads-all-dates.xlsx')
  await page.getByLabel('File format').selectOption('csv')
  expect((await exported('Export to CSV')).name).toBe('karoo-web-studio-leads-all-dates.csv')
  await page.goto('/admin-dashboard?q=sipho')
  await found(page, 1, ' (filtered by "sipho")')
  await page.getByLabel('File format').selectOption('csv')
  const day = await exported('Export to CSV')
  expect(day.name).toBe('karoo-web-studio-leads-2026-11-18.csv')
  expect(day.text.trimEnd().split('\r\n')).toHaveLength(2)
  await page.context().close()
})

test('a CSV file names an owner whose account is removed', async () => {
  const leaver = await site.hire('Lerato Former')
  const { id } = await (await site.call('GET', '/api/me', undefined, leaver)).json()
  const [lead] = await (await site.call('GET', '/api/leads?q=sipho')).json()
  expect((await site.call('PATCH', `/api/leads/${lead.id}`, { ownerId: id })).status).toBe(200)
  expect((await site.call('DELETE', `/api/accounts/${id}`)).status).toBe(204)
  const page = await openDashboard(site, '?q=sipho')
  await found(page, 1, ' (filtered by "sipho")')
  await page.getByLabel('File format').selectOption('csv')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export to CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('"Lerato Former"')
  await page.context().close()
})

test('shows how far a long export is, lets it be cancelled, tells a failure, and refuses an empty one', async () => {
  const page = await openDashboard(site)
  await page.route('**/api/leads/summary**', (route) =>
    route.fulfill({ json: { total: 6_000, days: [{ day: '2026-11-18', count: 6_000 }] } }),
  )
  const held = Promise.withResolvers<void>()
  await page.route(/limit=1000/, async (route) => {
    await held.promise
    await route.abort()
  })
  await page.reload()
  await found(page, 6_000)
  await page.getByLabel('File format').selectOption('csv')
  const button = page.getByRole('button', { name: 'Export to CSV' })
  await button.focus()
  await page.keyboard.press('Enter')
  const status = page.getByRole('status')
  await status.getByText('Exporting', { exact: true }).waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement))
    .toBe(true)
  expect(await page.getByRole('progressbar').getAttribute('max')).toBe('6000')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await button.waitFor()
  await status.getByText('Export cancelled', { exact: true }).waitFor()
  await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await page.getByText('The export failed').count()).toBe(0)
  held.resolve()
  await page.unroute(/limit=1000/)
  await page.route(/limit=1000/, (route) => route.fulfill({ status: 503, body: 'busy' }))
  await button.click()
  await page.getByRole('alert').getByText('The export failed').waitFor()
  await page.unroute(/limit=1000/)
  await page.route(/limit=1000/, (route) => route.fulfill({ json: [] }))
  expect(await alertDuring(page, () => button.click())).toBe('No submissions to export for the selected period.')
  await page.context().close()
})
