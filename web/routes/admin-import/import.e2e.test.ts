import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/lead/wire.ts'
import { passMidnight } from '../../../events/testing/clock.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../testing/staff-site.ts'

const SOON = { timeout: 30_000 }

let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite([{ name: 'Known Already', email: 'known@example.com', at: '2026-01-15T09:00:00+02:00' }])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const choose = (page: Page, content: string | Buffer, name = 'leads.csv') =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const imports = (page: Page) => page.getByRole('list', { name: 'Imports' }).getByRole('listitem')
const faults = async (page: Page) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
}

const FILE = [
  'Client name,Electronic post,Cell,Stage,Date',
  'Zola Khumalo,zola@example.com,="0825550177",Quoted,2031-13-45',
  'Known Already,known@example.com,,,',
  'Twice,zola@example.com,,,',
  'Nobody,,,,',
].join('\n')

test('a file is previewed, mapped and imported, a colleague follows it, and the whole import is undone', async () => {
  const [page, other] = [await site.open('/admin-import', { as: ben }), await site.open('/admin-import')]
  await page.getByText('Nothing has been imported yet.').waitFor()
  await choose(page, FILE)
  await page.getByRole('heading', { name: '4 rows found. Which column is which?' }).waitFor()
  // the column that holds addresses is the email, whatever its heading
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('1')
  await page.getByLabel('Email', { exact: true }).selectOption({ label: 'Not in this file' })
  await page.getByText('3 rows are left out: no email address and no phone number that can be used.').waitFor()
  await page.getByLabel('Email', { exact: true }).selectOption({ label: 'Electronic post (zola@example.com)' })
  await page.getByText('1 new lead', { exact: true }).waitFor()
  // the duplicates too: of a lead, and of an earlier row
  const told = page.getByRole('status').getByRole('listitem')
  expect((await told.allTextContents()).slice(0, 3)).toEqual(['Row 3 Known Already', 'Row 4 Twice', 'Row 5 Nobody'])
  await page.getByText('1 row has a date that cannot be read or is to come: it counts as received today.').waitFor()
  await faults(page)
  await page.getByRole('button', { name: 'Import 1 lead' }).dblclick()
  for (const each of [page, other]) {
    const entry = imports(each).filter({ hasText: 'Ben Dube' })
    await entry.getByText('1 lead added, 3 left out').waitFor(SOON)
  }
  const entry = imports(page).filter({ hasText: 'Ben Dube' })
  await entry.getByText('Why 3 were left out').click()
  const rows = entry.getByRole('list', { name: 'Rows that were left out' })
  await rows.getByText('A lead has this address or number already').waitFor()
  await entry.getByText('What 1 lead came in without').click()
  await entry.getByText('without its date').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    entry.getByRole('link', { name: 'Download these rows (CSV)' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('rows-left-out.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain('"Twice";"zola@example.com"')
  await faults(page)
  const [{ id = '' }] = await (await site.call('GET', '/api/leads?source=import')).json()
  await site.call('POST', `/api/leads/${id}/notes`, { note: 'Called them' })
  await imports(other)
    .getByRole('button', { name: /^Undo the import of / })
    .click()
  await other.getByRole('dialog').getByText('Staff have worked on 1 lead of them: 1 with notes.').waitFor(SOON)
  await faults(other)
  await other.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  for (const each of [page, other]) await imports(each).getByText('Undone: 1 lead removed').waitFor(SOON)
  await expect
    .poll(async () => (await (await site.call('GET', '/api/leads/summary?source=import')).json()).total, SOON)
    .toBe(0)
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('the leads that an import added are one press away, in their current state, and Back returns to the same place', async () => {
  const page = await site.open('/admin-import', { as: ben })
  const people = Array.from({ length: 30 }, (_, n) => `Found ${n + 1},found${n + 1}@example.com,Quoted`)
  await choose(page, ['Name,Email,Stage', ...people].join('\n'))
  await page.getByRole('button', { name: 'Import 30 leads' }).click()
  const entry = imports(page).filter({ hasText: '30 leads added' })
  // a staff member who has watched it end sees them at once
  const list = entry.getByRole('list', { name: 'Leads that were added' })
  const rows = list.getByRole('listitem')
  await expect.poll(() => rows.count(), SOON).toBe(25)
  const leads: Lead[] = await (await site.call('GET', '/api/leads?source=import&q=found')).json()
  const idOf = (name: string) => leads.find((lead) => lead.name === name)?.id ?? ''
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, ben)).json()
  await site.call('PATCH', `/api/leads/${idOf('Found 1')}`, { followUpStatus: 'lost', ownerId })
  await site.call('POST', `/api/leads/${idOf('Found 2')}/flag`)
  await expect
    .poll(async () => (await rows.allTextContents()).slice(0, 3), SOON)
    .toEqual(['Found 1LostBen Dube', 'Found 2In quarantine', 'Found 3Quoted'])
  await faults(page)

  await page.getByRole('button', { name: 'Show more' }).click()
  const far = entry.getByRole('link', { name: 'Found 28' })
  await far.click(SOON)
  await page.getByRole('heading', { level: 1, name: 'Found 28' }).waitFor(SOON)
  await page.goBack()
  await expect.poll(() => far.evaluate((it) => it === document.activeElement), SOON).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300)

  // a file that cannot be imported is refused with a sentence, and a wide table scrolls separately
  await choose(page, Buffer.from('PK\u0003\u0004'), 'leads.xlsx')
  await page.getByText('This is a workbook or an archive. Save it as CSV, and choose that file.').waitFor()
  const wide = Array.from({ length: 300 }, (_, index) => `column ${index}`)
  await choose(page, `${wide.join(',')},email\n${wide.join(',')},wide@example.com\n`)
  await page.getByText('1 new lead', { exact: true }).waitFor()
  await faults(page)
  await page.context().close()
})
