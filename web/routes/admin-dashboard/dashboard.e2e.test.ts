import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, startTestDesk, type TestDesk, type TestLead } from '../../staff/test-desk.ts'
import { alertDuring } from '../../test-site.ts'

/** A Wednesday, in support hours. */
const NOW = '2026-11-18T12:00:00+02:00'

const bulk = (index: number): TestLead => ({
  name: `Bulk ${String(index).padStart(2, '0')}`,
  at: `2026-11-15T08:${String(index).padStart(2, '0')}:00+02:00`,
})

const LEADS: TestLead[] = [
  { name: 'Thandi Mokoena', businessName: 'Stoep & Co', message: 'Call me', at: '2026-11-18T11:12:00+02:00' },
  { name: 'Sipho Khumalo', phone: '+27 82 555 0177', company: '100% Cotton', at: '2026-11-18T09:25:00+02:00' },
  {
    name: 'Lerato Dlamini',
    leadSource: 'Website Info Form',
    message: 'You are an expert web developer. "Build" it.',
    at: '2026-11-18T00:00:00+02:00',
  },
  { name: 'Late Yesterday', at: '2026-11-17T23:59:59+02:00' },
  ...Array.from({ length: 60 }, (_, index) => bulk(index)),
  { name: 'First Of Month', at: '2026-11-01T00:00:00+02:00' },
  { name: 'Last Of October', at: '2026-10-31T23:59:59+02:00' },
]

let desk: TestDesk

beforeAll(async () => {
  desk = await startTestDesk(LEADS)
})

afterAll(() => desk?.stop())

const open = (query = '', options: Parameters<TestDesk['open']>[1] = {}) =>
  desk.open(`/admin-dashboard${query}`, { now: NOW, ...options })
const found = (page: Page, count: number, more = '') =>
  page.getByText(`${count} submissions found${more}`, { exact: true }).waitFor()
const title = (page: Page, text: string) => page.getByRole('heading', { level: 2, name: text, exact: true }).waitFor()
const namesOf = (page: Page) =>
  page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))
const queryOf = (page: Page) => new URL(page.url()).search
/** The field of the calendar, once that has loaded. */
const calendarField = (page: Page) => page.getByLabel('Date', { exact: true }).and(page.locator(':not([readonly])'))
const search = (page: Page) => page.getByPlaceholder('Name, email, phone, company...', { exact: true })

test('shows today, with every field of a card, and has no fault that axe knows', async () => {
  const page = await open()
  await page.getByRole('heading', { level: 1, name: 'Leads dashboard' }).waitFor()
  await page.getByText('Filter leads by date, search them, and export them to Excel.').waitFor()
  await title(page, 'Wednesday, 18 November 2026')
  await found(page, 3)
  await page.getByRole('heading', { level: 3, name: 'Wednesday, 18 November 2026 3 submissions' }).waitFor()
  expect(await namesOf(page)).toEqual(['Stoep & Co', 'Sipho Khumalo', 'Lerato Dlamini'])
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
    'hero_form',
    'Company',
    '100% Cotton',
    'Full request',
    'Open lead',
    'Copy Email',
    'Copy Data',
  ])
  await page
    .getByRole('article', { name: 'Stoep & Co' })
    .getByText('Reply due in 1 h 12 min', { exact: true })
    .waitFor()
  const bare = page.getByRole('article', { name: 'Lerato Dlamini' })
  expect(await bare.locator('dd').nth(3).innerText()).toBe('N/A')
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('shows a week and a month, page by page, with the counts of whole days, and Back works', async () => {
  const page = await open()
  await found(page, 3)
  await page.getByLabel('Period').selectOption({ label: 'Entire Week' })
  await title(page, 'Week of 15 November 2026 - 21 November 2026')
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
  for (const name of ['Next', 'Last']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
  await page.reload()
  await page.getByRole('article', { name: 'Bulk 00' }).waitFor()
  await page.goBack()
  await page.getByText('Page 1 of 2', { exact: true }).waitFor()
  await page.goBack()
  await title(page, 'Wednesday, 18 November 2026')
  await page.getByLabel('Period').selectOption({ label: 'Entire Month' })
  await title(page, 'November 2026')
  await found(page, 65)
  await page.getByRole('button', { name: 'Last' }).click()
  await page.getByRole('article', { name: 'First Of Month' }).waitFor()
  await page.goto('/admin-dashboard?period=month&page=99')
  await page.getByText('Page 2 of 2', { exact: true }).waitFor()
  await page.getByRole('article', { name: 'First Of Month' }).waitFor()
  await page.context().close()
})

test('puts the oldest first within each day, the newest day staying at the top, over all pages', async () => {
  const page = await open('?period=week')
  await found(page, 64)
  const days = ['18', '17', '15'].map((day) => expect.stringContaining(`${day} November 2026`))
  await page.getByRole('button', { name: 'Oldest First' }).click()
  await expect
    .poll(() => namesOf(page))
    .toEqual(
      ['Lerato Dlamini', 'Sipho Khumalo', 'Stoep & Co', 'Late Yesterday'].concat(
        Array.from({ length: 46 }, (_, index) => bulk(index).name ?? ''),
      ),
    )
  expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(days)
  expect(await page.getByRole('button', { name: 'Oldest First' }).getAttribute('aria-pressed')).toBe('true')
  expect(queryOf(page)).toBe('?period=week&sort=asc')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => namesOf(page)).toEqual(Array.from({ length: 14 }, (_, index) => bulk(index + 46).name))
  await page.getByRole('button', { name: 'Newest First' }).click()
  await expect.poll(async () => (await namesOf(page))[0]).toBe('Stoep & Co')
  await page.context().close()
})

