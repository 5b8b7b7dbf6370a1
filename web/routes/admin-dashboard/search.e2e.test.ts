import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cardNames,
  dateField,
  found,
  openDashboard,
  queryOf,
  searchBox,
  TEST_LEADS,
  titled,
} from '../../staff/leads/test-leads.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

/** Nobody has answered it for years, whichever day it is. */
const LONG_AGO = { name: 'Long Ago', at: '2023-03-01T10:00:00+02:00' }

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite([...TEST_LEADS, LONG_AGO])
})

afterAll(() => site?.stop())

test('searches all fields as one types, says what for, and takes any text', async () => {
  const page = await openDashboard(site, '?period=week')
  await found(page, 64)
  await searchBox(page).pressSequentially('bulk 07', { delay: 20 })
  await found(page, 2, ' (filtered by "bulk 07")')
  // the number of the second one ends in 1007
  await expect.poll(() => cardNames(page)).toEqual(['Bulk 07', 'Bulk 02'])
  expect(queryOf(page)).toBe('?period=week&q=bulk+07')
  for (const [term, count] of [
    ['100%', 1],
    ['STOEP &', 1],
    ['lead form', 64],
    ['82 555', 1],
    ['cotton sipho', 1],
    ['%', 1],
    ['"O\'Neil"', 0],
    ['😀', 0],
    ['_', 0],
  ] as const) {
    await searchBox(page).fill(term)
    await found(page, count, ` (filtered by "${term}")`)
  }
  await page.getByText('No submissions match your search "_" for the selected period.', { exact: true }).waitFor()
  await page.getByText('No submissions found', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Export to Excel' }).isDisabled()).toBe(true)
  const advice = page.getByText(/Each word must be in/)
  await page.getByText('Names, businesses, emails, phones and companies are searched. Messages are not.').waitFor()
  expect(await advice.count()).toBe(0)
  await searchBox(page).fill('sipho hero')
  await page.getByText('No submissions match your search "sipho hero" for the selected period.').waitFor()
  await advice.waitFor()
  await searchBox(page).fill('x'.repeat(10_240))
  await found(page, 0, ` (filtered by "${'x'.repeat(300)}")`)
  expect(await faultsOf(page)).toEqual([])
  await searchBox(page).fill('   ')
  await found(page, 64)
  await page.context().close()
})

test('that finds nothing in its period goes on over all dates, and comes back to a day', async () => {
  const page = await openDashboard(site, '?q=october')
  await found(page, 0, ' (filtered by "october")')
  await page.getByRole('button', { name: 'Search all dates' }).click()
  await titled(page, 'All dates')
  await found(page, 1, ' (filtered by "october")')
  await expect.poll(() => cardNames(page)).toEqual(['Last Of October'])
  expect(await page.getByLabel('Period').inputValue()).toBe('all')
  expect(await faultsOf(page)).toEqual([])
  await searchBox(page).fill('nobody at all')
  await page.getByText('No submissions match your search "nobody at all".', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Search all dates' }).count()).toBe(0)
  await dateField(page).fill('17 November 2026')
  await dateField(page).press('Enter')
  await titled(page, 'Tuesday, 17 November 2026')
  expect(await page.getByLabel('Period').locator('option').allTextContents()).toEqual([
    'Single Day',
    'Entire Week',
    'Entire Month',
    'Last 7 Days',
    'Last 30 Days',
    'Custom Range',
    'All Dates',
  ])
  await page.context().close()
})

test('follows Back and forward into the search box', async () => {
  const page = await openDashboard(site, '?q=sipho')
  await found(page, 1, ' (filtered by "sipho")')
  await expect.poll(() => searchBox(page).inputValue()).toBe('sipho')
  await page.getByLabel('Period').selectOption('week')
  await titled(page, 'Week of 15 November 2026 - 21 November 2026')
  await searchBox(page).fill('thandi')
  await searchBox(page).press('Enter')
  await found(page, 1, ' (filtered by "thandi")')
  await page.goBack()
  await found(page, 1, ' (filtered by "sipho")')
  await expect.poll(() => searchBox(page).inputValue()).toBe('sipho')
  await page.context().close()
})

test('never shows a late answer over a newer one', async () => {
  const page = await openDashboard(site, '?period=week')
  await found(page, 64)
  const held = Promise.withResolvers<void>()
  await page.route(/q=bulk/, async (route) => {
    await held.promise
    await route.continue()
  })
  const asked = page.waitForRequest(/q=bulk/)
  await searchBox(page).fill('bulk')
  await asked
  // nothing is said of the old list that would be about the new search
  await page.getByText('Searching...', { exact: true }).waitFor()
  expect(await page.getByText(/submissions found/).count()).toBe(0)
  await searchBox(page).fill('sipho')
  await found(page, 1, ' (filtered by "sipho")')
  const late = page.waitForResponse(/limit=50.*q=bulk|q=bulk.*limit=50/)
  held.resolve()
  await late
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect.poll(() => cardNames(page)).toEqual(['Sipho Khumalo'])
  await found(page, 1, ' (filtered by "sipho")')
  await page.context().close()
})

test('narrows the list by filters that the address holds, live, and clears them', async () => {
  const { id: me } = await (await site.call('GET', '/api/me')).json()
  const [quoted, other] = [await site.submit({ name: 'Quoted One' }), await site.submit({ name: 'Another One' })]
  await site.call('PATCH', `/api/leads/${quoted.id}`, { followUpStatus: 'quoted', ownerId: me })
  const page = await openDashboard(site, '?period=all')
  const all = TEST_LEADS.length + 3
  await found(page, all)
  await page.getByLabel('Status').selectOption('Quoted')
  await found(page, 1, ' (filtered by Quoted)')
  await expect.poll(() => cardNames(page)).toEqual(['Quoted One'])
  expect(queryOf(page)).toBe('?period=all&status=quoted')
  expect(await faultsOf(page)).toEqual([])
  await page.goBack()
  await found(page, all)
  await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('')

  await page.getByRole('link', { name: 'My leads' }).click()
  await found(page, 1, ' (filtered by My leads)')
  await site.call('PATCH', `/api/leads/${other.id}`, { ownerId: me })
  await found(page, 2, ' (filtered by My leads)')
  await expect.poll(async () => (await cardNames(page)).toSorted()).toEqual(['Another One', 'Quoted One'])
  await site.call('PATCH', `/api/leads/${other.id}`, { ownerId: null })
  await found(page, 1, ' (filtered by My leads)')
  await page.getByLabel('Source').selectOption('Live chat')
  await found(page, 0, ' (filtered by My leads, Live chat)')
  await page.getByText('No submissions match the filters.', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Clear filters' }).click()
  await found(page, all)
  expect(queryOf(page)).toBe('?period=all')

  await page.getByRole('link', { name: 'Overdue', exact: true }).click()
  await page.getByRole('button', { name: 'Only overdue', pressed: true }).waitFor()
  await page.getByLabel('Period').selectOption('Custom Range')
  await page.getByLabel('From', { exact: true }).and(page.locator(':not([readonly])')).fill('1 March 2023')
  await page.getByLabel('From', { exact: true }).press('Enter')
  await page.getByLabel('Until', { exact: true }).fill('3 March 2023')
  await page.getByLabel('Until', { exact: true }).press('Enter')
  await found(page, 1, ' (filtered by Overdue)')
  await titled(page, '1 March 2023 - 3 March 2023')
  await expect.poll(() => cardNames(page)).toEqual(['Long Ago'])
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('tells of leads in quarantine that match, whenever they came, and leads to those alone', async () => {
  for (const name of ['Trapped Thami', 'Trapped Tumelo', 'Caught Cara']) {
    await site.submit({ name, ...({ quartz: 'x' } as object) })
  }
  await expect
    .poll(async () => (await (await site.call('GET', '/api/leads/summary?quarantine=true')).json()).total)
    .toBe(3)
  const page = await openDashboard(site, '?q=cara')
  const inQuarantine = page.getByRole('link', { name: /in quarantine match/ })
  await expect.poll(() => inQuarantine.textContent()).toBe('1 in quarantine matches "cara"')
  await searchBox(page).fill('trapped')
  await found(page, 0, ' (filtered by "trapped")')
  await expect.poll(() => inQuarantine.textContent()).toBe('2 in quarantine match "trapped"')
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await inQuarantine.click()
  await page.waitForURL('**/admin-submissions?quarantine=true&decided=true&q=trapped')
  await expect.poll(async () => (await cardNames(page)).toSorted()).toEqual(['Trapped Thami', 'Trapped Tumelo'])
  expect(await searchBox(page).inputValue()).toBe('trapped')
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  // the words stay when only those are asked for that nobody has decided on
  await page.getByRole('button', { name: 'Spam: Trapped Thami' }).click()
  await page.getByText('Marked as spam: Trapped Thami').waitFor()
  await page.getByRole('link', { name: 'Leave out what is marked as spam' }).click()
  await expect.poll(() => cardNames(page)).toEqual(['Trapped Tumelo'])
  await searchBox(page).fill('nobody at all')
  await page.getByText('Nothing in quarantine matches "nobody at all"').waitFor()
  await searchBox(page).fill('')
  await expect.poll(async () => (await cardNames(page)).toSorted()).toEqual(['Caught Cara', 'Trapped Tumelo'])
  await page.context().close()
  const other = await openDashboard(site, '?period=week')
  await found(other, 64)
  expect(await other.getByRole('link', { name: /in quarantine match/ }).count()).toBe(0)
  await other.context().close()
})
