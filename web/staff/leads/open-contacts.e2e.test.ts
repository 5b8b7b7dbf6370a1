import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../test-staff-site.ts'

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite([])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const asked = (page: Page, name: string) => page.getByRole('region', { name: `Did you reach ${name}?` })
const call = (page: Page, name: string) => page.getByRole('link', { name: `Call ${name}` }).click()
const contacts = async (id: string): Promise<string[]> => {
  const { timeline } = await (await site.call('GET', `/api/leads/${id}/person`)).json()
  return timeline.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind !== 'lead')
}

test('what came of a call is asked after Back, on other screens and after a reload, and is noted once', async () => {
  const lead = await site.submit({ name: 'Calling Cara' })
  const page = await site.open('/admin-today', { as: ben, viewport: { width: 390, height: 844 } })
  await page.getByRole('link', { name: /^Calling Cara/ }).click()
  await page.waitForURL('**/admin-lead?id=*')
  await page.getByRole('region', { name: 'Answer' }).getByRole('link', { name: 'Call' }).click()
  await asked(page, 'Calling Cara')
    .getByText(/^You called [\d ]+, \d\d:\d\d\. Only an answer/)
    .waitFor()
  await page.goBack()
  await page.waitForURL('**/admin-today')
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await asked(page, 'Calling Cara').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await page.reload()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const other = await page.context().newPage()
  await other.goto('/admin-pipeline')
  await asked(other, 'Calling Cara').waitFor()
  await asked(page, 'Calling Cara').getByRole('button', { name: 'Yes, we spoke' }).dblclick()
  await page.getByText('Call noted: Calling Cara').waitFor()
  for (const tab of [page, other]) await asked(tab, 'Calling Cara').waitFor({ state: 'detached' })
  expect(await contacts(lead.id)).toEqual(['call'])
  await page.context().close()
})

test('two calls are asked about, the last one first, and the lead can be worked on meanwhile', async () => {
  const first = await site.submit({ name: 'First Fanie' })
  const second = await site.submit({ name: 'Second Sam' })
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'First Fanie')
  await page.getByRole('button', { name: 'Assign to me: First Fanie' }).click()
  await page.getByText('Assigned to you: First Fanie').waitFor()
  await call(page, 'Second Sam')
  await asked(page, 'Second Sam').getByText('1 more to say after this.').waitFor()
  await asked(page, 'Second Sam').getByRole('button', { name: 'No answer' }).click()
  await asked(page, 'First Fanie').getByRole('link', { name: 'First Fanie' }).click()
  await page.waitForURL(`**/admin-lead?id=${first.id}`)
  await page.getByRole('heading', { name: 'First Fanie' }).waitFor()
  await asked(page, 'First Fanie').getByRole('button', { name: 'Yes, we spoke' }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Note' }).evaluate((field) => field === document.activeElement))
    .toBe(true)
  expect(await contacts(first.id)).toContain('call')
  expect(await contacts(second.id)).toEqual(['call_unanswered'])
  await page.context().close()
})

test('by keyboard the question has the focus once the call is made, and gives it back', async () => {
  await site.submit({ name: 'Keyed Kim' })
  const page = await site.open('/admin-today', { as: ben })
  const link = page.getByRole('link', { name: 'Call Keyed Kim' })
  await link.focus()
  await page.keyboard.press('Enter')
  const isFocused = (element: Element) => element === document.activeElement
  await expect.poll(() => asked(page, 'Keyed Kim').evaluate(isFocused)).toBe(true)
  await asked(page, 'Keyed Kim').getByRole('button', { name: 'Not called' }).press('Enter')
  await asked(page, 'Keyed Kim').waitFor({ state: 'detached' })
  expect(await link.evaluate(isFocused)).toBe(true)
  await page.context().close()
})

test('WhatsApp is one press from Today, with its text filled in, and is offered for no landline', async () => {
  const lead = await site.submit({ name: 'Mobile Mo', phone: '082 555 0133' })
  await site.submit({ name: 'Landline Lou', phone: '011 555 0123' })
  const page = await site.open('/admin-today', { as: ben, viewport: { width: 320, height: 844 } })
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const link = page.getByRole('link', { name: 'WhatsApp Mobile Mo (new tab)' })
  await expect.poll(() => link.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/27825550133\?text=Hello%20Mobile%20Mo/)
  expect(await page.getByRole('link', { name: /^WhatsApp Landline/ }).count()).toBe(0)
  await link.click()
  const question = page.getByRole('region', { name: 'Did you send Mobile Mo the message?' })
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await question.getByRole('button', { name: 'Yes, I sent it' }).click()
  await page.getByText('WhatsApp message noted: Mobile Mo').waitFor()
  expect(await contacts(lead.id)).toEqual(['whatsapp'])
  await page.context().close()
})

test('signing out asks about a call that is not noted, a browser that keeps nothing asks all the same', async () => {
  await site.submit({ name: 'Private Pam' })
  const page = await site.open('/admin-today', { as: ben })
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Nothing is kept', 'QuotaExceededError')
    }
  })
  await page.reload()
  await call(page, 'Private Pam')
  await asked(page, 'Private Pam').getByRole('button', { name: 'Not called' }).click()
  await asked(page, 'Private Pam').waitFor({ state: 'detached' })
  await page.context().close()

  const other = await site.open('/admin-today', { as: ben })
  await call(other, 'Private Pam')
  await asked(other, 'Private Pam').waitFor()
  await other.getByRole('button', { name: 'Sign out' }).click()
  const question = other.getByRole('dialog', { name: 'Sign out without saving?' })
  await question.getByText('You have not said what came of 1 call or message.').waitFor()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await other.waitForURL('**/login')
  expect(await other.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('contact')))).toEqual([])
  await other.context().close()
})