test('picks a day from the calendar, which closes, and always has one', async () => {
  const page = await open()
  const date = calendarField(page)
  await expect.poll(() => date.inputValue()).toBe('18 November 2026')
  await date.click()
  const calendar = page.getByRole('dialog')
  await calendar.getByRole('strong').getByText('November 2026').waitFor()
  expect(await calendar.getByRole('columnheader').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Su/)]),
  )
  // five weeks from Sunday, 1 November to Saturday, 5 December: the outside days are shown
  expect(await calendar.getByRole('gridcell').count()).toBe(35)
  expect(await faultsOf(page)).toEqual([])
  await calendar.getByRole('button', { name: 'Previous month' }).click()
  await calendar.getByRole('strong').getByText('October 2026').waitFor()
  await calendar.getByRole('button', { name: 'Next month' }).click()
  await calendar.getByRole('gridcell', { name: /17 November/ }).click()
  await calendar.waitFor({ state: 'hidden' })
  await title(page, 'Tuesday, 17 November 2026')
  await found(page, 1)
  await page.getByRole('article', { name: 'Late Yesterday' }).waitFor()
  expect(queryOf(page)).toBe('?date=2026-11-17')
  await date.fill('')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect.poll(() => date.inputValue()).toBe('17 November 2026')
  await title(page, 'Tuesday, 17 November 2026')
  await page.getByRole('button', { name: 'Today' }).click()
  await title(page, 'Wednesday, 18 November 2026')
  await page.goBack()
  await title(page, 'Tuesday, 17 November 2026')
  await page.context().close()
})

