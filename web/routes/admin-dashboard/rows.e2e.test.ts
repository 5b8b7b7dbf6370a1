import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEST_LEADS, TEST_NOW } from '../../staff/leads/test-leads.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

const WIDTHS = [390, 1024, 1440]
const PHONE = { width: 390, height: 844 }
/** The day of the test leads that has 60 of them. */
const FULL_DAY = '/admin-dashboard?date=2026-11-15'

let site: StaffSite
let agent: TestSession

beforeAll(async () => {
  site = await startStaffSite(TEST_LEADS)
  agent = await site.hire('Sipho Dlamini')
})

afterAll(() => site?.stop())

const openRows = async (path: string, width = 1440) => {
  const page = await site.open(path, { now: TEST_NOW, viewport: { width, height: 844 } })
  await page.evaluate(() => localStorage.setItem('leads-density', 'rows'))
  await page.reload()
  await rowsOf(page).first().waitFor()
  return page
}
const rowsOf = (page: Page) => page.getByRole('button', { name: /Bulk \d\d/ })
const boxesOf = (page: Page) => page.getByRole('checkbox', { name: /^Select Bulk/ })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)
const nameIn = (row: string | null) => `Preview: ${/Bulk \d\d/.exec(row ?? '')?.[0]}`
const topOf = async (it: Locator) => (await it.boundingBox())?.y ?? expect.fail()

test.each(WIDTHS)('no row moves as some are selected, and the last one can be seen, at %i px', async (width) => {
  const page = await openRows(FULL_DAY, width)
  const [first, second] = [boxesOf(page).nth(0), boxesOf(page).nth(1)]
  const top = await topOf(second)
  await first.check()
  const bar = page.getByRole('group', { name: 'Selected leads' })
  await bar.waitFor()
  expect(await topOf(second)).toBe(top)
  const { y, height } = (await bar.boundingBox()) ?? expect.fail()
  expect(y + height).toBeLessThanOrEqual(844)
  await second.check()
  await bar.getByText('2 selected').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await boxesOf(page).last().focus()
  const last = (await rowsOf(page).last().boundingBox()) ?? expect.fail()
  expect(last.y + last.height).toBeLessThanOrEqual(await topOf(bar))
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  await page.context().close()
})

test('with Shift all rows between two are selected, or none of them any more', async () => {
  const page = await openRows(FULL_DAY)
  const bar = page.getByRole('group', { name: 'Selected leads' })
  await boxesOf(page).nth(2).click()
  await boxesOf(page)
    .nth(7)
    .click({ modifiers: ['Shift'] })
  await bar.getByText('6 selected').waitFor()
  await boxesOf(page)
    .nth(5)
    .click({ modifiers: ['Shift'] })
  await bar.getByText('3 selected').waitFor()
  await boxesOf(page).nth(3).focus()
  await page.keyboard.press('Space')
  await bar.getByText('2 selected').waitFor()
  await page.context().close()
})

test.each(['the link', 'Back'])('from a lead %s leads to the same place in the list', async (way) => {
  const page = await openRows(FULL_DAY)
  const row = rowsOf(page).nth(40)
  await row.click()
  const id = await focused(page)
  const scrolled = await page.evaluate(() => scrollY)
  expect(scrolled).toBeGreaterThan(500)
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /^Open lead/ })
    .click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  if (way === 'Back') await page.goBack()
  else await page.getByRole('link', { name: 'Back to the list' }).click()
  await row.waitFor()
  await expect.poll(() => focused(page)).toBe(id)
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(3)
  await page.getByRole('complementary').waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toBe(await rowsOf(page).nth(41).getAttribute('id'))
  await page.context().close()
})

