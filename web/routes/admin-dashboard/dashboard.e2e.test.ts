import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BYTE_ORDER_MARK, CSV_COLUMNS, csvLine, sheetCells } from '../../../events/lead/export/sheet.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { passMidnight } from '../../../events/testing/clock.ts'
import { fillSignIn } from '../../testing/sign-in.ts'
import { found, openDashboard, searchBox, TEST_LEADS } from '../../testing/staff-leads.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../testing/staff-site.ts'

const WIDTHS = [390, 1024, 1440]
const PHONE = { width: 390, height: 844 }
/** The day of the test leads that has 60 of them. */
const FULL_DAY = '/admin-dashboard?date=2026-11-15'
/** The width at which a name can be distinguished from another one. */
const LEGIBLE_PX = 96

const LONG_COMPANY = 'Botanical Gardens and Nurseries of the Southern Peninsula'
const MESSAGE = 'We need bookings and a gallery.'

let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite([
    ...TEST_LEADS,
    { name: 'Short One', leadSource: 'hero_form', message: MESSAGE, at: '2026-10-05T10:00:00+02:00' },
    {
      name: 'Contract Cynthia',
      businessName: LONG_COMPANY,
      leadSource: 'contract_essential',
      agreedToTerms: true,
      at: '2026-10-05T09:00:00+02:00',
    },
  ])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const rowsOf = (page: Page) => page.getByRole('button', { name: /Bulk \d\d/ })
const boxesOf = (page: Page) => page.getByRole('checkbox', { name: /^Select Bulk/ })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)
const boxOf = async (it: Locator) => (await it.boundingBox()) ?? expect.fail()
const topOf = async (it: Locator) => (await boxOf(it)).y
const isWhole = (it: Locator) => it.evaluate((element) => element.scrollWidth <= element.clientWidth)
const beyond = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
const showRows = (page: Page) => page.getByRole('button', { name: 'List', exact: true }).click()

// the layout is the account's, and each test begins with the one of a new account
beforeEach(() => site.call('POST', '/api/me/leads-layout', { leadsLayout: 'cards' }))