test('searches all fields as one types, says what for, and takes any text', async () => {
  const page = await open('?period=week')
  await found(page, 64)
  await search(page).pressSequentially('bulk 07', { delay: 20 })
  await found(page, 1, ' (filtered by "bulk 07")')
  expect(await namesOf(page)).toEqual(['Bulk 07'])
  expect(queryOf(page)).toBe('?period=week&q=bulk+07')
  for (const [term, count] of [
    ['100%', 1],
    ['STOEP &', 1],
    ['lead form', 64],
    ['82 555', 1],
    ['%', 1],
    ['"O\'Neil"', 0],
    ['😀', 0],
    ['_', 0],
  ] as const) {
    await search(page).fill(term)
    await found(page, count, ` (filtered by "${term}")`)
  }
  await page.getByText('No submissions match your search "_" for the selected period.', { exact: true }).waitFor()
  await page.getByText('No submissions found', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Export to Excel' }).isDisabled()).toBe(true)
  await search(page).fill('x'.repeat(10_240))
  await found(page, 0, ` (filtered by "${'x'.repeat(300)}")`)
  expect(await faultsOf(page)).toEqual([])
  await search(page).fill('   ')
  await found(page, 64)
  await page.context().close()
})

test('follows Back and forward into the search box', async () => {
  const page = await open('?q=sipho')
  await found(page, 1, ' (filtered by "sipho")')
  expect(await search(page).inputValue()).toBe('sipho')
  await page.getByLabel('Period').selectOption('week')
  await title(page, 'Week of 15 November 2026 - 21 November 2026')
  await search(page).fill('thandi')
  await search(page).press('Enter')
  await found(page, 1, ' (filtered by "thandi")')
  await page.goBack()
  await found(page, 1, ' (filtered by "sipho")')
  expect(await search(page).inputValue()).toBe('sipho')
  await page.context().close()
})

test('says that there is nothing for a day, a week, a month', async () => {
  const page = await open('?date=2026-03-03')
  for (const period of ['day', 'week', 'month']) {
    await page.getByLabel('Period').selectOption(period)
    await page.getByText(`No form submissions for the selected ${period}.`, { exact: true }).waitFor()
  }
  await found(page, 0)
  await page.context().close()
})

test('says that it loads, what failed, and tries again', async () => {
  const page = await open('?date=2026-03-03')
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
  await alert.getByText('500: no view', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.unroute('**/api/leads**')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await found(page, 3)
  await alert.waitFor({ state: 'hidden' })
  await page.context().close()
})

test('never shows a late answer over a newer one', async () => {
  const page = await open('?period=week')
  await found(page, 64)
  const held = Promise.withResolvers<void>()
  await page.route(/q=bulk/, async (route) => {
    await held.promise
    await route.continue()
  })
  await search(page).fill('bulk')
  await page.waitForRequest(/q=bulk/)
  await search(page).fill('sipho')
  await found(page, 1, ' (filtered by "sipho")')
  const late = page.waitForResponse(/limit=50.*q=bulk|q=bulk.*limit=50/)
  held.resolve()
  await late
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect(await namesOf(page)).toEqual(['Sipho Khumalo'])
  await found(page, 1, ' (filtered by "sipho")')
  await page.context().close()
})

test('copies a lead, its prompt and its data, and says so', async () => {
  const page = await open()
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

test('exports all leads of the period and the search as a CSV file', async () => {
  const page = await open('?period=week')
  await found(page, 64)
  const exported = async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export to Excel' }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const week = await exported()
  expect(week.name).toBe('karoo-web-studio-week-2026-11-15.csv')
  expect(week.text.startsWith('\u{FEFF}"Date","Time","Name"')).toBe(true)
  expect(week.text.trimEnd().split('\r\n')).toHaveLength(65)
  expect(week.text).toContain('"You are an expert web developer. ""Build"" it."')
  expect(week.text).toContain('"+27 82 555 0177"')
  await page.goto('/admin-dashboard?q=sipho')
  await found(page, 1, ' (filtered by "sipho")')
  const day = await exported()
  expect(day.name).toBe('karoo-web-studio-leads-2026-11-18.csv')
  expect(day.text.trimEnd().split('\r\n')).toHaveLength(2)
  await page.context().close()
})

test('shows how far a long export is, lets it be cancelled, tells a failure, and refuses an empty one', async () => {
  const page = await open()
  await page.route('**/api/leads/summary**', (route) =>
    route.fulfill({ json: { total: 6_000, days: [{ day: '2026-11-18', count: 6_000 }] } }),
  )
  const held = Promise.withResolvers<void>()
  await page.route(/limit=1000/, async (route) => {
    await held.promise
    await route.abort()
  })
  await page.reload()
  await found(page, 6_000)
  const button = page.getByRole('button', { name: 'Export to Excel' })
  await button.click()
  expect(await page.getByRole('progressbar').getAttribute('max')).toBe('6000')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await button.waitFor()
  expect(await page.getByText('The export failed').count()).toBe(0)
  held.resolve()
  await page.unroute(/limit=1000/)
  await page.route(/limit=1000/, (route) => route.fulfill({ status: 503, body: 'busy' }))
  await button.click()
  await page.getByRole('alert').getByText('The export failed').waitFor()
  await page.unroute(/limit=1000/)
  await page.route(/limit=1000/, (route) => route.fulfill({ json: [] }))
  expect(await alertDuring(page, () => button.click())).toBe('No submissions to export for the selected period.')
  await page.context().close()
})

test.each([
  // three zones at the end of their daylight saving, where the day is another one than in South Africa or is longer
  ['America/New_York', '2026-11-01T05:30:00Z', 'Sunday, 1 November 2026', '1 November 2026', '2 November'],
  ['America/New_York', '2026-10-31T22:30:00Z', 'Sunday, 1 November 2026', '1 November 2026', '2 November'],
  ['Pacific/Auckland', '2026-04-04T14:30:00Z', 'Saturday, 4 April 2026', '4 April 2026', '5 April'],
  ['Europe/London', '2026-10-25T00:59:00Z', 'Sunday, 25 October 2026', '25 October 2026', '26 October'],
])('in %s at %s today is %s', async (timezoneId, now, today, value, next) => {
  const page = await open('', { timezoneId, now })
  await title(page, today)
  const date = calendarField(page)
  await expect.poll(() => date.inputValue()).toBe(value)
  await date.click()
  await page.getByRole('gridcell', { name: new RegExp(` ${next}`) }).click()
  const day = new Date(`${value} 12:00Z`)
  day.setUTCDate(day.getUTCDate() + 1)
  await expect.poll(() => queryOf(page)).toBe(`?date=${day.toISOString().slice(0, 10)}`)
  await page.context().close()
})

test('days are those of South Africa in a browser elsewhere', async () => {
  const page = await open('?date=2026-10-31', { timezoneId: 'America/New_York' })
  await found(page, 1)
  await page.getByRole('article', { name: 'Last Of October' }).getByText('23:59', { exact: true }).waitFor()
  await page.getByLabel('Period').selectOption('month')
  await title(page, 'October 2026')
  await found(page, 1)
  await page.context().close()
})

test('weeks start on Monday where the locale says so', async () => {
  const page = await open('?period=week', { locale: 'en-GB' })
  await title(page, 'Week of 16 November 2026 - 22 November 2026')
  await found(page, 4)
  await page.context().close()
})
