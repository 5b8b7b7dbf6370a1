import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/local/test-clock.ts'
import { startTestDesk, type TestDesk } from '../../staff/test-desk.ts'
import { fillSignIn } from '../../test-sign-in.ts'

let desk: TestDesk

beforeAll(passMidnight)

beforeAll(async () => {
  desk = await startTestDesk()
})

afterAll(() => desk?.stop())

const found = (page: Page, count: number, more = '') =>
  page.getByText(`${count} submissions found${more}`, { exact: true }).waitFor()
const namesOf = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))

test('a new lead appears at its place and the counts rise, without a reload and with the scroll where it was', async () => {
  const page = await desk.open('/admin-dashboard')
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await page.getByText('No form submissions for the selected day.').waitFor()
  const first = await desk.submit({ name: 'First Visitor' })
  await found(page, 1)
  await page.getByRole('article', { name: 'First Visitor' }).waitFor()
  for (let index = 0; index < 8; index += 1) await desk.submit({ name: `Visitor ${index}` })
  await found(page, 9)
  expect((await namesOf(page))[0]).toBe('Visitor 7')
  const card = page.getByRole('article', { name: 'First Visitor' })
  await card.getByRole('button', { name: 'Copy Data' }).scrollIntoViewIfNeeded()
  await card.getByRole('button', { name: 'Copy Data' }).focus()
  const top = (await card.boundingBox())?.y ?? 0
  await desk.submit({ name: 'Another' })
  await found(page, 10)
  await expect.poll(async () => Math.abs(((await card.boundingBox())?.y ?? 0) - top)).toBeLessThan(2)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy Data')
  await desk.call('PATCH', `/api/leads/${first.id}`, { followUpStatus: 'contacted', nextActionDate: '2026-01-05' })
  await card.getByText('Contacted', { exact: true }).waitFor()
  await card.getByText('Next action was due 5 January 2026', { exact: true }).waitFor()
  expect(await card.getByText(/^Reply due|^Overdue/).count()).toBe(0)
  await found(page, 10)
  await page.context().close()
})

test('a lead that the search does not hold stays out', async () => {
  const page = await desk.open('/admin-dashboard?q=wanted')
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await found(page, 0, ' (filtered by "wanted")')
  await desk.submit({ name: 'Somebody Else' })
  await desk.submit({ name: 'Wanted Person' })
  await found(page, 1, ' (filtered by "wanted")')
  expect(await namesOf(page)).toEqual(['Wanted Person'])
  await page.context().close()
})

test('a flood of leads costs few fetches, shows one page of them, and is counted whole', async () => {
  const page = await desk.open('/admin-dashboard')
  await page.getByRole('article').first().waitFor()
  const before = (await (await desk.call('GET', '/api/leads/summary')).json()).total
  let fetches = 0
  page.on('request', (request) => {
    if (/\/api\/leads(\/summary)?\?/.test(request.url())) fetches += 1
  })
  const begun = performance.now()
  await Promise.all(Array.from({ length: 150 }, (_, index) => desk.submit({ name: `Flood ${index}` })))
  await found(page, before + 150)
  // the counts and the page of leads come in answers of their own
  await expect.poll(() => page.getByRole('article').count()).toBe(50)
  await page.getByText(/^Page 1 of [45]$/).waitFor()
  // page and counts, twice at most in a second, and the quarantine's
  expect(fetches).toBeLessThan(6 + 5 * ((performance.now() - begun) / 1_000))
  await page.context().close()
})

test('a session that ends elsewhere leads to sign-in within seconds, which says why, and back', async () => {
  const as = await desk.hire('Zola Dube')
  const page = await desk.open('/admin-dashboard?period=week', { as })
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await page.getByText(/ submissions? found$/).waitFor()
  expect((await desk.call('POST', '/api/logout', {}, as)).ok).toBe(true)
  await page.waitForURL('**/login?next=*')
  await page.getByText('Your session has ended. Sign in again.', { exact: true }).waitFor()
  await fillSignIn(page)
  await page.waitForURL('**/admin-dashboard?period=week')
  await page.context().close()
})

test('who was not signed in is not told of a session', async () => {
  const page = await desk.open('/admin-dashboard', { as: { cookie: 'none=none' } })
  await page.waitForURL('**/login?next=*')
  await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor()
  expect(await page.getByText('Your session has ended').count()).toBe(0)
  await page.context().close()
})