test('the dashboard passes axe in each of its states; it copies, exports, and shows its tips', async () => {
  await site.submit({ name: 'Trapped Thami', ...({ quartz: 'x' } as object) })
  const page = await openDashboard(site)
  await found(page, 3)
  const overdue = page.getByRole('article', { name: 'Sipho Khumalo' }).getByText('Overdue by 35 min', { exact: true })
  const tipOf = (it: Locator) => it.evaluate((element) => getComputedStyle(element, '::after').opacity)
  await overdue.hover()
  await expect.poll(() => tipOf(overdue)).toBe('1')
  // the tips next to it are there at once
  for (const name of ['Copy Email', 'Copy Data']) {
    const copy = page.getByRole('article', { name: 'Sipho Khumalo' }).getByRole('button', { name })
    await copy.hover()
    expect(await tipOf(copy), name).toBe('1')
  }
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('article', { name: 'Stoep & Co' }).getByRole('button', { name: 'Copy Email' }).click()
  await page.getByText('Copied to clipboard! You can now paste this into an email.', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('New lead: Thandi Mokoena\n')

  const period = page.getByLabel('Period')
  const date = page.getByLabel('Date', { exact: true }).and(page.locator(':not([readonly])'))
  await date.waitFor()
  const before = await boxOf(period)
  await date.click()
  await page.getByRole('dialog').waitFor()
  expect(await boxOf(period)).toEqual(before)
  expect(await faultsOf(page), 'with the calendar').toEqual([])
  await date.fill('next week')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a date like 5 November 2026', { exact: true }).waitFor()
  expect(await faultsOf(page), 'with what is no date').toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')

  await searchBox(page).fill('sipho hero')
  await page.getByText(/Each word must be in/).waitFor()
  await page.getByText('None on other dates either.').waitFor()
  expect(await faultsOf(page), 'where nothing is found').toEqual([])
  await searchBox(page).fill('tha')
  await page.getByRole('link', { name: '1 in quarantine matches "tha"' }).waitFor()
  await page.getByLabel('Status').selectOption('New')
  await found(page, 1, ' (filtered by "tha", New)')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog', { name: 'Save this view' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Name is required').waitFor()
  expect(await faultsOf(page), 'with the dialog of a view').toEqual([])
  await page.keyboard.press('Escape')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `of a search, at ${width} px`).toEqual([])
  }
  await page.getByRole('link', { name: '1 in quarantine matches "tha"' }).click()
  await page.getByRole('article', { name: 'Trapped Thami' }).waitFor()
  expect(await faultsOf(page), 'in quarantine').toEqual([])
  await page.setViewportSize(PHONE)
  expect(await faultsOf(page), 'in quarantine on a phone').toEqual([])
  await page.goto('/admin-submissions?page=2')
  await page.getByText('Page 2 of 2', { exact: true }).waitFor()
  await page.getByRole('article').first().waitFor()
  expect(await faultsOf(page), 'of all submissions on a phone').toEqual([])

  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await faultsOf(page), 'of all submissions').toEqual([])
  await page.goto('/admin-dashboard?period=week')
  await found(page, 64)
  const exported = async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export to Excel', exact: true }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const week = await exported()
  expect(week.name).toBe('karoo-web-studio-week-2026-11-15.csv')
  const listed: Lead[] = await page.evaluate(async () => {
    const days = 'from=2026-11-14T22:00:00.000Z&to=2026-11-21T22:00:00.000Z'
    return await (await fetch(`/api/leads?${days}&sort=desc&limit=1000`)).json()
  })
  expect(listed).toHaveLength(64)
  const lines = listed.map((lead) => csvLine(sheetCells(lead, new Map()).slice(0, CSV_COLUMNS.length)))
  expect(week.text).toBe(BYTE_ORDER_MARK + csvLine(CSV_COLUMNS) + lines.join(''))
  await page.getByLabel('File format').selectOption('Excel workbook (all columns)')
  const workbook = await exported()
  expect(workbook.name).toBe('karoo-web-studio-week-2026-11-15.xlsx')
  expect(workbook.text.slice(0, 2)).toBe('PK')

  await page.route('**/api/leads**', (route) => route.fulfill({ status: 500, body: 'no view' }))
  await page.getByRole('button', { name: 'Oldest First' }).click()
  await page.getByText('Error loading submissions').waitFor()
  expect(await faultsOf(page), 'with a failure').toEqual([])
  await page.context().close()
})

