import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite()
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const open = async (lead: Lead) => {
  const page = await site.open(`/admin-lead?id=${lead.id}`)
  await status(page).waitFor()
  return page
}
const status = (page: Page) => page.getByLabel('Status', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' })
const toast = (page: Page, text: string) => toasts(page).getByText(text, { exact: true }).waitFor()
const saved = async (lead: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${lead.id}`)).json()

/** Holds back the next change until it is let go. */
const holdSave = async (page: Page) => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/leads/*', async (route) => {
    if (route.request().method() === 'PATCH') await promise
    await route.continue()
  })
  return letGo
}

test('dates are typed key by key, and those that are none are not saved', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await status(page).selectOption({ label: 'Won' })
  for (const label of ['Next action', 'Conversion date']) {
    const field = page.getByLabel(label)
    await field.focus()
    await page.keyboard.type('01312027')
    expect(await field.inputValue()).toBe('2027-01-31')
  }
  await save(page).click()
  await toast(page, 'Saved')
  const won = await saved(lead)
  expect(won).toMatchObject({ nextActionDate: '2027-01-31', conversionDate: '2027-01-31T10:00:00.000Z' })

  const date = page.getByLabel('Conversion date')
  await date.focus()
  await page.keyboard.type('0131')
  await page.keyboard.type('2')
  expect(await date.inputValue()).toBe('0002-01-31')
  await save(page).click()
  await expect.poll(() => date.evaluate((field) => (field as HTMLInputElement).validity.rangeUnderflow)).toBe(true)
  expect(await saved(lead)).toEqual(won)
  await page.context().close()
})

test('what is edited while a change is being saved stays, to be saved next', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  const letGo = await holdSave(page)
  await status(page).selectOption({ label: 'Contacted' })
  await save(page).click()
  await page.getByRole('button', { name: 'Saving...' }).waitFor()
  await page.getByLabel('Next action').focus()
  await page.keyboard.type('12242026')
  letGo()
  await toast(page, 'Saved')
  await expect.poll(() => page.getByLabel('Next action').inputValue()).toBe('2026-12-24')
  await expect.poll(() => status(page).inputValue()).toBe('contacted')
  await save(page).click()
  await expect.poll(() => saved(lead)).toMatchObject({ followUpStatus: 'contacted', nextActionDate: '2026-12-24' })
  await page.context().close()
})

test('what is edited while a clash waits for its choice is part of the choice', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await status(page).selectOption({ label: 'Quoted' })
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'lost' }, ben)
  await save(page).click()
  const panel = page.getByRole('alert').filter({ hasText: 'Ben Dube changed this' })
  await panel.getByText('Quoted', { exact: true }).waitFor()
  await page.getByLabel('Next action').focus()
  await page.keyboard.type('12242026')
  await status(page).selectOption({ label: 'Contacted' })
  await panel.getByText('Contacted', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Use mine' }).click()
  await panel.waitFor({ state: 'hidden' })
  await expect.poll(() => saved(lead)).toMatchObject({ followUpStatus: 'contacted', nextActionDate: '2026-12-24' })
  await page.context().close()
})

test('where a colleague made the same change first there is nothing of mine to undo', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  const letGo = await holdSave(page)
  await status(page).selectOption({ label: 'Contacted' })
  await save(page).click()
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' }, ben)
  letGo()
  await toast(page, 'Saved')
  expect(await toasts(page).getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted', version: 2 })
  await page.context().close()
})

test('asks before a half-written note or an unsaved follow-up is left, for another lead too', async () => {
  const person = { email: 'same@example.com', phone: '082 999 0002' }
  const other = await site.submit({ ...person, name: 'Other Lead' })
  const page = await open(await site.submit({ ...person, name: 'This Lead' }))
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const stay = question.getByRole('button', { name: 'Stay here' })
  const note = page.getByLabel('Note', { exact: true })
  await note.focus()
  await page.keyboard.type('Half a no')
  await page.getByRole('link', { name: 'Other Lead' }).first().click()
  await stay.click()
  await expect.poll(() => note.inputValue()).toBe('Half a no')
  await note.fill('')
  await status(page).selectOption({ label: 'Lost' })
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await stay.click()
  await expect.poll(() => status(page).inputValue()).toBe('lost')
  await page.getByRole('link', { name: 'Other Lead' }).first().click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { level: 1, name: 'Other Lead' }).waitFor()
  expect(new URL(page.url()).searchParams.get('id')).toBe(other.id)
  await page.context().close()
})

const keptIn = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('staff/')))

test('what is not saved outlives a lost network and a closed tab, overwrites no colleague’s change, and goes at sign-out', async () => {
  const lead = await site.submit()
  const page = await site.open(`/admin-lead?id=${lead.id}`, { as: await site.hire('Lerato Moloi') })
  await status(page).waitFor()
  const context = page.context()
  await context.setOffline(true)
  await page.getByText('You are offline. What you see may be old.').waitFor()
  await page.getByLabel('Note', { exact: true }).fill('Called at noon')
  await status(page).selectOption({ label: 'Quoted' })
  await page.getByRole('button', { name: 'Add note' }).click()
  await toast(page, 'The note was not added')
  await page.close()
  await context.setOffline(false)
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' }, ben)

  const again = await context.newPage()
  await again.goto(`/admin-lead?id=${lead.id}`)
  await again.getByText('You typed this before. It is not saved yet.').first().waitFor()
  expect(await again.getByLabel('Note', { exact: true }).inputValue()).toBe('Called at noon')
  expect(await status(again).inputValue()).toBe('quoted')
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted' })
  expect(await faultsOf(again)).toEqual([])
  await save(again).click()
  await again.getByRole('button', { name: 'Use mine' }).click()
  await expect.poll(() => saved(lead)).toMatchObject({ followUpStatus: 'quoted' })
  await again.getByRole('button', { name: 'Add note' }).click()
  await again.getByRole('list', { name: 'Timeline' }).getByText('Called at noon').waitFor()
  await expect.poll(() => keptIn(again)).toEqual([])

  await again.getByLabel('Note', { exact: true }).fill('Half a no')
  await expect.poll(() => keptIn(again)).toHaveLength(1)
  const other = await site.open(`/admin-lead?id=${lead.id}`, { as: ben })
  await status(other).waitFor()
  expect(await other.getByLabel('Note', { exact: true }).inputValue()).toBe('')
  again.on('dialog', (dialog) => dialog.accept())
  await again.getByRole('button', { name: 'Sign out' }).click()
  await again.waitForURL('**/login')
  expect(await keptIn(again)).toEqual([])
  await Promise.all([context.close(), other.context().close()])
})

test('a session that ends leaves what was typed in sight, and says what to do', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  const note = page.getByLabel('Note', { exact: true })
  await note.focus()
  await page.keyboard.type('Half a no')
  await page.context().clearCookies()
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' }, ben)
  await toast(page, 'Your session has ended')
  await toast(page, 'Sign in again in another tab, then try again here.')
  await expect.poll(() => note.inputValue()).toBe('Half a no')
  expect(new URL(page.url()).pathname).toBe('/admin-lead')
  await page.context().close()
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test('the focus stays where one is, or goes to the heading of what one did', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await status(page).selectOption({ label: 'Contacted' })
  await save(page).focus()
  await page.keyboard.press('Enter')
  await toast(page, 'Saved')
  await save(page).waitFor()
  expect(await focused(page)).toBe('Save')
  const takeBack = page.getByRole('list', { name: 'Timeline' }).getByRole('button', { name: /^Undo: Updated lead/ })
  await takeBack.focus()
  await page.keyboard.press('Enter')
  await toast(page, 'Undone')
  await takeBack.waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('Timeline')
  await status(page).selectOption({ label: 'Quoted' })
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'lost' }, ben)
  await save(page).click()
  await page.getByRole('button', { name: 'Use mine' }).focus()
  await page.keyboard.press('Enter')
  await toast(page, 'Saved')
  await page.getByRole('button', { name: 'Use mine' }).waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('Follow-up')
  await page.context().close()
})

test('says why the server refuses, in its words', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await page.getByLabel('Note', { exact: true }).waitFor()
  // the page has not heard of it
  await page.route(`**/api/leads/${lead.id}`, () => undefined)
  await expect.poll(async () => (await site.call('POST', `/api/leads/${lead.id}/erase`, {})).status).toBe(204)
  await page.getByLabel('Note', { exact: true }).focus()
  await page.keyboard.type('Called.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await toast(page, 'This person has been erased: nothing is written down about them any more.')
  await expect.poll(() => page.getByLabel('Note', { exact: true }).inputValue()).toBe('Called.')
  await page.context().close()
})

test('copies what stands in for a prompt that is missing without calling it one', async () => {
  const page = await open(await site.submit({ leadSource: 'Website Info Form' }))
  await page.getByRole('button', { name: 'Copy AI Prompt' }).click()
  await toast(page, 'Copied to clipboard!')
  expect(await page.getByText('AI Website Generation Prompt copied').count()).toBe(0)
  await page.context().close()
})