test.each([390, 768])('Back closes the preview over the list and stays at the same place, at %i px', async (width) => {
  const page = await openRows(FULL_DAY, width)
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
  await rowsOf(page).nth(38).click()
  const other = page.getByRole('complementary', { name: await rowsOf(page).nth(38).textContent().then(nameIn) })
  await other.waitFor()
  await page.reload()
  await other.waitFor()
  await preview.getByRole('link', { name: /^Open lead/ }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.goBack()
  await other.waitFor()
  await expect.poll(() => focused(page)).toBe(await rowsOf(page).nth(38).getAttribute('id'))
  await preview.getByLabel('Set status').focus()
  await page.goBack()
  await preview.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe(await rowsOf(page).nth(38).getAttribute('id'))
  expect(await place()).toBe(before)
  await page.context().close()
})

test('a closed preview leaves no entry in the history, nor does one beside the list', async () => {
  const page = await openRows(FULL_DAY, 390)
  const preview = page.getByRole('complementary')
  const place = () => page.evaluate(() => history.state.idx)
  const before = await place()
  const row = rowsOf(page).nth(30)
  for (const close of [
    () => preview.getByRole('button', { name: 'Close' }).click(),
    () => row.click(),
    // a key that is held
    () =>
      page.evaluate(() => {
        for (const _ of [1, 2, 3]) dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
      }),
  ]) {
    await row.click()
    await preview.waitFor()
    await close()
    await preview.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe(await row.getAttribute('id'))
    expect(await place()).toBe(before)
  }
  await page.setViewportSize({ width: 1440, height: 844 })
  const entries = await page.evaluate(() => history.length)
  await rowsOf(page).nth(2).click()
  for (const key of ['j', 'j', 'k', 'Escape']) await page.keyboard.press(key)
  await preview.waitFor({ state: 'detached' })
  expect([await place(), await page.evaluate(() => history.length)]).toEqual([before, entries])
  await page.context().close()
})

test('from a lead the way back leads to its card in a list of cards', async () => {
  const page = await site.open(FULL_DAY, { now: TEST_NOW })
  const link = page.getByRole('link', { name: /^Open lead: Bulk/ }).nth(20)
  await link.click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  const id = new URL(page.url()).searchParams.get('id')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect.poll(() => focused(page)).toBe(`open-${id}`)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500)
  await page.context().close()
})

test('a row says where the lead came from and how it begins, as far as there is room, in 44 px', async () => {
  const message = 'We need bookings and a gallery.'
  await site.submit({ name: 'Short One', leadSource: 'hero_form', message })
  const page = await site.open('/admin-dashboard?period=all&q=short')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const row = page.getByRole('button', { name: /Short One/ })
  const source = row.getByText(/^Consultation form/).filter({ visible: true })
  const spoken = page.getByRole('button', { name: message })
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await source.waitFor()
    expect(await source.count(), `at ${width} px`).toBe(1)
    expect(await row.getByText(message).isVisible()).toBe(true)
    expect(await spoken.count()).toBe(0)
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(44)
    expect(await faultsOf(page)).toEqual([])
  }
  await page.setViewportSize(PHONE)
  await row.getByText(message).waitFor({ state: 'hidden' })
  await page.context().close()
})

test('a row tells whose the lead is where there is no room for the name, and its preview marks it contacted', async () => {
  const lead = await site.submit({ name: 'Owned One' })
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, agent)).json()
  await site.call('PATCH', `/api/leads/${lead.id}`, { ownerId })
  const page = await site.open('/admin-dashboard?period=all&q=owned')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const row = page.getByRole('button', { name: /Owned One/ })
  const face = row.getByRole('img', { name: 'Owner: Sipho Dlamini' })
  await row.getByText('Sipho Dlamini', { exact: true }).waitFor()
  expect(await face.isVisible()).toBe(false)
  await row.click()
  const preview = page.getByRole('complementary', { name: 'Preview: Owned One' })
  const owner = preview.locator('dt', { hasText: 'Owner' }).locator('+ dd')
  await owner.getByText('Sipho Dlamini', { exact: true }).waitFor()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    await face.waitFor()
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await preview.getByRole('button', { name: 'Mark contacted: Owned One' }).click()
  await page.getByText('Marked contacted: Owned One').waitFor()
  await preview.locator('span', { hasText: /^Contacted$/ }).waitFor()
  await expect.poll(() => focused(page)).toMatch(/^row-/)
  expect(await preview.getByRole('button', { name: /^Mark contacted/ }).count()).toBe(0)
  await preview.getByLabel('Set status').selectOption('Quoted')
  await page.getByText('Set to Quoted: Owned One').waitFor()
  await preview.locator('span', { hasText: /^Quoted$/ }).waitFor()
  await preview.getByLabel('Set owner').selectOption('Unassigned')
  await page.getByText('Unassigned: Owned One').waitFor()
  await owner.getByText('Unassigned', { exact: true }).waitFor()
  await page.context().close()
})

