import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

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
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
}

const FILE = [
  'Client name,Electronic post,Cell,Stage',
  'Zola Khumalo,zola@example.com,="0825550177",Quoted',
  'Known Already,known@example.com,,',
  'Twice,zola@example.com,,',
  'Nobody,,,',
].join('\n')

test('a file is seen, mapped and imported, a colleague follows it, and the whole import is taken back', async () => {
  const [page, other] = [await site.open('/admin-dashboard', { as: ben }), await site.open('/admin-import')]
  await page.getByRole('link', { name: 'Import leads' }).click()
  await page.getByText('Nothing has been imported yet.').waitFor()
  await page.getByText('At most 10 MB and 20,000 rows.').waitFor()
  await faults(page)
  await choose(page, FILE)
  await page.getByRole('heading', { name: '4 rows found. Which column is which?' }).waitFor()
  // what holds addresses is the email, whatever its heading
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('1')
  await page.getByLabel('Email', { exact: true }).selectOption({ label: 'Not in this file' })
  await page.getByText('3 rows have neither an email address nor a phone number that can be used').waitFor()
  await page.getByLabel('Email', { exact: true }).selectOption({ label: 'Electronic post (zola@example.com)' })
  await page.getByText('1 new lead', { exact: true }).waitFor()
  await page.getByText('1 row with an address or number that a lead has already will be left out.').waitFor()
  await page.getByText('1 row with an address or number of an earlier row will be left out.').waitFor()
  await page
    .getByText('1 row has neither an email address nor a phone number that can be used, and will be left out:')
    .waitFor()
  const told = page.getByRole('status').getByRole('listitem')
  // the duplicates too: of a lead, and of an earlier row
  expect(await told.allTextContents()).toEqual(['Row 3 Known Already', 'Row 4 Twice', 'Row 5 Nobody'])
  const first = page.getByRole('region', { name: 'First rows of the file' })
  expect(await first.getByRole('rowheader').allTextContents()).toEqual(['2', '3', '4', '5'])
  await page.getByLabel('Import duplicates too').check()
  await page.getByText('1 row with an address or number of an earlier row.').waitFor()
  await page.getByLabel('Import duplicates too').uncheck()
  await faults(page)
  await page.getByRole('button', { name: 'Import 1 lead' }).dblclick()
  for (const each of [page, other]) {
    const entry = imports(each).filter({ hasText: 'Ben Dube' })
    await entry.getByText('1 lead added, 2 rows left out, 1 row could not be imported').waitFor(SOON)
  }
  for (const each of [page, other]) {
    const entry = imports(each).filter({ hasText: 'Ben Dube' }).first()
    await entry.getByText('Why 3 rows were left out').click()
    const rows = entry.getByRole('list', { name: 'Rows that were left out' })
    await rows.getByText('A lead has this address or number already').waitFor()
    expect(await rows.getByRole('listitem').allTextContents()).toEqual([
      'Row 3 A lead has this address or number already',
      'Row 4 An earlier row has this address or number',
      'Row 5 No email address and no phone number',
    ])
    const [download] = await Promise.all([
      each.waitForEvent('download'),
      entry.getByRole('link', { name: 'Download these rows (CSV)' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('rows-left-out.csv')
    expect(await readFile(await download.path(), 'utf8')).toContain('"Twice","zola@example.com"')
  }
  await faults(page)
  const list = await site.open('/admin-dashboard?period=all&source=import')
  await list.getByText('Zola Khumalo').first().waitFor(SOON)
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
  await list
    .getByText('Zola Khumalo')
    .first()
    .waitFor({ ...SOON, state: 'detached' })
  await Promise.all([page, other, list].map((each) => each.context().close()))
})

test('rows whose email address is none are told with their numbers, and come in without it', async () => {
  const page = await site.open('/admin-import', { as: ben })
  const slips = Array.from({ length: 12 }, (_, row) => `Slip ${row},not-an-email,082 777 01${row + 10}`)
  await choose(page, ['Name,Email,Cell', 'Fine,fine@slips.example,', slips[0], 'Twice,slip@,082 777 0110'].join('\n'))
  const told = page.getByText('1 row has an email address that is not one: it comes in without it.')
  await told.waitFor()
  await page.getByText('Row 3', { exact: true }).waitFor()
  // as a duplicate of row 3 alone
  expect(await page.getByText('Row 4', { exact: true }).count()).toBe(1)
  await page.getByLabel('Import duplicates too').check()
  await page.getByText('2 rows have an email address that is not one: they come in without it.').waitFor()
  expect(await page.getByText('Row 4', { exact: true }).count()).toBe(2)
  await faults(page)
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await choose(page, ['Name,Email,Cell', ...slips].join('\n'))
  await page.getByText('12 rows have an email address that is not one: they come in without it.').waitFor()
  await page.getByText('and 2 rows more', { exact: true }).waitFor()
  // a node of before
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await page.route('**/api/imports/*/check', async (route) => {
    const response = await route.fetch()
    const { badEmails: _, ...rest } = await response.json()
    await route.fulfill({ json: rest })
  })
  await choose(page, ['Name,Email,Cell', ...slips].join('\n'))
  await page.getByText('12 new leads', { exact: true }).waitFor()
  expect(await page.getByText('that is not one').count()).toBe(0)
  await page.context().close()
})

test('a number, a date or a time that is none is told too, and after the import of which leads', async () => {
  const page = await site.open('/admin-import', { as: ben })
  let letCheck = () => {}
  const isSeen = new Promise<void>((resolve) => {
    letCheck = resolve
  })
  await page.route('**/api/imports/*/check', async (route) => {
    await isSeen
    await route.continue()
  })
  const rows = [
    'Name,Email,Cell,Date',
    '',
    'One,one@none.example,12,2031-13-45',
    'Two,two@none.example,,nonsense',
    'Three,three@none.example,,24/11/2025 25:30',
  ]
  await choose(page, rows.join('\n'))
  await page.getByRole('button', { name: 'Checking...' }).waitFor()
  expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0)
  letCheck()
  await page.getByText('1 row has a phone number that is not one: it comes in without it.').waitFor()
  await page.getByText('2 rows have a date that cannot be read or is to come: they count as received today.').waitFor()
  await page.getByText('1 row has a time that cannot be read: it comes in with its date alone.').waitFor()
  await faults(page)
  await page.getByRole('button', { name: 'Import 3 leads' }).click()
  const entry = imports(page).filter({ hasText: '3 leads added' })
  await entry.getByText('What 3 leads came in without').click(SOON)
  const list = entry.getByRole('list', { name: 'Leads that came in without something' })
  await list.getByText('without its phone number, date').waitFor()
  expect(await list.getByRole('listitem').allTextContents()).toEqual([
    'Row 3 without its phone number, date',
    'Row 4 without its date',
    'Row 5 without its time',
  ])
  await faults(page)
  await list.getByRole('link', { name: 'Row 4' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor(SOON)
  await page.context().close()
})

test('the leads that an import has added are a press away, page by page, and told as they are now', async () => {
  const page = await site.open('/admin-import', { as: ben })
  const people = Array.from({ length: 30 }, (_, n) => `Found ${n + 1},found${n + 1}@example.com,Quoted`)
  await choose(page, ['Name,Email,Stage', ...people].join('\n'))
  await page.getByRole('button', { name: 'Import 30 leads' }).click()
  const entry = imports(page).filter({ hasText: '30 leads added' })
  // who has watched it end sees them at once
  const list = entry.getByRole('list', { name: 'Leads that were added' })
  const rows = list.getByRole('listitem')
  await list.getByText('Found 25').waitFor(SOON)
  await expect.poll(() => rows.count(), SOON).toBe(25)
  await faults(page)
  await entry.getByRole('button', { name: 'Show more' }).click()
  await list.getByText('Found 30').waitFor(SOON)
  expect(await rows.allTextContents()).toEqual(people.map((_, n) => `Found ${n + 1}Quoted`))

  const leads: Lead[] = await (await site.call('GET', '/api/leads?source=import&q=found')).json()
  const idOf = (name: string) => leads.find((lead) => lead.name === name)?.id ?? ''
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, ben)).json()
  await site.call('PATCH', `/api/leads/${idOf('Found 1')}`, { followUpStatus: 'lost', ownerId })
  await site.call('POST', `/api/leads/${idOf('Found 4')}/flag`)
  await site.call('POST', `/api/leads/${idOf('Found 3')}/erase`, { leadIds: [idOf('Found 3')] })
  const merged = leads.find(({ name }) => name === 'Found 2')
  const staying = leads.find(({ name }) => name === 'Found 5')
  await site.node.call(`/api/leads/${staying?.id}/merge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': `"${staying?.version}"`, ...site.owner },
    body: JSON.stringify({ mergedId: merged?.id, mergedVersion: merged?.version, takes: [] }),
  })
  await expect
    .poll(async () => (await rows.allTextContents()).slice(0, 5), SOON)
    .toEqual([
      'Found 1LostBen Dube',
      'Found 2Merged into another lead',
      'Erased',
      'Found 4In quarantine',
      'Found 5Quoted',
    ])
  expect(await list.getByRole('link', { name: 'Erased' }).count()).toBe(0)
  await faults(page)

  // later, or for others, it is one press
  const other = await site.open('/admin-import')
  const there = imports(other).filter({ hasText: '30 leads added' })
  await there.getByText('See the leads', { exact: true }).click(SOON)
  await there.getByRole('link', { name: 'Found 2', exact: true }).click(SOON)
  await other.getByRole('heading', { level: 1, name: 'Found 5' }).waitFor(SOON)
  await other.getByRole('link', { name: 'Back to the list' }).click()
  await there.getByRole('link', { name: 'Found 2', exact: true }).waitFor(SOON)

  // who works through them comes back to where they were
  await there.getByRole('button', { name: 'Show more' }).click()
  const far = there.getByRole('link', { name: 'Found 28' })
  await far.click(SOON)
  await other.getByRole('heading', { level: 1, name: 'Found 28' }).waitFor(SOON)
  await other.goBack()
  await expect.poll(() => far.evaluate((it) => it === document.activeElement), SOON).toBe(true)
  expect(await other.evaluate(() => scrollY)).toBeGreaterThan(300)
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('what cannot be imported is refused with a sentence, and another file can be chosen', async () => {
  const page = await site.open('/admin-import', { as: ben })
  await choose(page, Buffer.alloc(11 * 1024 * 1024, 'a,b\n'))
  await page.getByText('This file has 11 MB. At most 10 MB are imported at once: split it.').waitFor()
  await choose(page, Buffer.from('PK\u0003\u0004'), 'leads.xlsx')
  await page.getByText('This is a workbook or an archive. Save it as CSV, and choose that file.').waitFor()
  await choose(page, 'Name,Town\nZola,Cape Town\n')
  await page.getByText('Say which column holds email addresses or phone numbers.').waitFor()
  expect(await page.getByRole('alert').getByText('Say which column').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Company').selectOption('Town (Cape Town)')
  await page.getByRole('alert').getByText('Say which column holds email addresses or phone numbers.').waitFor()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await page.getByLabel('CSV file').waitFor()
  const wide = Array.from({ length: 300 }, (_, index) => `column ${index}`)
  await choose(page, `${wide.join(',')},email\n${wide.join(',')},wide@example.com\n`)
  await page.getByText('1 new lead', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})