test('on a phone the first lead is on the first screen, and nothing above the filters moves as they unfold', async () => {
  const page = await openDashboard(site, '', { viewport: PHONE })
  await found(page, 3)
  expect(await topOf(page.getByRole('article').first())).toBeLessThan(450)
  for (const name of ['Period', 'Status', 'Date'])
    expect(await page.getByLabel(name, { exact: true }).isVisible()).toBe(false)
  const filters = page.getByRole('button', { name: 'Filters' })
  const steady = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('button', { name: 'Add lead' }),
    page.getByLabel('Search'),
    filters,
  ]
  const tops = () => Promise.all(steady.map(topOf))
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  expect(await page.getByRole('button', { name: 'Newest First' }).isVisible()).toBe(false)
  const before = await tops()
  await filters.press('Enter')
  await page.getByLabel('Status', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Newest First' }).waitFor()
  expect(await tops()).toEqual(before)
  expect(await page.getByRole('link', { name: 'Import leads' }).isVisible()).toBe(false)
  expect(await faultsOf(page), 'with the filters').toEqual([])
  await filters.click()
  expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(false)

  // a separate button holds import and export, under the title
  const files = page.getByRole('button', { name: 'Files', exact: true })
  const added = await topOf(page.getByRole('button', { name: 'Add lead' }))
  expect(await topOf(files)).toBe(added)
  await files.press('Enter')
  expect(await files.getAttribute('aria-expanded')).toBe('true')
  const exporting = await boxOf(page.getByRole('button', { name: 'Export to Excel' }))
  for (const part of [page.getByLabel('File format'), page.getByRole('link', { name: 'Import leads' })]) {
    const { x, width } = await boxOf(part)
    expect({ x, width }).toEqual({ x: exporting.x, width: exporting.width })
  }
  const imported = await topOf(page.getByRole('link', { name: 'Import leads' }))
  expect(imported).toBeGreaterThan(added)
  expect(imported).toBeLessThan(await topOf(page.getByLabel('Search')))
  expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(false)
  expect(await faultsOf(page), 'with the files').toEqual([])
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await isWhole(page.getByRole('heading', { level: 1 })), `at ${width} px`).toBe(true)
    expect(await beyond(page), `at ${width} px`).toBe(0)
  }
  await page.setViewportSize({ width: 1024, height: 844 })
  expect(await files.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Import leads' }).waitFor()

  // the layout is chosen next to the count
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const [line, choice] = await Promise.all(
      [page.getByText(/^3 submissions found$/), page.getByRole('group', { name: 'Layout' })].map(boxOf),
    )
    expect(choice?.y).toBeLessThan((line?.y ?? 0) + (line?.height ?? 0))
    expect(line?.y).toBeLessThan((choice?.y ?? 0) + (choice?.height ?? 0))
  }
  await showRows(page)
  // a row has two lines: a name with what is due, and the message
  for (const title of ['Thandi Mokoena', 'Sipho Khumalo', 'Lerato Dlamini']) {
    const row = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: `Select ${title}` }) })
    expect((await boxOf(row)).height).toBe(56)
    const name = await boxOf(row.getByText(new RegExp(`^${title}`)))
    expect(name.width, title).toBeGreaterThan(LEGIBLE_PX)
    const due = await boxOf(row.locator('[data-cell=due]'))
    expect(due.x).toBeGreaterThanOrEqual(name.x + name.width)
  }
  expect(await faultsOf(page), 'in rows').toEqual([])

  // the longest date is shown whole
  await page.getByRole('button', { name: 'Cards', exact: true }).click()
  await filters.waitFor()
  await page.goto('/admin-dashboard?date=2026-09-30')
  await filters.click()
  const date = page.getByLabel('Date', { exact: true }).and(page.locator(':not([readonly])'))
  await expect.poll(() => date.inputValue()).toBe('30 September 2026')
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 740 })
    expect(await isWhole(date), `at ${width} px`).toBe(true)
  }
  await page.context().close()
})

test('the first screen is for leads, rows are 36 px high, and none moves as some are selected', async () => {
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
  await showRows(page)
  const rows = rowsOf(page)
  await rows.first().waitFor()
  const [few = 0, many = 0] = await seen(rows)
  expect(few).toBeGreaterThanOrEqual(14)
  expect(many).toBeGreaterThanOrEqual(18)
  for (const height of await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox') })
    .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height))) {
    expect(height).toBe(36)
  }

  const bar = page.getByRole('group', { name: 'Selected leads' })
  for (const width of [360, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 844 })
    const [first, second] = [boxesOf(page).nth(0), boxesOf(page).nth(1)]
    await page.evaluate(() => scrollTo(0, 0))
    const top = await topOf(second)
    await first.check()
    await bar.waitFor()
    expect(await topOf(second), `at ${width} px`).toBe(top)
    const { y, height } = await boxOf(bar)
    expect(y + height).toBeLessThanOrEqual(844)
    await second.check()
    await bar.getByText('2 selected').waitFor()
    expect(await beyond(page), `at ${width} px`).toBe(0)
    await boxesOf(page).last().focus()
    const last = await boxOf(rowsOf(page).last())
    expect(last.y + last.height).toBeLessThanOrEqual(await topOf(bar))
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await bar.waitFor({ state: 'detached' })
  }
  await page.context().close()
})

