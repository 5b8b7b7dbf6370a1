import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'
import { fillSignIn } from '../../test-sign-in.ts'

let site: StaffSite

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite()
})

afterAll(() => site?.stop())

const found = (page: Page, count: number, more = '') =>
  page.getByText(`${count} submissions found${more}`, { exact: true }).waitFor()
const namesOf = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))

test('a new lead appears at its place and the counts rise, without a reload and with the scroll where it was', async () => {
  const page = await site.open('/admin-dashboard')
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await page.getByText('No form submissions for the selected day.').waitFor()
  const first = await site.submit({ name: 'First Visitor' })
  await found(page, 1)
  await page.getByRole('article', { name: 'First Visitor' }).waitFor()
  for (let index = 0; index < 8; index += 1) await site.submit({ name: `Visitor ${index}` })
  await found(page, 9)
  expect((await namesOf(page))[0]).toBe('Visitor 7')
  const card = page.getByRole('article', { name: 'First Visitor' })
  await card.getByRole('button', { name: 'Copy Data' }).scrollIntoViewIfNeeded()
  await card.getByRole('button', { name: 'Copy Data' }).focus()
  const top = (await card.boundingBox())?.y ?? 0
  await site.submit({ name: 'Another' })
  await found(page, 10)
  await expect.poll(async () => Math.abs(((await card.boundingBox())?.y ?? 0) - top)).toBeLessThan(2)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy Data')
  await site.call('PATCH', `/api/leads/${first.id}`, { followUpStatus: 'contacted', nextActionDate: '2026-01-05' })
  await card.getByText('Contacted', { exact: true }).waitFor()
  await card.getByText('Next action was due 5 January 2026', { exact: true }).waitFor()
  expect(await card.getByText(/^Reply due|^Overdue/).count()).toBe(0)
  await found(page, 10)
  await page.context().close()
})

test('a lead that the search does not hold stays out', async () => {
  const page = await site.open('/admin-dashboard?q=wanted')
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await found(page, 0, ' (filtered by "wanted")')
  await site.submit({ name: 'Somebody Else' })
  await site.submit({ name: 'Wanted Person' })
  await found(page, 1, ' (filtered by "wanted")')
  expect(await namesOf(page)).toEqual(['Wanted Person'])
  await page.context().close()
})

test('a flood of leads costs few fetches, shows one page of them, and is counted whole', async () => {
  const page = await site.open('/admin-dashboard')
  await page.getByRole('article').first().waitFor()
  const before = (await (await site.call('GET', '/api/leads/summary')).json()).total
  let fetches = 0
  page.on('request', (request) => {
    if (/\/api\/leads(\/summary)?\?/.test(request.url())) fetches += 1
  })
  const begun = performance.now()
  await Promise.all(Array.from({ length: 150 }, (_, index) => site.submit({ name: `Flood ${index}` })))
  await found(page, before + 150)
  // the counts and the page of leads come in answers of their own
  await expect.poll(() => page.getByRole('article').count()).toBe(50)
  await page.getByText(/^Page 1 of [45]$/).waitFor()
  // page and counts, twice at most in a second, and the quarantine's
  expect(fetches).toBeLessThan(6 + 5 * ((performance.now() - begun) / 1_000))
  await page.context().close()
})

