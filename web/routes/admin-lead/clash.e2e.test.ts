import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite()
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const open = (lead: Pick<Lead, 'id'>, options: Parameters<StaffSite['open']>[1] = {}) =>
  site.open(`/admin-lead?id=${lead.id}`, options)
const status = (page: Page) => page.getByLabel('Status', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(text, { exact: true }).waitFor()
const saved = async (lead: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${lead.id}`)).json()

test('two staff members edit one lead: the second sees what the first changed, and chooses', async () => {
  const lead = await site.submit()
  const [mine, his] = [await open(lead), await open(lead, { as: ben })]
  const edit = async (label: string) => {
    await status(mine).selectOption({ label })
    await mine.getByLabel('Next action').fill('2026-12-01')
  }
  const editHis = async (label: string) => {
    await status(his).selectOption({ label })
    await save(his).click()
    await toast(his, 'Saved')
  }
  await status(mine).waitFor()
  await edit('Quoted')
  await editHis('Lost')
  // their change is seen at once, and what I was about to write stays
  await mine.getByText('Lost', { exact: true }).first().waitFor()
  expect(await status(mine).inputValue()).toBe('quoted')
  await save(mine).click()
  const panel = mine.getByRole('alert').filter({ hasText: 'Ben Dube changed this while you were editing.' })
  await panel.waitFor()
  expect(
    (await panel.innerText())
      .replace(/, \w+day, .*/, ', then')
      .split('\n')
      .filter(Boolean),
  ).toEqual([
    'Ben Dube changed this while you were editing. Your changes aren’t saved.',
    'Status',
    'Lost',
    'Ben Dube, then',
    'Quoted',
    'Yours',
    'Keep theirs',
    'Use mine',
  ])
  expect(await faultsOf(mine)).toEqual([])
  await panel.getByRole('button', { name: 'Keep theirs' }).click()
  await panel.waitFor({ state: 'hidden' })
  await expect
    .poll(async () => await saved(lead))
    .toMatchObject({
      followUpStatus: 'lost',
      nextActionDate: '2026-12-01',
    })
  await expect.poll(() => status(mine).inputValue()).toBe('lost')

  await status(mine).selectOption({ label: 'Contacted' })
  await editHis('Quoted')
  await save(mine).click()
  await panel.getByRole('button', { name: 'Use mine' }).click()
  await panel.waitFor({ state: 'hidden' })
  await expect.poll(async () => (await saved(lead)).followUpStatus).toBe('contacted')
  await expect.poll(() => status(his).inputValue()).toBe('contacted')
  await Promise.all([mine, his].map((page) => page.context().close()))
})

test('merges the changes of two staff members that do not meet', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await page.getByLabel('Next action').fill('2026-12-24')
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' }, ben)
  await expect.poll(() => status(page).inputValue()).toBe('contacted')
  await save(page).click()
  await toast(page, 'Saved')
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted', nextActionDate: '2026-12-24' })
  await page.context().close()
})