test('whose status is set in the preview and is nobody’s is one’s own then, with a lost one left as it is', async () => {
  const lead = await site.submit({ name: 'Taken One' })
  const { id: myId } = await (await site.call('GET', '/api/me')).json()
  const saved = async () => (await site.call('GET', `/api/leads/${lead.id}`)).json()
  const page = await site.open('/admin-dashboard?period=all&q=taken')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  await page.getByRole('button', { name: /Taken One/ }).click()
  const preview = page.getByRole('complementary', { name: 'Preview: Taken One' })
  const owner = preview.locator('dt', { hasText: 'Owner' }).locator('+ dd')
  const owned = page.getByText('You now own this lead.', { exact: true })
  // the row may be a moment behind
  const undo = async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Taken One').waitFor()
  }
  // a notice does not go as long as the mouse is over it
  const setStatus = async (status: string) => {
    await preview.getByLabel('Set status').selectOption(status)
    await page.getByText(`Set to ${status}: Taken One`).hover()
  }
  await owner.getByText('Unassigned', { exact: true }).waitFor()
  await setStatus('Lost')
  expect(await owned.count()).toBe(0)
  expect(await saved()).toMatchObject({ followUpStatus: 'lost', ownerId: null })
  await undo()
  await preview.locator('span', { hasText: /^New$/ }).waitFor()

  const ways = [() => setStatus('Quoted'), () => preview.getByRole('button', { name: /^Mark contacted/ }).click()]
  for (const takeOn of ways) {
    await takeOn()
    await owned.hover()
    await owner.getByText('thandi', { exact: true }).waitFor()
    expect(await saved()).toMatchObject({ ownerId: myId })
    await undo()
    await owner.getByText('Unassigned', { exact: true }).waitFor()
    await preview.locator('span', { hasText: /^New$/ }).waitFor()
    expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null })
  }
  await page.context().close()
})