test('a row has the message, the package, the assignee and a legible name, if there is room', async () => {
  const [lead] = await (await site.call('GET', '/api/leads?q=short')).json()
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, ben)).json()
  await site.call('PATCH', `/api/leads/${lead.id}`, { ownerId })
  const page = await openDashboard(site, '?date=2026-10-05')
  await showRows(page)
  const row = page.getByRole('button', { name: /Short One/ })
  await page.setViewportSize({ width: 1440, height: 844 })
  await row.getByText(MESSAGE).waitFor()
  expect(await page.getByRole('button', { name: MESSAGE }).count()).toBe(0)
  const contract = page.getByRole('button', { name: /^New ?Contract Cynthia/ })
  const name = contract.getByText(/^Contract Cynthia/)
  const company = await name.getByText(/Botanical Gardens/).elementHandle()
  for (const width of [390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    // the company is cut if there is no room for both
    const [begin = 0, companyBegin = 0, end = 0] = await name.evaluate((element, inner) => {
      const { left, right } = element.getBoundingClientRect()
      return [left, inner?.getBoundingClientRect().left ?? 0, right]
    }, company)
    expect(companyBegin - begin, `at ${width} px`).toBeGreaterThan(LEGIBLE_PX)
    expect(companyBegin, `at ${width} px`).toBeLessThanOrEqual(end)
    expect(await beyond(page), `at ${width} px`).toBe(0)
  }
  await contract.locator('[data-tip="Contract signed"]').waitFor()
  const face = row.getByRole('img', { name: 'Assigned to Ben Dube' })
  await row.click()
  await page.getByRole('complementary', { name: 'Preview: Short One' }).waitFor()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    await face.waitFor()
    expect(await faultsOf(page), `with a preview, at ${width} px`).toEqual([])
  }
  await page.keyboard.press('Escape')
  await row.getByText(MESSAGE).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('group', { name: 'Selected leads' }).getByText('2 selected').waitFor()
  for (const width of [360, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `with a selection, at ${width} px`).toEqual([])
  }
  await page.context().close()
})

test('from a lead the link and Back return to the same place in the list, of rows and of cards', async () => {
  const page = await openDashboard(site, '?date=2026-11-15')
  await page
    .getByRole('link', { name: /^Open lead: Bulk/ })
    .nth(20)
    .click()
  await page.getByRole('list', { name: 'Timeline' }).waitFor()
  const cardId = new URL(page.url()).searchParams.get('id')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => focused(page)).toBe(`open-${cardId}`)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500)

  await showRows(page)
  const row = rowsOf(page).nth(40)
  await row.click()
  const id = await focused(page)
  const scrolled = await page.evaluate(() => scrollY)
  expect(scrolled).toBeGreaterThan(500)
  for (const back of [() => page.getByRole('link', { name: 'Back to the list' }).click(), () => page.goBack()]) {
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /^Open lead/ })
      .click()
    // the panel has a timeline too
    await page.getByRole('link', { name: 'Back to the list' }).waitFor()
    await back()
    await row.waitFor()
    await expect.poll(() => focused(page)).toBe(id)
    expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(3)
    await page.getByRole('complementary').waitFor()
  }
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toBe(await rowsOf(page).nth(41).getAttribute('id'))

  // a preview next to the list has no entry of the history
  const place = () => page.evaluate(() => [history.state.idx, history.length])
  const before = await place()
  for (const key of ['j', 'j', 'k', 'Escape']) await page.keyboard.press(key)
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  expect(await place()).toEqual(before)
  await page.context().close()
})

