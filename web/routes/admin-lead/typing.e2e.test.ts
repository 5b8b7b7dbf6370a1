import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'
import { fillSignIn } from '../../test-sign-in.ts'

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

const keptIn = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('staff/')))

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
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, ben)).json()
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted', ownerId }, ben)
  letGo()
  await toast(page, 'Saved')
  expect(await toasts(page).getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted', ownerId, version: 2 })
  await page.context().close()
})

test('keeps a half-written note without a question, and asks before an unsaved follow-up is left, for another lead too', async () => {
  const person = { email: 'same@example.com', phone: '082 999 0002' }
  const other = await site.submit({ ...person, name: 'Other Lead' })
  const page = await open(await site.submit({ ...person, name: 'This Lead' }))
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const stay = question.getByRole('button', { name: 'Stay here' })
  const note = page.getByLabel('Note', { exact: true })
  await note.focus()
  await page.keyboard.type('Half a no')
  await page.getByRole('link', { name: 'Other Lead' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Other Lead' }).waitFor()
  expect(await note.inputValue()).toBe('')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'This Lead' }).waitFor()
  await expect.poll(() => note.inputValue()).toBe('Half a no')
  await status(page).selectOption({ label: 'Lost' })
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await stay.click()
  await expect.poll(() => status(page).inputValue()).toBe('lost')
  await page.getByRole('link', { name: 'Other Lead' }).first().click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { level: 1, name: 'Other Lead' }).waitFor()
  expect(new URL(page.url()).searchParams.get('id')).toBe(other.id)
  // what was not asked about stays
  await page.goBack()
  await expect.poll(() => note.inputValue()).toBe('Half a no')
  expect(await status(page).inputValue()).toBe('new')
  await page.context().close()
})

test('asks before words are left that this device does not keep, or that another tab has put others in the place of', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  const note = page.getByLabel('Note', { exact: true })
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await note.fill('Nobody keeps this')
  await page.getByRole('link', { name: 'Pipeline' }).click()
  await question.getByRole('button', { name: 'Stay here' }).click()
  expect(await note.inputValue()).toBe('Nobody keeps this')
  await page.reload()
  await note.fill('What one tab wrote')
  const other = await page.context().newPage()
  await other.goto(`/admin-lead?id=${lead.id}`)
  await other.getByLabel('Note', { exact: true }).fill('Quite other words')
  await page.getByRole('link', { name: 'Pipeline' }).click()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('list', { name: 'Timeline' }).getByText('What one tab wrote').waitFor()
  await other.getByRole('link', { name: 'Pipeline' }).click()
  await other.getByRole('button', { name: 'Stay here' }).click()
  expect(await other.getByLabel('Note', { exact: true }).inputValue()).toBe('Quite other words')
  await page.context().close()
})

test('a note that is on its way when one leaves is no draft any more once it is stored', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  const held = Promise.withResolvers<void>()
  await page.route('**/notes', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByLabel('Note', { exact: true }).fill('Called at noon')
  const stored = page.waitForResponse('**/notes')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('link', { name: 'Pipeline' }).click()
  await page.waitForURL('**/admin-pipeline')
  held.resolve()
  await stored
  await expect.poll(() => keptIn(page)).toEqual([])
  await page.context().close()
})

test('a note that was begun about a lead goes along where a colleague merges it into another one', async () => {
  const [stays, gone] = [await site.submit(), await site.submit()]
  const page = await open(gone)
  await page.getByLabel('Note', { exact: true }).fill('Half a no')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByText('Unsaved note').waitFor()
  const body = { mergedId: gone.id, mergedVersion: 1, takes: [] }
  const headers = { 'content-type': 'application/json', 'if-match': '"1"', ...ben }
  const merged = await site.node.call(`/api/leads/${stays.id}/merge`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(merged.status).toBe(200)
  await page.goto(`/admin-lead?id=${gone.id}`)
  await page.waitForURL(`**/admin-lead?id=${stays.id}`)
  expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('Half a no')
  expect((await keptIn(page)).map((key) => key.includes(stays.id))).toEqual([true])
  await page.context().close()
})

test('asks before who has half a note signs out, who stays signed in by it, and does not ask twice', async () => {
  const lead = await site.submit()
  const page = await site.open(`/admin-lead?id=${lead.id}`, { as: await site.hire('Nomsa Zulu') })
  const isSignedIn = async () => (await page.request.get('/api/me')).ok()
  const question = page.getByRole('dialog', { name: 'Sign out without saving?' })
  const stay = question.getByRole('button', { name: 'Stay here' })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    dialog.accept()
  })
  await page.getByLabel('Note', { exact: true }).focus()
  await page.keyboard.type('Half a no')
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect(await faultsOf(page)).toEqual([])
  await stay.click()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('A lead, a chat, a person or a screen...').fill('sign out')
  await page.getByRole('option', { name: 'Sign out', exact: true }).click()
  await stay.click()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('Half a no')
  expect(await isSignedIn()).toBe(true)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  expect(await isSignedIn()).toBe(false)
  expect(asked).toEqual([])
  await page.context().close()
})

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
  await again.getByRole('button', { name: 'Sign out' }).click()
  await again.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await again.waitForURL('**/login')
  expect(await keptIn(again)).toEqual([])
  await Promise.all([context.close(), other.context().close()])
})

test('a note goes from the tabs that show it when one saves it, and from the device when its person is erased', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await page.getByLabel('Note', { exact: true }).fill('Called at noon')
  const other = await page.context().newPage()
  await other.goto(`/admin-lead?id=${lead.id}`)
  const shown = () => other.getByLabel('Note', { exact: true }).inputValue()
  await expect.poll(shown).toBe('Called at noon')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect.poll(shown).toBe('')
  await toast(other, 'This note was saved or discarded in another tab')
  await page.getByLabel('Note', { exact: true }).fill('Half a no')
  await expect.poll(() => keptIn(page)).toHaveLength(1)
  await page.close()
  await Promise.all([other.waitForResponse('**/api/leads/stream'), other.goto('/admin-dashboard')])
  expect(await keptIn(other)).toHaveLength(1)
  await expect.poll(async () => (await site.call('POST', `/api/leads/${lead.id}/erase`, {})).status).toBe(204)
  await expect.poll(() => keptIn(other)).toEqual([])
  await other.context().close()
})

test('a session that ends leaves what was typed in sight, and says what to do', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  const note = page.getByLabel('Note', { exact: true })
  await note.focus()
  await page.keyboard.type('Half a no')
  await page.context().clearCookies()
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' }, ben)
  const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended.' })
  await notice.waitFor()
  await expect.poll(() => note.inputValue()).toBe('Half a no')
  expect(new URL(page.url()).pathname).toBe('/admin-lead')
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await notice.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Your session has ended. Sign in again.').waitFor()
  await fillSignIn(page)
  await page.waitForURL(`**/admin-lead?id=${lead.id}`)
  await expect.poll(() => note.inputValue()).toBe('Half a no')
  expect(await notice.count()).toBe(0)
  await page.context().close()
})

test('a save that is refused because the session has ended says so, and a sign-in in another tab ends that', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await page.getByLabel('Note', { exact: true }).fill('Half a no')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Add note' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended.' })
  await notice.waitFor()
  const other = await page.context().newPage()
  await other.goto('/login')
  await fillSignIn(other)
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Half a no').waitFor()
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