test('rows are gone through by keys, looked into, and changed many at once, with undo', async () => {
  const named = ['Row One', 'Row Two', 'Row Three']
  const leads: Lead[] = []
  const colleague = await site.hire('Themba Zulu')
  for (const name of named) leads.push(await site.submit({ name, message: `From ${name}` }))
  const page = await site.open('/admin-dashboard?q=row')
  await found(page, 3, ' (filtered by "row")')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^New ?${name}`) })
  const preview = (name: string) => page.getByRole('complementary', { name: `Preview: ${name}` })
  await row('Row One').waitFor()
  for (const each of await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox') })
    .all()) {
    const { height = 0 } = (await each.boundingBox()) ?? {}
    expect(height).toBeGreaterThanOrEqual(44)
    expect(height).toBeLessThanOrEqual(46)
  }
  await site.call('POST', `/api/leads/${leads[2]?.id}/contacts`, { channel: 'call', text: null, isReached: false })
  await row('Row Three')
    .getByText(/^No answer · \d\d:\d\d$/)
    .waitFor({ timeout: 30_000 })
  await row('Row Three')
    .getByText(/^Reply due /)
    .waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Row Two')
  await page.keyboard.press('Enter')
  await preview('Row Two').getByText('From Row Two', { exact: true }).waitFor()
  await page.keyboard.press('j')
  await preview('Row One').getByText('From Row One', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Row One')
  await page.keyboard.press('a')
  await page.getByText('Assigned to you: Row One', { exact: true }).waitFor()
  await row('Row One').getByText('thandi', { exact: true }).waitFor()
  // it is somebody's now
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await preview('Row One').getByRole('link', { name: 'Call' }).waitFor()
  const whatsapp = preview('Row One').getByRole('link', { name: 'WhatsApp (new tab)' })
  expect(await whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/27827\d+\?text=.*Row%20One/)
  const email = preview('Row One').getByRole('link', { name: 'Email', exact: true })
  expect(await email.getAttribute('href')).toBe(`/admin-lead?id=${leads[0]?.id}#answer`)
  expect(
    await preview('Row One')
      .getByRole('button', { name: /^Assign to me/ })
      .count(),
  ).toBe(0)
  await page.keyboard.press('k')
  await preview('Row Two').getByRole('button', { name: 'Assign to me: Row Two' }).click()
  await page.getByText('Assigned to you: Row Two', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const owners = leads.map(async ({ id }) => (await (await site.call('GET', `/api/leads/${id}`)).json()).ownerId)
  expect((await Promise.all(owners)).map(Boolean)).toEqual([true, true, false])

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByText('3 selected', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Select Row One' }).uncheck()
  await page.getByText('2 selected', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Set status').selectOption('Contacted')
  await page.getByText('2 leads set to Contacted', { exact: true }).waitFor()
  const statuses = async () =>
    Promise.all(leads.map(async ({ id }) => (await (await site.call('GET', `/api/leads/${id}`)).json()).followUpStatus))
  expect(await statuses()).toEqual(['new', 'contacted', 'contacted'])
  // of many at once none becomes one's own
  expect((await (await site.call('GET', `/api/leads/${leads[2]?.id}`)).json()).ownerId).toBe(null)
  const { id: me } = await (await site.call('GET', '/api/me')).json()
  const history = await (await site.call('GET', `/api/leads/${leads[1]?.id}/history`)).json()
  expect(history.at(-1)).toMatchObject({ type: 'LeadFollowUpChanged', actor: { type: 'staff', id: me } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone for 2 leads', { exact: true }).waitFor()
  expect(await statuses()).toEqual(['new', 'new', 'new'])

  // a colleague is faster: what they chose stays, and one is told
  await row('Row Two').waitFor()
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/leads/${leads[1]?.id}`, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByLabel('Set status').selectOption('Lost')
  await site.call('PATCH', `/api/leads/${leads[1]?.id}`, { followUpStatus: 'won' }, colleague)
  held.resolve()
  await page.getByText('1 of 2 leads not changed', { exact: true }).waitFor()
  expect(await statuses()).toEqual(['new', 'won', 'lost'])

  await page.reload()
  await page.getByRole('checkbox', { name: 'Select Row One' }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await row('Row One').click()
  await preview('Row One').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await preview('Row One').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0)
  await page.context().close()
})

test('a session that ends elsewhere leads to sign-in within seconds, which says why, and back', async () => {
  const as = await site.hire('Zola Dube')
  const page = await site.open('/admin-dashboard?period=week', { as })
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await page.getByText(/ submissions? found$/).waitFor()
  expect((await site.call('POST', '/api/logout', {}, as)).ok).toBe(true)
  await page.waitForURL('**/login?next=*')
  await page.getByText('Your session has ended. Sign in again.', { exact: true }).waitFor()
  await fillSignIn(page)
  await page.waitForURL('**/admin-dashboard?period=week')
  await page.context().close()
})

test('who was not signed in is not told of a session', async () => {
  const page = await site.open('/admin-dashboard', { as: { cookie: 'none=none' } })
  await page.waitForURL('**/login?next=*')
  await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor()
  expect(await page.getByText('Your session has ended').count()).toBe(0)
  await page.context().close()
})
