import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bulk, cardNames, found, openDashboard, queryOf, TEST_LEADS, titled } from '../../staff/leads/test-leads.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite(TEST_LEADS)
})

afterAll(() => site?.stop())

test('shows today, with every field of a card, and has no fault that axe knows', async () => {
  const page = await openDashboard(site)
  await page.getByRole('heading', { level: 1, name: 'Leads dashboard' }).waitFor()
  await page.getByText('Filter leads by date, search them, and export them to Excel.').waitFor()
  await titled(page, 'Wednesday, 18 November 2026')
  await found(page, 3)
  await page.getByRole('heading', { level: 3, name: 'Wednesday, 18 November 2026 3 submissions' }).waitFor()
  expect(await cardNames(page)).toEqual(['Stoep & Co', 'Sipho Khumalo', 'Lerato Dlamini'])
  const card = page.getByRole('article', { name: 'Sipho Khumalo' })
  expect((await card.innerText()).split('\n').filter(Boolean)).toEqual([
    'Sipho Khumalo [Lead Form]',
    '09:25',
    'New',
    'Overdue by 35 min',
    'Email',
    'ana2@example.com',
    'Phone',
    '+27 82 555 0177',
    'Source',
    'Consultation form',
    'Company',
    '100% Cotton',
    'Full request',
    'Open lead',
    'Copy Email',
    'Copy Data',
  ])
  const firm = page.getByRole('article', { name: 'Stoep & Co' })
  await firm.getByText('Reply due in 1 h 12 min', { exact: true }).waitFor()
  // a card is headed with the business; staff know the person
  expect((await firm.innerText()).split('\n').filter(Boolean).slice(0, 4)).toEqual([
    'Stoep & Co [Lead Form]',
    '11:12',
    'Thandi Mokoena',
    'New',
  ])
  const overdue = card.getByText('Overdue by 35 min', { exact: true })
  const tip = await overdue.getAttribute('data-tip')
  expect(tip).toBe('Promised by Wednesday, 18 November 2026, 11:25, in support hours')
  expect(await overdue.getAttribute('title')).toBeNull()
  await overdue.hover()
  await expect.poll(() => overdue.evaluate((it) => getComputedStyle(it, '::after').opacity)).toBe('1')
  const bare = page.getByRole('article', { name: 'Lerato Dlamini' })
  expect(await bare.locator('dd').nth(3).innerText()).toBe('N/A')
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('shows a week and a month, page by page, with the counts of whole days, and Back works', async () => {
  const page = await openDashboard(site)
  await found(page, 3)
  await page.getByLabel('Period').selectOption({ label: 'Entire Week' })
  await titled(page, 'Week of 15 November 2026 - 21 November 2026')
  await found(page, 64)
  await page.getByText('Page 1 of 2', { exact: true }).waitFor()
  const sunday = page.getByRole('heading', { level: 3, name: 'Sunday, 15 November 2026 60 submissions' })
  await sunday.waitFor()
  expect(await page.getByRole('article').count()).toBe(50)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Page 2 of 2', { exact: true }).waitFor()
  await page.getByRole('article', { name: 'Bulk 00' }).waitFor()
  await sunday.waitFor()
  expect(await page.getByRole('article').count()).toBe(14)
  expect(queryOf(page)).toBe('?period=week&page=2')
  for (const name of ['Next', 'Last'])
    await expect.poll(() => page.getByRole('button', { name }).isDisabled()).toBe(true)
  await page.reload()
  await page.getByRole('article', { name: 'Bulk 00' }).waitFor()
  await page.goBack()
  await page.getByText('Page 1 of 2', { exact: true }).waitFor()
  await page.goBack()
  await titled(page, 'Wednesday, 18 November 2026')
  await page.getByLabel('Period').selectOption({ label: 'Entire Month' })
  await titled(page, 'November 2026')
  await found(page, 65)
  await page.getByRole('button', { name: 'Last' }).click()
  await page.getByRole('article', { name: 'First Of Month' }).waitFor()
  await page.goto('/admin-dashboard?period=month&page=99')
  await page.getByText('Page 2 of 2', { exact: true }).waitFor()
  await page.getByRole('article', { name: 'First Of Month' }).waitFor()
  await page.context().close()
})

test('puts the oldest first within each day, the newest day staying at the top, over all pages', async () => {
  const page = await openDashboard(site, '?period=week')
  await found(page, 64)
  const days = ['18', '17', '15'].map((day) => expect.stringContaining(`${day} November 2026`))
  await page.getByRole('button', { name: 'Oldest First' }).click()
  await expect
    .poll(() => cardNames(page))
    .toEqual(
      ['Lerato Dlamini', 'Sipho Khumalo', 'Stoep & Co', 'Late Yesterday'].concat(
        Array.from({ length: 46 }, (_, index) => bulk(index).name ?? ''),
      ),
    )
  await expect.poll(() => page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(days)
  await expect.poll(() => page.getByRole('button', { name: 'Oldest First' }).getAttribute('aria-pressed')).toBe('true')
  expect(queryOf(page)).toBe('?period=week&sort=asc')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => cardNames(page)).toEqual(Array.from({ length: 14 }, (_, index) => bulk(index + 46).name))
  await page.getByRole('button', { name: 'Newest First' }).click()
  await expect.poll(async () => (await cardNames(page))[0]).toBe('Stoep & Co')
  await page.context().close()
})

test('says that there is nothing for a day, a week, a month', async () => {
  const page = await openDashboard(site, '?date=2026-03-03')
  for (const period of ['day', 'week', 'month']) {
    await page.getByLabel('Period').selectOption(period)
    await page.getByText(`No form submissions for the selected ${period}.`, { exact: true }).waitFor()
  }
  await found(page, 0)
  await page.context().close()
})

test('says that it loads, what failed, and tries again', async () => {
  const page = await openDashboard(site, '?date=2026-03-03')
  await found(page, 0)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/leads**', async (route) => {
    await held.promise
    await route.fulfill({ status: 500, body: 'no view' })
  })
  await page.getByRole('button', { name: 'Today' }).click()
  await page.getByText('Loading submissions...', { exact: true }).waitFor()
  held.resolve()
  const alert = page.getByRole('alert').filter({ hasText: 'Error loading submissions' })
  await alert.getByText('Not available just now. Try again in a moment.', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.unroute('**/api/leads**')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await found(page, 3)
  await alert.waitFor({ state: 'hidden' })
  await page.context().close()
})

test('copies a lead, its prompt and its data, and says so', async () => {
  const page = await openDashboard(site)
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const card = (name: string) => page.getByRole('article', { name })
  await card('Stoep & Co').getByRole('button', { name: 'Copy Email' }).click()
  await page.getByText('Copied to clipboard! You can now paste this into an email.', { exact: true }).waitFor()
  expect(await clipboard()).toContain('New lead: Thandi Mokoena\n\nContact information\nName: Thandi Mokoena\n')
  expect(await card('Lerato Dlamini').getByRole('button', { name: 'Copy Email' }).count()).toBe(0)
  await card('Lerato Dlamini').getByRole('button', { name: 'Copy AI Prompt' }).click()
  await page.getByText('AI Website Generation Prompt copied').waitFor()
  expect(await clipboard()).toBe('You are an expert web developer. "Build" it.')
  await card('Stoep & Co').getByRole('button', { name: 'Copy Data' }).click()
  await expect.poll(async () => JSON.parse(await clipboard()).name).toBe('Thandi Mokoena')
  await page.context().close()
})

test('the number on a card calls, and then it is asked what came of the call, also on the list of all submissions', async () => {
  const page = await openDashboard(site)
  for (const path of ['/admin-dashboard', '/admin-submissions']) {
    await page.goto(path)
    const call = page.getByRole('article', { name: 'Sipho Khumalo' }).getByRole('link', { name: '+27 82 555 0177' })
    expect(await call.getAttribute('href')).toBe('tel:+27825550177')
    await call.click()
    await page.getByText('Did you reach Sipho Khumalo?', { exact: true }).waitFor()
  }
  await page.context().close()
})

test('on a phone the first lead is on the first screen, and one button holds all filters and says how many are active', async () => {
  const page = await openDashboard(site, '', { viewport: { width: 390, height: 844 } })
  await found(page, 3)
  const { y } = (await page.getByRole('article').first().boundingBox()) ?? expect.fail()
  expect(y).toBeLessThan(450)
  for (const name of ['Period', 'Status', 'Date'])
    expect(await page.getByLabel(name, { exact: true }).isVisible()).toBe(false)
  const button = page.getByRole('button', { name: 'Filters' })
  expect(await button.getAttribute('aria-expanded')).toBe('false')
  await button.press('Enter')
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await page.getByLabel('Status', { exact: true }).selectOption('new')
  await page.getByLabel('Period').selectOption('month')
  await page.getByRole('button', { name: 'Oldest First' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await page.getByRole('link', { name: 'Import leads' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filters 2 active' }).click()
  expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(false)
  await page.context().close()
})

test('on a phone a button of its own holds import and export, under the title', async () => {
  const page = await openDashboard(site, '', { viewport: { width: 390, height: 844 } })
  await found(page, 3)
  const files = page.getByRole('button', { name: 'Files', exact: true })
  const added = (await page.getByRole('button', { name: 'Add lead' }).boundingBox()) ?? expect.fail()
  expect((await files.boundingBox())?.y).toBe(added.y)
  await files.press('Enter')
  expect(await files.getAttribute('aria-expanded')).toBe('true')
  await page.getByRole('button', { name: 'Export to Excel' }).waitFor()
  const imported = (await page.getByRole('link', { name: 'Import leads' }).boundingBox()) ?? expect.fail()
  const search = (await page.getByLabel('Search').boundingBox()) ?? expect.fail()
  expect(imported.y).toBeGreaterThan(added.y)
  expect(imported.y).toBeLessThan(search.y)
  expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(false)
  expect(await faultsOf(page)).toEqual([])
  await files.click()
  expect(await page.getByRole('link', { name: 'Import leads' }).isVisible()).toBe(false)
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 844 })
    const title = page.getByRole('heading', { level: 1 })
    expect(await title.evaluate((it) => it.scrollWidth <= it.clientWidth), `at ${width} px`).toBe(true)
    expect(await faultsOf(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1024, height: 844 })
  expect(await files.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Import leads' }).waitFor()
  await page.context().close()
})

test('on a phone a row shows the whole name, with the status and the clock below it', async () => {
  const page = await openDashboard(site, '', { viewport: { width: 390, height: 844 } })
  await found(page, 3)
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  for (const title of ['Thandi Mokoena', 'Sipho Khumalo', 'Lerato Dlamini']) {
    const row = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: `Select ${title}` }) })
    const name = row.getByText(new RegExp(`^${title}`))
    expect(await name.evaluate((it) => it.scrollWidth <= it.clientWidth), title).toBe(true)
    const clock = (await row.getByText(/^(Overdue by|Reply due)/).boundingBox()) ?? expect.fail()
    const { y, height } = (await name.boundingBox()) ?? expect.fail()
    expect(clock.y).toBeGreaterThanOrEqual(y + height)
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(72)
  }
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('the first screen is for leads, and no chip is lost in the ground of a row that is pointed at or open', async () => {
  const page = await openDashboard(site, '?date=2026-11-15')
  await found(page, 60)
  const wholeInSight = (leads: Locator) =>
    leads.evaluateAll(
      (elements) => elements.filter((element) => element.getBoundingClientRect().bottom <= innerHeight).length,
    )
  const seen = async (leads: Locator) => {
    const counts: number[] = []
    for (const [width, height] of [
      [1024, 768],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      counts.push(await wholeInSight(leads))
    }
    return counts
  }
  const [small = 0, large = 0] = await seen(page.getByRole('article'))
  expect(small).toBeGreaterThanOrEqual(1)
  expect(large).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const rows = page.getByRole('button', { name: /Bulk \d\d/ })
  await rows.first().waitFor()
  const [few = 0, many = 0] = await seen(rows)
  expect(few).toBeGreaterThanOrEqual(5)
  expect(many).toBeGreaterThanOrEqual(8)

  const row = rows.nth(1)
  /** The grounds of what is coloured in a row, from the row itself on. */
  const grounds = () =>
    row.evaluate((button) => {
      const groundOf = (element: Element) => getComputedStyle(element).backgroundColor
      const isColoured = (ground: string) => ground !== 'rgba(0, 0, 0, 0)'
      const under = [button, button.parentElement as Element].map(groundOf).find(isColoured)
      return { under, chips: [...button.querySelectorAll('*')].map(groundOf).filter(isColoured) }
    })
  const tell = async () => {
    const { under, chips } = await grounds()
    expect(chips.length).toBeGreaterThanOrEqual(2)
    expect(chips).not.toContain(under)
  }
  await row.hover()
  await tell()
  await row.click()
  await page.getByRole('complementary').waitFor()
  await tell()
  await page.mouse.move(0, 0)
  await tell()
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await page.context().close()
})
