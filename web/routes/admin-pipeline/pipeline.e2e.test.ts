import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

let site: StaffSite
let sipho: TestSession
let bakery: Lead
let garage: Lead

beforeAll(async () => {
  site = await startStaffSite()
  sipho = await site.hire('Sipho')
  bakery = await site.submit({ name: 'Zanele Qwabe', businessName: 'Qwabe Bakery' })
  garage = await site.submit({ name: 'Xolani Zulu', businessName: 'Zulu Motors' })
})
afterAll(() => site?.stop())

const stage = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\d`) })
const card = (page: Page, name: string, title: string) =>
  stage(page, name).getByRole('listitem').filter({ hasText: title })
const open = async (as?: TestSession, viewport = { width: 1440, height: 900 }) => {
  const page = await site.open('/admin-pipeline', { viewport, ...(as && { as }) })
  await stage(page, 'New').waitFor()
  return page
}
const standing = async ({ id }: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${id}`)).json()
const myId = async (): Promise<string> => (await (await site.call('GET', '/api/me')).json()).id

test('a card is dragged to another stage, moved by keys and by its choice, and a move can be undone', async () => {
  const page = await open()
  await card(page, 'New', 'Qwabe Bakery')
    .getByText(/^(Reply due|Overdue by)/)
    .waitFor()
  await card(page, 'New', 'Qwabe Bakery').dragTo(stage(page, 'Contacted'))
  await card(page, 'Contacted', 'Qwabe Bakery').waitFor()
  await page.getByText('Moved to Contacted: Zanele Qwabe').first().waitFor()
  await page.getByText('You now own this lead.', { exact: true }).waitFor()
  expect(await standing(bakery)).toMatchObject({ followUpStatus: 'contacted', ownerId: await myId() })
  await card(page, 'Contacted', 'Qwabe Bakery').getByRole('link').press('Shift+ArrowRight')
  await card(page, 'Quoted', 'Qwabe Bakery').waitFor()
  await page.getByLabel('Stage of Xolani Zulu').selectOption('Lost')
  await card(page, 'Lost', 'Zulu Motors').waitFor()
  await page.getByText('Moved to Lost').first().waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'New', 'Zulu Motors').waitFor()
  await page.context().close()
})

test('keys take a card from stage to stage with the focus on it, until somebody goes elsewhere', async () => {
  const salon = await site.submit({ name: 'Thandi Mokoena', businessName: 'Mokoena Salon' })
  const page = await open()
  const link = (name: string) => card(page, name, 'Mokoena Salon').getByRole('link')
  await link('New').focus()
  for (const name of ['Contacted', 'Quoted', 'Won']) {
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => link(name).evaluateAll(([found]) => found === document.activeElement)).toBe(true)
  }
  expect((await standing(salon)).followUpStatus).toBe('won')
  const days = page.getByRole('button', { name: '90 days' })
  await page.keyboard.press('Shift+ArrowLeft')
  await days.focus()
  await link('Quoted').waitFor()
  await card(page, 'Won', 'Mokoena Salon').waitFor({ state: 'detached' })
  expect(await days.evaluate((found) => found === document.activeElement)).toBe(true)
  await page.context().close()
})

test('who moves a card on that is nobody’s owns the lead, until that is undone; a colleague who was faster keeps it', async () => {
  const florist = await site.submit({ name: 'Nandi Cele', businessName: 'Cele Flowers' })
  const page = await open()
  const owned = page.getByText('You now own this lead.', { exact: true })
  await card(page, 'New', 'Cele Flowers').getByRole('link').press('Shift+ArrowRight')
  // a notice does not go as long as the mouse is over it
  await owned.hover()
  await card(page, 'Contacted', 'Cele Flowers')
    .getByText(/, thandi$/)
    .waitFor()
  expect(await standing(florist)).toMatchObject({ followUpStatus: 'contacted', ownerId: await myId() })
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'New', 'Cele Flowers').waitFor()
  // each stage is fetched by itself
  await card(page, 'Contacted', 'Cele Flowers').waitFor({ state: 'detached' })
  expect(await standing(florist)).toMatchObject({ followUpStatus: 'new', ownerId: null })

  const choice = page.getByLabel('Stage of Nandi Cele')
  await choice.selectOption('Lost')
  await page.getByText('Moved to Lost').first().hover()
  expect(await owned.count()).toBe(0)
  expect(await standing(florist)).toMatchObject({ followUpStatus: 'lost', ownerId: null })
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'New', 'Cele Flowers').waitFor()
  await card(page, 'Lost', 'Cele Flowers').waitFor({ state: 'detached' })

  await page.route('**/api/leads/stream', (route) => route.abort())
  await page.route(/\/api\/(leads|pipeline)\?/, (route) => route.abort())
  const { id: siphosId } = await (await site.call('GET', '/api/me', undefined, sipho)).json()
  await site.call('PATCH', `/api/leads/${florist.id}`, { ownerId: siphosId }, sipho)
  await choice.selectOption('Quoted')
  await page.getByText('Moved to Quoted').first().waitFor()
  expect(await owned.count()).toBe(0)
  expect(await standing(florist)).toMatchObject({ followUpStatus: 'quoted', ownerId: siphosId })
  await page.context().close()
})