test('those that are selected are marked as spam at once, but for one that is won, and all of them can be taken back', async () => {
  const names = ['Junk One', 'Junk Two', 'Junk Three']
  const leads = await Promise.all(names.map((name) => site.submit({ name })))
  await site.call('PATCH', `/api/leads/${leads[2]?.id}`, { followUpStatus: 'won' })
  const flagged = async () => {
    const found = leads.map(async ({ id }) => (await (await site.call('GET', `/api/leads/${id}`)).json()).suspicion)
    return (await Promise.all(found)).map(Boolean)
  }
  const page = await site.open('/admin-dashboard?period=all&q=junk')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const boxes = page.getByRole('checkbox', { name: /^Select Junk/ })
  await expect.poll(() => boxes.count()).toBe(3)
  const bar = page.getByRole('group', { name: 'Selected leads' })
  for (const name of ['Junk One', 'Junk Two']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  for (const width of [360, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await bar.getByRole('button', { name: 'Spam' }).click()
  await page.getByText('2 leads marked as spam', { exact: true }).hover()
  await expect.poll(() => boxes.count()).toBe(1)
  expect(await flagged()).toEqual([true, true, false])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone for 2 leads', { exact: true }).waitFor()
  await expect.poll(() => boxes.count()).toBe(3)
  expect(await flagged()).toEqual([false, false, false])

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await bar.getByText('3 selected').waitFor()
  await bar.getByRole('button', { name: 'Spam' }).click()
  await page.getByText('1 of 3 leads not changed', { exact: true }).waitFor()
  await page.getByText('This lead is won: it is no spam').waitFor()
  expect(await flagged()).toEqual([true, true, false])
  await page.context().close()
})

test('spam and a cleared selection take their buttons away and leave the focus on a row, or on the heading', async () => {
  for (const name of ['Swept One', 'Swept Two', 'Swept Three', 'Swept Four']) await site.submit({ name })
  const page = await site.open('/admin-dashboard?period=all&q=swept')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const rows = page.getByRole('button', { name: /^New.*Swept/ })
  await expect.poll(() => rows.count()).toBe(4)
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  const press = (name: string) =>
    page.getByRole('group', { name: 'Selected leads' }).getByRole('button', { name }).press('Enter')
  const [, second, , last] = await rows.evaluateAll((found) => found.map(({ id }) => id))
  for (const name of ['Swept Four', 'Swept Three']) await box(name).check()
  await press('Clear selection')
  await expect.poll(() => focused(page)).toBe(second)

  for (const name of ['Swept Three', 'Swept Two']) await box(name).check()
  await press('Spam')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => focused(page)).toBe(last)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await press('Spam')
  await expect.poll(() => rows.count()).toBe(0)
  await expect.poll(() => focused(page)).toBe('period-title')
  await page.context().close()
})

test('what is done in the preview and takes its lead out of the list leaves the focus on the next row', async () => {
  for (const name of ['Leaving One', 'Leaving Two', 'Leaving Three']) await site.submit({ name })
  const page = await site.open('/admin-dashboard?period=all&status=new&q=leaving')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const rows = page.getByRole('button', { name: /Leaving/ })
  await expect.poll(() => rows.count()).toBe(3)
  const next = await rows.nth(2).getAttribute('id')
  await rows.nth(1).press('Enter')
  const preview = page.getByRole('complementary', { name: 'Preview: Leaving Two' })
  await preview.getByRole('button', { name: 'Mark contacted: Leaving Two' }).press('Enter')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => focused(page)).toBe(next)
  await page.getByRole('button', { name: 'Undo' }).click()
  await preview.waitFor()
  await preview.getByLabel('Set status').selectOption('Lost')
  await expect.poll(() => focused(page)).toBe(next)
  await page.context().close()
})

test('a lead that leaves the list under its preview on a phone leaves no entry in the history', async () => {
  for (const name of ['Going One', 'Going Two']) await site.submit({ name })
  const page = await site.open('/admin-dashboard?period=all&status=new&q=going', { viewport: PHONE })
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const rows = page.getByRole('button', { name: /^New.*Going/ })
  await expect.poll(() => rows.count()).toBe(2)
  await rows.first().click()
  const preview = page.getByRole('complementary')
  await preview.getByRole('button', { name: /^Mark contacted/ }).click()
  await preview.waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => page.evaluate(() => history.state.idx)).toBe(0)
  await expect.poll(() => focused(page)).toBe(await rows.first().getAttribute('id'))
  await page.context().close()
})

test('a search says how many leads other dates have, beside what it has found and in its place', async () => {
  const page = await site.open('/admin-dashboard?q=mokoena&date=2023-01-01', { now: TEST_NOW })
  await page.getByText('1 on other dates.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Search').fill('nobody at all')
  await page.getByText('None on other dates either.').waitFor()
  expect(await page.getByRole('button', { name: 'Search all dates' }).count()).toBe(0)
  await page.getByLabel('Search').fill('of')
  await page.getByText('2 on other dates.').waitFor()
  await page.goto('/admin-dashboard?q=of&date=2026-11-01')
  await page.getByText(/^1 submissions found/).waitFor()
  await page.getByText('1 on other dates.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Search').fill('month')
  await page.getByText('(filtered by "month")').waitFor()
  await page.getByText('on other dates').waitFor({ state: 'detached' })
  await page.getByLabel('Search').fill('nobody at all')
  await page.getByText('None on other dates either.').waitFor()
  await page.getByLabel('Search').fill('bulk')
  await page.getByText('60 on other dates.').waitFor()
  await page.getByRole('button', { name: 'Search all dates' }).click()
  await page.getByText(/^60 submissions found/).waitFor()
  const date = page.getByLabel('Date', { exact: true }).and(page.locator(':not([readonly])'))
  await date.waitFor()
  expect(await date.inputValue()).toBe('')
  expect(await date.getAttribute('placeholder')).toBe('All Dates')
  expect(await faultsOf(page)).toEqual([])
  await date.fill('15 November 2026')
  await date.press('Enter')
  await page.waitForURL(/date=2026-11-15/)
  await page.context().close()
})

