import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateField, found, openDashboard, queryOf, TEST_LEADS, titled } from '../../staff/leads/test-leads.ts'
import { faultsOf, type StaffSite, startStaffSite } from '../../staff/test-staff-site.ts'

let site: StaffSite

beforeAll(async () => {
  site = await startStaffSite(TEST_LEADS)
})

afterAll(() => site?.stop())

test('picks a day from the calendar, which closes, and always has one', async () => {
  const page = await openDashboard(site)
  const date = dateField(page)
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
  await titled(page, 'Tuesday, 17 November 2026')
  await found(page, 1)
  await page.getByRole('article', { name: 'Late Yesterday' }).waitFor()
  expect(queryOf(page)).toBe('?date=2026-11-17')
  await date.fill('')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect.poll(() => date.inputValue()).toBe('17 November 2026')
  await titled(page, 'Tuesday, 17 November 2026')
  await page.getByRole('button', { name: 'Today' }).click()
  await titled(page, 'Wednesday, 18 November 2026')
  await page.goBack()
  await titled(page, 'Tuesday, 17 November 2026')
  await page.context().close()
})

test('a day is typed key by key, and is one step in the history', async () => {
  const page = await openDashboard(site)
  const date = dateField(page)
  await expect.poll(() => date.inputValue()).toBe('18 November 2026')
  const steps = () => page.evaluate(() => history.length)
  const before = await steps()
  await date.selectText()
  await page.keyboard.type('12 January 2025')
  await page.keyboard.press('Enter')
  await titled(page, 'Sunday, 12 January 2025')
  expect(await steps()).toBe(before + 1)
  await date.click()
  await page.getByRole('gridcell', { name: /12 January/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await steps()).toBe(before + 1)
  await page.context().close()
})

test('takes a day as it is typed here, and says what is no day', async () => {
  const page = await openDashboard(site)
  const date = dateField(page)
  await date.waitFor()
  const before = await page.getByLabel('Period').boundingBox()
  await date.click()
  await page.getByRole('dialog').waitFor()
  expect(await page.getByLabel('Period').boundingBox()).toEqual(before)
  for (const [typed, query] of [
    ['05/11/2026', '?date=2026-11-05'],
    ['6 Nov 2026', '?date=2026-11-06'],
    ['2026-11-07', '?date=2026-11-07'],
    ['8/11/2026', '?date=2026-11-08'],
  ] as const) {
    await date.fill(typed)
    await expect.poll(() => queryOf(page)).toBe(query)
  }
  await page.keyboard.press('Enter')
  for (const typed of ['31 February 2026', '31/02/2026', '11/25/2026', 'next week']) {
    await date.fill(typed)
    await page.keyboard.press('Enter')
    await page.getByText('Enter a date like 5 November 2026', { exact: true }).waitFor()
    await expect.poll(() => date.inputValue()).toBe('8 November 2026')
    await expect.poll(() => date.getAttribute('aria-invalid')).toBe('true')
  }
  expect(await faultsOf(page)).toEqual([])
  await date.fill('9 November 2026')
  await expect.poll(() => queryOf(page)).toBe('?date=2026-11-09')
  await page.keyboard.press('Tab')
  expect(await page.getByText('Not a day').count()).toBe(0)
  await page.context().close()
})

test('shows the longest date whole on a phone', async () => {
  const page = await openDashboard(site, '?date=2026-09-30', { viewport: { width: 360, height: 740 } })
  const date = dateField(page)
  await expect.poll(() => date.inputValue()).toBe('30 September 2026')
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 740 })
    expect(await date.evaluate((it) => it.scrollWidth - it.clientWidth), `at ${width} px`).toBeLessThanOrEqual(0)
  }
  await page.context().close()
})

test('days are those of South Africa in a browser elsewhere', async () => {
  const page = await openDashboard(site, '?date=2026-10-31', { timezoneId: 'America/New_York' })
  await found(page, 1)
  await page.getByRole('article', { name: 'Last Of October' }).getByText('23:59', { exact: true }).waitFor()
  await page.getByLabel('Period').selectOption('month')
  await titled(page, 'October 2026')
  await found(page, 1)
  await page.context().close()
})

test('weeks start on Monday where the locale says so', async () => {
  const page = await openDashboard(site, '?period=week', { locale: 'en-GB' })
  await titled(page, 'Week of 16 November 2026 - 22 November 2026')
  await found(page, 4)
  await page.context().close()
})
test.each([
  // three zones at the end of their daylight saving, where the day is another one than in South Africa or is longer
  ['America/New_York', '2026-11-01T05:30:00Z', 'Sunday, 1 November 2026', '1 November 2026', '2 November'],
  ['America/New_York', '2026-10-31T22:30:00Z', 'Sunday, 1 November 2026', '1 November 2026', '2 November'],
  ['Pacific/Auckland', '2026-04-04T14:30:00Z', 'Saturday, 4 April 2026', '4 April 2026', '5 April'],
  ['Europe/London', '2026-10-25T00:59:00Z', 'Sunday, 25 October 2026', '25 October 2026', '26 October'],
])('in %s at %s today is %s', async (timezoneId, now, today, value, next) => {
  const page = await openDashboard(site, '', { timezoneId, now })
  await titled(page, today)
  const date = dateField(page)
  await expect.poll(() => date.inputValue()).toBe(value)
  await date.click()
  await page.getByRole('gridcell', { name: new RegExp(` ${next}`) }).click()
  const day = new Date(`${value} 12:00Z`)
  day.setUTCDate(day.getUTCDate() + 1)
  await expect.poll(() => queryOf(page)).toBe(`?date=${day.toISOString().slice(0, 10)}`)
  await page.context().close()
})
