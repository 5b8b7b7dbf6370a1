import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'
import { fillSignIn } from '../../test-sign-in.ts'

let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite()
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add lead' })
const add = (page: Page) => dialog(page).getByRole('button', { name: 'Add lead' })

test('a lead who called is entered with a phone number alone, and a colleague sees it at once', async () => {
  const [page, other] = [await site.open('/admin-dashboard'), await site.open('/admin-dashboard', { as: ben })]
  await other.getByText('No submissions found').waitFor()
  await page.getByRole('button', { name: 'Add lead' }).click()
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 700 })
  const whole = (await dialog(page).boundingBox()) ?? expect.fail()
  const button = (await add(page).boundingBox()) ?? expect.fail()
  expect(button.y + button.height).toBeLessThanOrEqual(whole.y + whole.height - 8)
  const note = dialog(page).getByLabel('They still wait for an answer')
  await note.focus()
  expect((await note.boundingBox())?.y).toBeLessThan(button.y - 16)
  await page.setViewportSize({ width: 1440, height: 900 })
  await add(page).click()
  await dialog(page).getByText('Enter an email address or a phone number').waitFor()
  await dialog(page).getByLabel('Phone').fill('082 555 0177')
  await dialog(page).getByLabel('Package').selectOption({ label: 'Premium' })
  await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Wants to know what a shop costs.')
  await add(page).dblclick()
  await page.getByRole('heading', { level: 1, name: '082 555 0177' }).waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Entered by hand').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Wants to know what a shop costs.').waitFor()
  expect(await page.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:0825550177')
  expect(await page.getByRole('button', { name: 'Write an email' }).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  const card = other.getByRole('article').filter({ hasText: '082 555 0177' })
  await card.getByText('By hand', { exact: true }).waitFor()
  expect(await card.count()).toBe(1)
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('what was typed stays where the server fails', async () => {
  const page = await site.open('/admin-dashboard')
  await page.getByRole('button', { name: 'Add lead' }).click()
  await dialog(page).getByLabel('Email').fill('late@example.com')
  await page.route('**/by-hand', (route) => route.abort())
  await add(page).click()
  await dialog(page).getByRole('alert').waitFor()
  expect(await dialog(page).getByLabel('Email').inputValue()).toBe('late@example.com')
  await page.context().close()
})

test('a session that ends takes nothing that was typed: it is there again after a sign-in', async () => {
  const page = await site.open('/admin-dashboard')
  await page.getByRole('button', { name: 'Add lead' }).click()
  await dialog(page).getByLabel('Email').fill('kept@example.com')
  await page.context().clearCookies()
  await add(page).click()
  const notice = dialog(page).getByRole('alert').filter({ hasText: 'Your session has ended.' })
  await notice.getByText('What you typed stays on this device.').waitFor()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await notice.getByRole('button', { name: 'Sign in' }).click()
  await fillSignIn(page)
  await page.getByRole('button', { name: 'Add lead (not added yet)' }).click()
  expect(await dialog(page).getByLabel('Email').inputValue()).toBe('kept@example.com')
  await add(page).click()
  await page.getByRole('heading', { level: 1, name: 'kept@example.com' }).waitFor()
  await page.context().close()
})

test('the form tells of leads with the typed address or number, however it is written, and still adds another', async () => {
  const thandi = await site.submit({ name: 'Thandi Nkosi', email: 'thandi@nkosi.example', phone: '083 444 5566' })
  await site.call('PATCH', `/api/leads/${thandi.id}`, { followUpStatus: 'quoted' })
  await site.submit({ name: 'Nobody Else', email: 'not.thandi@nkosi.example', phone: '083 444 5567' })
  await expect.poll(async () => (await (await site.call('GET', '/api/leads?q=nkosi.example')).json()).length).toBe(2)
  const page = await site.open('/admin-dashboard')
  await page.getByRole('button', { name: 'Add lead' }).click()
  const told = dialog(page).getByRole('status').filter({ hasText: 'There is a lead' })
  await dialog(page).getByLabel('Phone').fill('+27 (0)83-444-5566')
  await told
    .getByText(/^There is a lead with this number: Thandi Nkosi \(new tab\), quoted, \d+ \w+ \d{4}\.$/)
    .waitFor()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await dialog(page).getByLabel('Email').fill('Thandi@nkosi.example')
  await told.getByText(/^There is a lead with this email address and number: Thandi Nkosi/).waitFor()
  const opened = page.context().waitForEvent('page')
  await told.getByRole('link', { name: 'Thandi Nkosi (new tab)' }).click()
  await (await opened).getByRole('heading', { level: 1, name: 'Thandi Nkosi' }).waitFor()
  await dialog(page).getByLabel('Email').fill('nobody@nkosi.example')
  await dialog(page).getByLabel('Phone').fill('083 444')
  await told.waitFor({ state: 'detached' })
  await dialog(page).getByLabel('Phone').fill('083 444 5566')
  await told.waitFor()
  const waits = dialog(page).getByLabel('They still wait for an answer')
  await dialog(page).getByText('The lead counts as contacted and is yours.').waitFor()
  await waits.check()
  await dialog(page).getByText('The lead is new and has no owner, and the clock for its reply runs.').waitFor()
  await add(page).click()
  await page.getByRole('heading', { level: 1, name: 'nobody@nkosi.example' }).waitFor()
  await page.context().close()
})