test('what one changes oneself is on no other date', async () => {
  for (const name of ['Palesa One', 'Palesa Two']) await site.submit({ name })
  const page = await site.open('/admin-dashboard?status=new&q=palesa')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const rows = page.getByRole('button', { name: /^New.*Palesa/ })
  await expect.poll(() => rows.count()).toBe(2)
  const lies = await page.evaluateHandle(() => {
    const seen: string[] = []
    new MutationObserver(() => {
      const said = /\d+ on other dates/.exec(document.body.innerText)?.[0]
      if (said) seen.push(said)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    return seen
  })
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('group', { name: 'Selected leads' }).getByLabel('Set status').selectOption('Contacted')
  await page.getByText('None on other dates either.').waitFor()
  expect(await lies.jsonValue()).toEqual([])
  await page.context().close()
})

test('on a phone a view is one tap away, and what is above the filters stays where it is as they unfold', async () => {
  const page = await site.open('/admin-dashboard', { now: TEST_NOW, viewport: PHONE })
  const views = page.getByRole('navigation', { name: 'Views' })
  const steady = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('button', { name: 'Add lead' }),
    views.getByRole('link', { name: 'My leads' }),
    page.getByLabel('Search'),
    page.getByRole('button', { name: 'Filters' }),
  ]
  const tops = () => Promise.all(steady.map(topOf))
  // all that is above has come
  await page.getByText(/submissions found$/).waitFor()
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  const before = await tops()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Status', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Import leads' }).isVisible()).toBe(false)
  expect(await tops()).toEqual(before)
  expect(await faultsOf(page)).toEqual([])
  await views.getByRole('link', { name: 'Unassigned' }).click()
  await page.waitForURL(/owner=none/)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test.each([360, 390])('cards or rows are chosen in sight beside the count, at %i px', async (width) => {
  const page = await site.open(FULL_DAY, { now: TEST_NOW, viewport: { width, height: 844 } })
  const found = page.getByText(/^60 submissions found$/)
  await found.waitFor()
  const [line, rows] = await Promise.all(
    [found, page.getByRole('button', { name: 'Rows', exact: true })].map(async (it) => await it.boundingBox()),
  )
  if (!line || !rows) return expect.fail()
  expect(rows.y).toBeLessThan(line.y + line.height)
  expect(line.y).toBeLessThan(rows.y + rows.height)
  expect(await page.getByRole('button', { name: 'Newest First' }).isVisible()).toBe(false)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: 'Newest First' }).waitFor()
  await page.getByRole('button', { name: 'Today', exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  await rowsOf(page).first().waitFor()
  await page.context().close()
})

test('a row and its preview tell the same of the promised reply, whenever the preview is opened', async () => {
  const page = await site.open('/admin-dashboard')
  await page.evaluate(() => localStorage.setItem('leads-density', 'rows'))
  await page.clock.install({ time: new Date('2026-11-18T11:59:40+02:00') })
  await page.goto('/admin-dashboard?date=2026-11-18')
  const row = page.getByRole('button', { name: /Sipho Khumalo/ })
  await row.getByText('Overdue by 34 min').waitFor()
  await page.clock.pauseAt(new Date('2026-11-18T12:00:01+02:00'))
  await row.click()
  await page.getByRole('complementary').getByText('Overdue by 35 min').waitFor()
  expect(await row.getByText(/^Overdue/).textContent()).toBe('Overdue by 35 min')
  await page.context().close()
})