test('on a phone Back closes the preview over the list and stays at the same place; closing it leaves no entry', async () => {
  const page = await openDashboard(site, '?date=2026-11-15', { viewport: PHONE })
  await showRows(page)
  const preview = page.getByRole('complementary')
  const row = rowsOf(page).nth(40)
  const place = () => page.evaluate(() => history.state.idx)
  const before = await place()
  await row.click()
  await preview.waitFor()
  const scrolled = await page.evaluate(() => scrollY)
  expect(scrolled).toBeGreaterThan(500)
  await page.goBack()
  await preview.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe(await row.getAttribute('id'))
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(3)
  expect(page.url()).toContain(FULL_DAY)

  await row.click()
  const otherRow = rowsOf(page).nth(38)
  const otherName = /Bulk \d\d/.exec((await otherRow.textContent()) ?? '')?.[0]
  await otherRow.click()
  const other = page.getByRole('complementary', { name: `Preview: ${otherName}` })
  await other.waitFor()
  await page.reload()
  await other.waitFor()
  await preview.getByRole('link', { name: /^Open lead/ }).click()
  await page.getByRole('link', { name: 'Back to the list' }).waitFor()
  await page.goBack()
  await other.waitFor()
  await expect.poll(() => focused(page)).toBe(await otherRow.getAttribute('id'))
  await preview.getByLabel('Status').focus()
  await page.goBack()
  await preview.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe(await otherRow.getAttribute('id'))
  expect(await place()).toBe(before)

  for (const close of [
    () => preview.getByRole('button', { name: 'Close' }).click(),
    () => otherRow.click(),
    // a key that is held down
    () =>
      page.evaluate(() => {
        for (const _ of [1, 2, 3]) dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
      }),
  ]) {
    await otherRow.click()
    await preview.waitFor()
    await close()
    await preview.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe(await otherRow.getAttribute('id'))
    expect(await place()).toBe(before)
  }
  await page.context().close()
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add lead' })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const openForm = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Add lead/ })
    .click()
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(text, { exact: true }).waitFor()

test('a lead who called is entered by hand, and a colleague sees it at once, without a jump of the page', async () => {
  const [page, other] = [await site.open('/admin-dashboard'), await site.open('/admin-dashboard', { as: ben })]
  await openForm(page)
  await page.setViewportSize({ width: 390, height: 700 })
  const whole = await boxOf(dialog(page))
  const button = await boxOf(dialog(page).getByRole('button', { name: 'Add lead' }))
  expect(button.y + button.height).toBeLessThanOrEqual(whole.y + whole.height - 8)
  const waits = field(page, 'Not answered yet')
  await waits.focus()
  expect(await topOf(waits)).toBeLessThan(button.y - 16)
  await field(page, 'Phone').fill('082 555 0177')
  await field(page, 'Package').selectOption({ label: 'Premium' })
  await field(page, 'Note').fill('Wants to know what a shop costs.')
  await page.keyboard.press('Escape')
  await toast(page, 'Kept for later')
  await page.setViewportSize({ width: 360, height: 900 })
  expect(await faultsOf(page), 'with a lead that was begun').toEqual([])
  await page.reload()
  await openForm(page)
  await dialog(page).getByText('You typed this before. It is not added yet.').waitFor()
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page), `open, at ${width} px`).toEqual([])
  }
  await dialog(page).getByRole('button', { name: 'Add lead' }).dblclick()
  await page.getByRole('heading', { level: 1, name: '082 555 0177' }).waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Entered by hand').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Wants to know what a shop costs.').waitFor()
  expect(await page.getByRole('link', { name: '082 555 0177' }).getAttribute('href')).toBe('tel:+27825550177')
  expect(await page.getByRole('button', { name: 'Email', exact: true }).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  const card = other.getByRole('article').filter({ hasText: '082 555 0177' })
  await card.getByText(/^By hand/).waitFor()
  expect(await card.count()).toBe(1)

  for (let index = 0; index < 6; index += 1) await site.submit({ name: `Visitor ${index}` })
  await other.getByRole('article', { name: 'Visitor 5' }).waitFor()
  await card.getByRole('button', { name: 'Copy Data' }).scrollIntoViewIfNeeded()
  await card.getByRole('button', { name: 'Copy Data' }).focus()
  const top = await topOf(card)
  await site.submit({ name: 'Another' })
  await other.getByRole('article', { name: 'Another' }).waitFor()
  await expect.poll(async () => Math.abs((await topOf(card)) - top)).toBeLessThan(2)
  expect(await other.evaluate(() => document.activeElement?.textContent)).toBe('Copy Data')

  // a session that ends elsewhere opens sign-in within seconds, with the reason, and then returns
  await other.goto('/admin-dashboard?period=week')
  await other.getByText(/ submissions? found$/).waitFor()
  await other.getByRole('article').first().waitFor()
  expect((await site.call('POST', '/api/logout', {}, ben)).ok).toBe(true)
  await other.waitForURL('**/login?next=*')
  await other.getByText('Your session has ended. Sign in again.', { exact: true }).waitFor()
  await fillSignIn(other)
  await other.waitForURL('**/admin-dashboard?period=week')
  // a browser that was not signed in gets no message about a session
  await other.goto('about:blank')
  await other.context().clearCookies()
  await other.goto('/admin-dashboard')
  await other.waitForURL('**/login?next=*')
  await other.getByRole('heading', { name: 'Staff sign-in' }).waitFor()
  expect(await other.getByText('Your session has ended').count()).toBe(0)
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('a lead that several tabs show is added once, other drafts stay, and nothing is lost when a session ends', async () => {
  const page = await site.open('/admin-dashboard')
  const context = page.context()
  const [other, edited] = [await context.newPage(), await context.newPage()]
  await openForm(page)
  await field(page, 'Name').fill('Zanele Khumalo')
  await press(page, 'Discard')
  await other.goto('/admin-dashboard')
  await openForm(other)
  await field(other, 'Name').fill('Lindiwe Ndlovu')
  await field(other, 'Phone').fill('082 555 0151')
  // an undo does not affect the work that was begun since then
  await page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('button', { name: 'Undo' }).click()
  await toast(page, 'You have begun another lead')
  await edited.goto('/admin-dashboard')
  for (const tab of [page, edited]) {
    await openForm(tab)
    await dialog(tab).getByText('You typed this before. It is not added yet.').waitFor()
    expect(await field(tab, 'Name').inputValue()).toBe('Lindiwe Ndlovu')
  }
  await field(edited, 'Name').fill('Lindiwe Dlamini')
  await press(other, 'Add lead')
  await other.getByRole('heading', { level: 1, name: 'Lindiwe Ndlovu' }).waitFor()
  // the text typed in the other tab is another lead, and stays stored
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('staff/')))
  expect(await kept()).toHaveLength(1)
  expect(await dialog(page).count()).toBe(1)
  expect(await field(edited, 'Name').inputValue()).toBe('Lindiwe Dlamini')
  await press(edited, 'Discard')
  await toast(page, 'This lead was added or discarded in another tab')
  await expect.poll(() => dialog(page).count()).toBe(0)

  await openForm(edited)
  await field(edited, 'Email').fill('kept@example.com')
  await openForm(page)
  await dialog(page).getByText('You typed this before. It is not added yet.').waitFor()
  await page.context().clearCookies()
  await dialog(edited).getByRole('button', { name: 'Add lead' }).click()
  const notice = dialog(edited).getByRole('alert').filter({ hasText: 'Your session has ended.' })
  await notice.getByText('Your text stays on this device.').waitFor()
  for (const width of [360, 1440]) {
    await edited.setViewportSize({ width, height: 900 })
    expect(await faultsOf(edited)).toEqual([])
  }
  await notice.getByRole('button', { name: 'Sign in' }).click()
  await fillSignIn(edited)
  await edited.getByRole('button', { name: 'Add lead (not added yet)' }).click()
  expect(await field(edited, 'Email').inputValue()).toBe('kept@example.com')
  await press(edited, 'Add lead')
  await edited.getByRole('heading', { level: 1, name: 'kept@example.com' }).waitFor()
  // the others close it
  await toast(page, 'This lead was added or discarded in another tab')
  await expect.poll(() => dialog(page).count()).toBe(0)
  await context.close()
})