test('a quoted lead has a value, which counts for its stage and for the forecast', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Value of Zanele Qwabe' }).click()
  await page.getByLabel('Project value (R)').fill('10,001')
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save value' }).click()
  await stage(page, 'Quoted').getByText('R10,001, from 1').waitFor()
  await page.getByText('Forecast: R5,000.50. It is what is won, and the likely part of the rest.').waitFor()
  expect((await standing(bakery)).projectValue).toBe(10_001)
  await page.goto(`${site.node.url}/admin-lead?id=${bakery.id}`)
  const value = page.getByLabel('Project value (R)')
  await expect.poll(() => value.inputValue()).toBe('10,001')
  await value.fill('R12 500,50')
  await value.press('Enter')
  await expect.poll(() => value.inputValue()).toBe('12,500.50')
  await expect.poll(async () => (await standing(bakery)).projectValue).toBe(12_500.5)
  await value.fill('R10 001')
  await value.press('Tab')
  expect(await value.inputValue()).toBe('10,001')
  await page.context().close()
})

test('a stage promises a value only where its cards can take one, or where it has one', async () => {
  const guesthouse = await site.submit({ name: 'Naledi Fourie', businessName: 'Fourie Guesthouse' })
  await site.call('PATCH', `/api/leads/${guesthouse.id}`, { followUpStatus: 'contacted' })
  const page = await open()
  await card(page, 'Contacted', 'Fourie Guesthouse').waitFor()
  await stage(page, 'Quoted').getByText('Counts 50% in the forecast').waitFor()
  for (const name of ['New', 'Contacted', 'Lost']) {
    expect(await stage(page, name).getByText('No values yet').count(), name).toBe(0)
    expect(
      await stage(page, name)
        .getByText(/^Counts/)
        .count(),
      name,
    ).toBe(0)
  }
  await site.call('PATCH', `/api/leads/${guesthouse.id}`, { projectValue: 14_500.5 })
  await stage(page, 'Contacted').getByText('R14,500.50, from 1').waitFor()
  await stage(page, 'Contacted').getByText('Counts 25% in the forecast').waitFor()
  await page.context().close()
})

test.each([360, 768, 1024, 1440])('has no fault that axe knows and no sideways scroll, at %i px', async (width) => {
  const page = await open(sipho, { width, height: 800 })
  await card(page, 'Quoted', 'Qwabe Bakery').waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await card(page, 'New', 'Zulu Motors')
    .getByText(/^(Reply due|Overdue by)/)
    .waitFor()
  const [column, waiting] = await Promise.all(
    [stage(page, 'New'), card(page, 'New', 'Zulu Motors')].map((each) => each.boundingBox()),
  )
  expect((waiting?.x ?? 0) + (waiting?.width ?? 0)).toBeLessThan((column?.x ?? 0) + (column?.width ?? 0))
  await page.context().close()
})

test.each([360, 390])('on a phone a row of links leads to each stage, at %i px', async (width) => {
  for (const number of Array(12).keys()) {
    const { id } = await site.submit({ name: `Waiting ${number}` })
    if (number < 5) await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'quoted' })
  }
  const page = await site.open('/admin-pipeline?days=30', { viewport: { width, height: 700 } })
  const stages = page.getByRole('navigation', { name: 'Stages' })
  // what is above a stage is there, and does not move it any more
  for (const name of ['New', 'Quoted']) await stage(page, name).getByRole('listitem').nth(4).waitFor()
  const entries = await page.evaluate(() => history.length)
  for (const name of ['Quoted', 'New']) {
    await stages.getByRole('link', { name: new RegExp(`^${name} \\d+$`) }).click()
    const title = stage(page, name).getByRole('heading')
    await expect.poll(() => title.evaluate((found) => found === document.activeElement)).toBe(true)
    await expect.poll(async () => (await title.boundingBox())?.y).toBeLessThan(120)
    const [row, reached] = await Promise.all([stages.boundingBox(), title.boundingBox()])
    expect(row?.y).toBe(0)
    expect(reached?.y).toBeGreaterThanOrEqual(row?.height ?? 700)
  }
  expect(page.url()).toContain('?days=30')
  expect(await page.evaluate(() => history.length)).toBe(entries)
  for (const link of await stages.getByRole('link').all())
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 768, height: 700 })
  await stages.waitFor({ state: 'hidden' })
  await page.context().close()
})

test('two people who move one card: the second one sees the first one’s move, and chooses', async () => {
  const [mine, theirs] = [await open(), await open(sipho)]
  await card(mine, 'New', 'Zulu Motors').waitFor()
  // what a colleague does in the meantime is not known here yet
  await mine.route('**/api/leads/stream', (route) => route.abort())
  await mine.route(/\/api\/(leads|pipeline)\?/, (route) => route.abort())
  await theirs.getByLabel('Stage of Xolani Zulu').selectOption('Contacted')
  await card(theirs, 'Contacted', 'Zulu Motors').waitFor()
  await mine.getByLabel('Stage of Xolani Zulu').selectOption('Lost')
  const dialog = mine.getByRole('dialog', { name: 'A colleague was faster' })
  await dialog.getByText('Sipho changed this while you were editing. Your changes aren’t saved.').waitFor()
  expect(await faultsOf(mine)).toEqual([])
  expect((await standing(garage)).followUpStatus).toBe('contacted')
  await mine.unroute(/\/api\/(leads|pipeline)\?/)
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await card(mine, 'Lost', 'Zulu Motors').waitFor()
  await card(theirs, 'Lost', 'Zulu Motors').waitFor()
  for (const page of [mine, theirs]) await page.context().close()
})
