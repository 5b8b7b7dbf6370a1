import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../../testing/staff-site.ts'

let site: StaffSite
let sipho: TestSession

beforeAll(async () => {
  site = await startStaffSite()
  sipho = await site.hire('Sipho')
  await site.submit({ name: 'Zanele Qwabe', businessName: 'Qwabe Bakery' })
  await site.submit({ name: 'Xolani Zulu', businessName: 'Zulu Motors' })
})
afterAll(() => site?.stop())

const stage = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\d`) })
const card = (page: Page, name: string, title: string) =>
  stage(page, name).getByRole('listitem').filter({ hasText: title })

test('a card is dragged to another stage, which a colleague sees; both move one, and the second one is asked', async () => {
  const [mine, theirs] = [await site.open('/admin-pipeline'), await site.open('/admin-pipeline', { as: sipho })]
  await card(mine, 'New', 'Qwabe Bakery').dragTo(stage(mine, 'Contacted'))
  await mine.getByText('It is now assigned to you.', { exact: true }).waitFor()
  const quoted = card(mine, 'Contacted', 'Qwabe Bakery').getByRole('link')
  await quoted.press('Shift+ArrowRight')
  await card(theirs, 'Quoted', 'Qwabe Bakery')
    .getByText(/, thandi$/)
    .waitFor()
  await mine.getByRole('button', { name: 'Value of Zanele Qwabe' }).click()
  await mine.getByLabel('Project value (R)').fill('10,001')
  expect(await faultsOf(mine), 'with the dialog of a value').toEqual([])
  await mine.getByRole('button', { name: 'Save value' }).click()
  await stage(mine, 'Quoted').getByText('R10,001, from 1').waitFor()
  await mine.getByText('Forecast: R5,000.50 (won, plus the likely part of the rest)').waitFor()

  // the changes of a colleague during that time are not known here yet
  await mine.route('**/api/leads/stream', (route) => route.abort())
  await mine.route(/\/api\/leads(\/stages)?\?/, (route) => route.abort())
  await theirs.getByLabel('Stage of Xolani Zulu').selectOption('Contacted')
  await card(theirs, 'Contacted', 'Zulu Motors').waitFor()
  await mine.getByLabel('Stage of Xolani Zulu').selectOption('Lost')
  const dialog = mine.getByRole('dialog', { name: 'A colleague was faster' })
  await dialog.getByText('Sipho changed this while you were editing. Your changes aren’t saved.').waitFor()
  expect(await faultsOf(mine), 'with a clash').toEqual([])
  await mine.unroute(/\/api\/leads(\/stages)?\?/)
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await card(mine, 'Lost', 'Zulu Motors').waitFor()
  await card(theirs, 'Lost', 'Zulu Motors').waitFor()
  await Promise.all([mine, theirs].map((page) => page.context().close()))
})

test('the board has no fault in any window, and on a phone a row links to each stage', async () => {
  for (const number of Array(12).keys()) {
    const { id } = await site.submit({ name: `Waiting ${number}` })
    if (number < 5) await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'quoted' })
  }
  const page = await site.open('/admin-pipeline?period=last30', { as: sipho, viewport: { width: 1440, height: 700 } })
  // the content above a stage is there, and no longer moves it
  for (const name of ['New', 'Quoted']) await stage(page, name).getByRole('listitem').nth(4).waitFor()
  const waiting = card(page, 'New', 'Waiting 11')
  await waiting.getByText(/^(Answer by|Overdue by)/).waitFor()
  for (const width of [1440, 1024, 768, 390, 360]) {
    await page.setViewportSize({ width, height: 700 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
    const [column, inside] = await Promise.all([stage(page, 'New'), waiting].map((each) => each.boundingBox()))
    expect((inside?.x ?? 0) + (inside?.width ?? 0)).toBeLessThan((column?.x ?? 0) + (column?.width ?? 0))
  }

  const stages = page.getByRole('navigation', { name: 'Stages' })
  const entries = await page.evaluate(() => history.length)
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 700 })
    for (const name of ['Quoted', 'New']) {
      await stages.getByRole('link', { name: new RegExp(`^${name} \\d+$`) }).click()
      const title = stage(page, name).getByRole('heading')
      await expect.poll(() => title.evaluate((found) => found === document.activeElement)).toBe(true)
      await expect.poll(async () => (await title.boundingBox())?.y).toBeLessThan(120)
      const [row, reached] = await Promise.all([stages.boundingBox(), title.boundingBox()])
      expect(row?.y).toBe(0)
      expect(reached?.y).toBeGreaterThanOrEqual(row?.height ?? 700)
    }
    for (const link of await stages.getByRole('link').all())
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  expect(page.url()).toContain('?period=last30')
  expect(await page.evaluate(() => history.length)).toBe(entries)
  await page.setViewportSize({ width: 768, height: 700 })
  await stages.waitFor({ state: 'hidden' })
  await page.context().close()
})
