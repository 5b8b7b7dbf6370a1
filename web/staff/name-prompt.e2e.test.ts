import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite } from './test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

test('who has no name but a username is asked for one on Today until they dismiss it, and customers see the team meanwhile', async () => {
  const lead = await site.submit({ name: 'Nomsa Asks' })
  const page = await site.open('/admin-today')
  const prompt = page.getByRole('complementary', { name: 'Your name' })
  await prompt.getByText('Customers see "Support Team" under your emails').waitFor()
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await prompt.getByRole('button', { name: 'Not now' }).click()
  await prompt.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  await page.reload()
  await page.getByRole('link', { name: 'Nomsa Asks' }).first().waitFor()
  expect(await prompt.count()).toBe(0)
  await page.context().close()

  const other = await site.open('/admin-today')
  await other.getByRole('link', { name: 'Add your name' }).click()
  await other.getByText('This is your username, which customers do not see').waitFor()
  await other.getByLabel('Name', { exact: true }).fill('Thandi Mokoena')
  await other.getByRole('button', { name: 'Save profile' }).click()
  await other.getByText('Saved. Your colleagues see it now.').waitFor()
  await other.goto('/admin-today')
  await other.getByRole('link', { name: 'Nomsa Asks' }).first().waitFor()
  expect(await other.getByRole('complementary', { name: 'Your name' }).count()).toBe(0)
  await other.goto(`/admin-lead?id=${lead.id}`)
  await other.getByRole('link', { name: 'WhatsApp' }).first().waitFor()
  expect(await other.getByRole('link', { name: 'WhatsApp' }).first().getAttribute('href')).toContain('Thandi%20Mokoena')
  await other.context().close()
})
