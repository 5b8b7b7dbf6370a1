import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

const PERSONS = 55
/** Far less than the 30 s after which lists are fetched again. */
const LIVE = { timeout: 10_000 }

let site: StaffSite

beforeAll(async () => {
  const leads = Array.from({ length: PERSONS }, (_, index) => ({
    name: `Person ${index}`,
    at: new Date(Date.parse('2026-01-05T08:00:00Z') + index * 60_000).toISOString(),
  }))
  const prompt = { name: 'With Prompt', leadSource: 'Website Info Form', message: 'You are an expert web developer.' }
  site = await startStaffSite([...leads, { ...prompt, at: '2026-01-31T22:05:00Z' }])
})

afterAll(() => site?.stop())

const namesOf = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))
const requestsOf = (page: Page) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  return addresses
}

test('lists all leads, newest first, a page at a time, switchable to oldest first', async () => {
  const page = await site.open('/admin-submissions')
  const requests = requestsOf(page)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Form submissions' }).waitFor()
  await page.getByRole('article', { name: 'With Prompt' }).getByText('Sunday, 1 February 2026, 00:05').waitFor()
  expect((await namesOf(page)).slice(0, 2)).toEqual(['With Prompt', `Person ${PERSONS - 1}`])
  expect(await page.getByRole('article').count()).toBe(50)
  for (const address of requests.filter((each) => /\/api\/leads\?/.test(each))) expect(address).toContain('limit=50')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Oldest First' }).click()
  await expect.poll(async () => (await namesOf(page))[0]).toBe('Person 0')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2 of 2', { exact: true }).waitFor()
  await expect.poll(async () => (await namesOf(page)).at(-1)).toBe('With Prompt')
  expect(new URL(page.url()).search).toBe('?sort=asc&page=2')
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Search and group by day on the dashboard' }).click()
  await page.waitForURL('**/admin-dashboard')
  await page.context().close()
})

test('copies a lead and tells of an AI prompt', async () => {
  const page = await site.open('/admin-submissions')
  await page.getByRole('button', { name: 'Copy AI Prompt' }).click()
  await page.getByText('AI Website Generation Prompt copied', { exact: true }).waitFor()
  await page.getByText('Paste it into an external AI site generator.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Copy Email' }).first().click()
  await page.getByText('Copied to clipboard! You can now paste this into an email.', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`New lead: Person ${PERSONS - 1}`)
  await page.context().close()
})

test('shows new leads by itself, and fetches the list again every 30 seconds', async () => {
  const page = await site.open('/admin-submissions')
  await page.clock.install()
  const streamed = page.waitForResponse('**/api/leads/stream')
  await page.reload()
  await streamed
  await page.getByRole('article').first().waitFor()
  await page.clock.fastForward(2_000)
  const requests = requestsOf(page)
  await page.clock.fastForward(29_000)
  await expect.poll(() => requests.filter((each) => each.includes('/api/leads?')).length).toBeGreaterThan(0)
  await site.submit({ name: 'Just Now' })
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000)
      return (await namesOf(page))[0]
    })
    .toBe('Just Now')
  await page.context().close()
})

test('says that it loads, what failed, and that there is nothing', async () => {
  const page = await site.open('/login')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/leads**', async (route) => {
    await held.promise
    await route.fulfill({ status: 500, body: 'no view' })
  })
  await page.goto('/admin-submissions')
  await page.getByText('Loading submissions...', { exact: true }).waitFor()
  held.resolve()
  await page.getByText('Error loading submissions', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.unroute('**/api/leads**')
  await page.route('**/api/leads?**', (route) => route.fulfill({ json: [] }))
  await page.route('**/api/leads/summary**', (route) => route.fulfill({ json: { total: 0, days: [] } }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No submissions found', { exact: true }).waitFor()
  await page.context().close()
})

test('shows flagged ones apart, a page at a time', async () => {
  await site.submit({ name: 'Fast Typist', openMs: 10 } as object)
  const page = await site.open('/admin-submissions')
  await page.getByRole('link', { name: 'Quarantine (1)' }).click()
  await page.getByText('Submitted too fast.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Spam: Fast Typist' }).click()
  await page.getByText('Marked as spam: Fast Typist').waitFor()
  await page.getByText('Nothing in quarantine is left to decide').waitFor()
  await page.getByRole('link', { name: 'Look through the 1 marked as spam' }).click()
  await page.getByText('Submitted too fast.').waitFor()
  await page.getByRole('button', { name: 'Spam: Fast Typist' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Leave out what is marked as spam' }).click()
  await page.getByText('Nothing in quarantine is left to decide').waitFor()
  await page.getByRole('link', { name: 'Show also what is marked as spam' }).click()
  await page.getByText('Submitted too fast.').waitFor()
  await page.goto('/admin-submissions')
  await page.getByRole('link', { name: 'Quarantine', exact: true }).click()
  await page.getByRole('link', { name: 'Open lead: Fast Typist' }).click()
  await page.getByText(/^In quarantine/).waitFor()
  await page.context().close()
})

test('tells of a change in quarantine long before it fetches again, in its list and in its count', async () => {
  const [page, list] = [await site.open('/admin-submissions?quarantine=true'), await site.open('/admin-submissions')]
  await page.getByText('Nothing in quarantine is left to decide').waitFor()
  const count = (text: string) => list.getByRole('link', { name: text, exact: true })
  await list.getByRole('article').first().waitFor()
  const flagged = await site.submit({ name: 'Quick Quinn', openMs: 10 } as object)
  const name = page.getByText('Quick Quinn').first()
  await name.waitFor(LIVE)
  await count('Quarantine (1)').waitFor(LIVE)
  await site.call('PATCH', `/api/leads/${flagged.id}`, { followUpStatus: 'lost' })
  await name.waitFor({ state: 'detached', ...LIVE })
  await count('Quarantine').waitFor(LIVE)
  await site.call('PATCH', `/api/leads/${flagged.id}`, { followUpStatus: 'new' })
  await name.waitFor(LIVE)
  await site.call('POST', `/api/leads/${flagged.id}/release`, {})
  await name.waitFor({ state: 'detached', ...LIVE })
  await Promise.all([page, list].map((each) => each.context().close()))
})
