import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add lead' })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const restored = (page: Page) => dialog(page).getByText('You typed this before. It is not added yet.')
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(text, { exact: true }).waitFor()
const undo = (page: Page) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('button', { name: 'Undo' }).click()
const open = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Add lead/ })
    .click()
const isClosed = (page: Page) => expect.poll(() => dialog(page).count()).toBe(0)
const keptIn = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('staff/')))

const openFilled = async (words: Record<string, string>) => {
  const page = await site.open('/admin-dashboard')
  await open(page)
  for (const [label, word] of Object.entries(words)) await field(page, label).fill(word)
  return page
}

test('what was typed outlives Escape, the way out and a reload, and is no draft any more once it is added', async () => {
  const page = await openFilled({ Name: 'Candice Adams', Phone: '082 555 0150', Note: 'Rang at noon.' })
  await field(page, 'Package').selectOption({ label: 'Premium' })
  await field(page, 'They still wait for an answer').check()
  await page.keyboard.press('Escape')
  await toast(page, 'Kept for later')
  await isClosed(page)
  await page.getByRole('button', { name: 'Add lead (not added yet)' }).waitFor()
  await open(page)
  await restored(page).waitFor()
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  expect(await field(page, 'Name').inputValue()).toBe('Candice Adams')
  await field(page, 'Email').fill('candice@adams.example')
  await restored(page).waitFor({ state: 'detached' })
  await press(page, 'Keep for later')
  await isClosed(page)
  for (const width of [360, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `closed, at ${width} px`).toEqual([])
  }
  await page.reload()
  await open(page)
  await restored(page).waitFor()
  expect(await field(page, 'Name').inputValue()).toBe('Candice Adams')
  expect(await field(page, 'Email').inputValue()).toBe('candice@adams.example')
  expect(await field(page, 'Phone').inputValue()).toBe('082 555 0150')
  expect(await field(page, 'Package').inputValue()).toBe('premium')
  expect(await field(page, 'Note').inputValue()).toBe('Rang at noon.')
  expect(await field(page, 'They still wait for an answer').isChecked()).toBe(true)
  await press(page, 'Add lead')
  await page.getByRole('heading', { level: 1, name: 'Candice Adams' }).waitFor()
  expect(await keptIn(page)).toEqual([])
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await open(page)
  expect(await field(page, 'Name').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await isClosed(page)
  expect(await page.getByText('Kept for later').count()).toBe(0)
  await page.context().close()
})

test('what is discarded comes back by an undo, unless another lead was begun since, and what is emptied is not kept', async () => {
  const page = await openFilled({ Name: 'Sipho Mokoena' })
  await press(page, 'Discard')
  await toast(page, 'Lead discarded')
  expect(await keptIn(page)).toEqual([])
  await undo(page)
  await restored(page).waitFor()
  expect(await field(page, 'Name').inputValue()).toBe('Sipho Mokoena')
  await press(page, 'Keep for later')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Add lead/)
  await open(page)
  await press(page, 'Discard')
  await open(page)
  await field(page, 'Name').fill('Somebody else')
  await page.keyboard.press('Escape')
  const other = await site.open('/admin-dashboard', { as: await site.hire('Lerato Moloi') })
  await open(other)
  expect(await field(other, 'Name').inputValue()).toBe('')
  await open(page)
  await field(page, 'Name').fill('')
  await expect.poll(() => keptIn(page)).toEqual([])
  await press(page, 'Cancel')
  await isClosed(page)
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('an undo leaves alone what was begun since', async () => {
  const page = await openFilled({ Name: 'Sipho Mokoena' })
  const tab = await page.context().newPage()
  await press(page, 'Discard')
  await tab.goto('/admin-dashboard')
  await open(tab)
  await field(tab, 'Name').fill('Somebody else')
  await undo(page)
  await toast(page, 'You have begun another lead')
  await open(page)
  expect(await field(page, 'Name').inputValue()).toBe('Somebody else')
  await page.context().close()
})

test('a lead that several tabs show is added once: the others close it', async () => {
  const page = await openFilled({ Name: 'Zanele Khumalo', Phone: '082 555 0153' })
  const other = await page.context().newPage()
  await other.goto('/admin-dashboard')
  await open(other)
  await restored(other).waitFor()
  await press(page, 'Add lead')
  await page.getByRole('heading', { level: 1, name: 'Zanele Khumalo' }).waitFor()
  await toast(other, 'This lead was added or discarded in another tab')
  await isClosed(other)
  await page.context().close()
})

test('words that were typed in another tab since are another lead, and stay', async () => {
  const page = await openFilled({ Name: 'Lindiwe Ndlovu', Phone: '082 555 0151' })
  const context = page.context()
  const [other, edited] = [await context.newPage(), await context.newPage()]
  for (const tab of [other, edited]) {
    await tab.goto('/admin-dashboard')
    await open(tab)
    await restored(tab).waitFor()
  }
  await field(edited, 'Name').fill('Lindiwe Dlamini')
  await press(page, 'Add lead')
  await page.getByRole('heading', { level: 1, name: 'Lindiwe Ndlovu' }).waitFor()
  // what was typed in the other tab is another lead, and is kept
  expect(await keptIn(page)).toHaveLength(1)
  expect(await dialog(other).count()).toBe(1)
  expect(await field(edited, 'Name').inputValue()).toBe('Lindiwe Dlamini')
  await press(edited, 'Discard')
  await toast(other, 'This lead was added or discarded in another tab')
  await isClosed(other)
  await context.close()
})

test('words that the device does not keep are not left without a question', async () => {
  const page = await site.open('/admin-dashboard')
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await open(page)
  await field(page, 'Phone').fill('082 555 0152')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Stay here' }).click()
  expect(await field(page, 'Phone').inputValue()).toBe('082 555 0152')
  await press(page, 'Cancel')
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await isClosed(page)
  await open(page)
  await field(page, 'Phone').fill('082 555 0152')
  await press(page, 'Add lead')
  await page.getByRole('heading', { level: 1, name: '082 555 0152' }).waitFor()
  await page.context().close()
})

test('signing out asks first, tells of the lead that was not added without its words, and forgets it', async () => {
  const page = await site.open('/admin-dashboard', { as: await site.hire('Nomsa Zulu') })
  await open(page)
  await field(page, 'Name').fill('Candice Adams')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out without saving?' })
  await expect.poll(() => question.getByRole('listitem').allInnerTexts()).toEqual(['A new lead that was not added'])
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  expect(await keptIn(page)).toEqual([])
  await page.context().close()
})
