import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite([])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const open = (lead: Lead, options: Parameters<StaffSite['open']>[1] = {}) =>
  site.open(`/admin-lead?id=${lead.id}`, options)
const request = (page: Page) => page.getByRole('region', { name: 'Request' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Correct contact details' })
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const notices = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' })

test('corrects an address on a phone, by keyboard alone, and takes it back', async () => {
  const lead = await site.submit({ name: 'Ana Botha', email: 'ana@exmaple.com' })
  const page = await open(lead, { as: ben, viewport: { width: 390, height: 844 } })
  await request(page).getByRole('button', { name: 'Correct', exact: true }).focus()
  await page.keyboard.press('Enter')
  await dialog(page).waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('ana@example.com')
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'hidden' })
  await request(page).getByRole('link', { name: 'ana@example.com' }).waitFor()
  const corrected = entries(page).filter({ hasText: 'Corrected contact details' })
  await corrected.getByText('Email: ana@example.com (was ana@exmaple.com)').waitFor()
  await corrected.getByText('Ben Dube').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await notices(page).getByRole('button', { name: 'Undo' }).click()
  await request(page).getByRole('link', { name: 'ana@exmaple.com' }).waitFor()
  await entries(page).getByText('Undid a correction').waitFor()
  await page.context().close()
})

test('a correction that is typed is not left by Back without a question', async () => {
  const lead = await site.submit({ name: 'Ana Botha' })
  const page = await site.open('/admin-today', { as: ben, viewport: { width: 390, height: 844 } })
  await page
    .getByRole('link', { name: /^Ana Botha/ })
    .first()
    .click()
  await page.waitForURL('**/admin-lead?id=*')
  await request(page).getByRole('button', { name: 'Correct', exact: true }).click()
  const email = dialog(page).getByLabel('Email')
  await email.fill(`right-${lead.email}`)
  // a person takes longer from a key to Back than the page does from the key to its guard
  await page.evaluate(() => new Promise<unknown>((resolve) => requestIdleCallback(resolve)))
  await page.goBack()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  expect(await email.inputValue()).toBe(`right-${lead.email}`)
  await page.goBack()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/admin-today')
  await page.context().close()
})

test('says at its field what is wrong, and keeps what was typed', async () => {
  const lead = await site.submit({ name: 'Zola Ndaba' })
  const page = await open(lead)
  await request(page).getByRole('button', { name: 'Correct', exact: true }).click()
  await dialog(page).getByLabel('Email').fill('')
  await dialog(page).getByLabel('Phone').fill('')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).getByText('Enter an email address or a phone number').waitFor()
  await dialog(page).getByLabel('Phone').fill('082 555 0177')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await request(page).getByRole('link', { name: '082 555 0177' }).waitFor()
  await page.context().close()
})

test('tells what a colleague corrected meanwhile, and saves over it only when asked again', async () => {
  const lead = await site.submit({ name: 'Thandi Nkosi', email: 'thandi@old.example' })
  const page = await open(lead)
  await request(page).getByRole('button', { name: 'Correct', exact: true }).click()
  await dialog(page).getByLabel('Email').fill('mine@example.com')
  await site.call('PATCH', `/api/leads/${lead.id}/contact`, { email: 'theirs@example.com', phone: '0825550188' }, ben)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page)
    .getByText('Ben Dube corrected this while you were editing. Email: theirs@example.com, Phone: 0825550188.')
    .waitFor()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).waitFor({ state: 'hidden' })
  const saved: Lead = await (await site.call('GET', `/api/leads/${lead.id}`)).json()
  expect([saved.email, saved.phone]).toEqual(['mine@example.com', '0825550188'])
  await page.context().close()
})
