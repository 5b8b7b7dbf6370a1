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
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Merge two leads' })
const leave = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()))
const read = async ({ id }: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${id}`)).json()

const merge = async (staying: Lead, gone: Lead, takes: readonly string[] = []) => {
  const headers = { 'content-type': 'application/json', 'if-match': `"${staying.version}"`, ...site.owner }
  const body = JSON.stringify({ mergedId: gone.id, mergedVersion: gone.version, takes })
  expect((await site.node.call(`/api/leads/${staying.id}/merge`, { method: 'POST', headers, body })).status).toBe(200)
}

test('two staff members merge and change leads at once: the later one looks again, merges, and takes it back', async () => {
  const ana = await site.submit({ name: 'Ana Botha', email: 'ana@bakery.example' })
  const anna = await site.submit({ name: 'Anna Botha-Nel', email: 'Ana@Bakery.example', company: 'Nkosi Bakery' })
  const mine = await open(ana)
  const his = await open(anna, { as: ben })
  await his.getByRole('heading', { level: 1 }).waitFor()

  await mine
    .getByRole('region', { name: 'Related leads' })
    .getByRole('button', { name: /^Merge with/ })
    .click()
  const dialog = dialogOf(mine)
  const name = dialog.getByRole('group', { name: 'Name' })
  await name.waitFor()
  // who wrote first stays, with what is known of them
  expect(
    await dialog
      .getByRole('radio', { name: /^Ana Botha/ })
      .first()
      .isChecked(),
  ).toBe(true)
  expect(
    await dialog.getByRole('group', { name: 'Company' }).getByRole('radio', { name: 'Nkosi Bakery' }).isChecked(),
  ).toBe(true)
  for (const width of [390, 768, 1440]) {
    await mine.setViewportSize({ width, height: 900 })
    expect(await faultsOf(mine)).toEqual([])
  }

  await site.call('PATCH', `/api/leads/${anna.id}`, { followUpStatus: 'quoted' }, ben)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await dialog
    .getByText('Somebody has changed one of these leads. This is how they are now: check, then merge.')
    .waitFor()
  const status = dialog.getByRole('group', { name: 'Status' })
  expect(await status.getByRole('radio', { name: 'Quoted' }).isChecked()).toBe(true)
  // by keys alone
  await name.getByRole('radio', { name: 'Ana Botha', exact: true }).focus()
  await mine.keyboard.press('ArrowRight')
  expect(await name.getByRole('radio', { name: 'Anna Botha-Nel' }).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).focus()
  await mine.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })

  await mine.getByRole('region', { name: 'Merged into this lead' }).waitFor()
  expect(await mine.getByRole('main').getByText('Anna Botha-Nel').count()).toBeGreaterThan(1)
  expect(await mine.getByRole('link', { name: 'View lead' }).count()).toBe(0)
  await expect.poll(async () => await read(ana)).toMatchObject({ name: 'Anna Botha-Nel', followUpStatus: 'quoted' })
  expect(await faultsOf(mine)).toEqual([])
  // whose screen is open on the other one is led to the one that stays
  await his.waitForURL(`**/admin-lead?id=${ana.id}`)
  await his.goto(`/admin-lead?id=${anna.id}`)
  await his.waitForURL(`**/admin-lead?id=${ana.id}`)

  await his.getByRole('button', { name: /^Unmerge:/ }).click()
  await his.getByRole('region', { name: 'Related leads' }).waitFor()
  await mine.getByRole('region', { name: 'Related leads' }).waitFor()
  await expect.poll(async () => await read(ana)).toMatchObject({ name: 'Ana Botha', followUpStatus: 'new' })
  expect(await read(anna)).toMatchObject({ name: 'Anna Botha-Nel', followUpStatus: 'quoted' })
  await leave(mine, his)
})

test('a signed contract is marked and stays, the newer one of two, or it is told where it will be found', async () => {
  const email = 'fay@signed.example'
  const contract = { leadSource: 'contract_premium', package: 'Premium - R1,499 + R499/month', agreedToTerms: true }
  const quote = await site.submit({ name: 'Fay Quote', email })
  const signed = await site.submit({ name: 'Fay Signed', businessName: 'Fay Foods', email, ...contract })
  await site.submit({ name: 'Fay Again', businessName: 'Fay Foods', email, ...contract })
  const page = await open(quote)
  const merge = page.getByRole('button', { name: 'Merge with Fay Signed' })
  await merge.click()
  const which = dialogOf(page).getByRole('group', { name: 'Which one stays?' })
  const told = dialogOf(page).getByText('The contract will be found under "Merged into this lead".')
  expect(await which.getByRole('radio', { name: 'Fay Signed' }).isChecked()).toBe(true)
  expect(await which.getByText('Contract signed').count()).toBe(1)
  expect(await told.count()).toBe(0)
  await which.getByRole('radio', { name: 'Fay Quote' }).check()
  await told.waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await page.goto(`/admin-lead?id=${signed.id}`)
  await page.getByRole('button', { name: 'Merge with Fay Again' }).click()
  expect(await which.getByRole('radio', { name: 'Fay Again' }).isChecked()).toBe(true)
  await leave(page)
})

test('what somebody asked for last is what the merged lead shows, unless they have signed a contract', async () => {
  const email = 'gus@asks.example'
  const first = await site.submit({ name: 'Gus First', email, package: 'essential', timeline: 'asap' })
  await site.submit({ name: 'Gus Again', email, package: 'professional', timeline: null })
  const page = await open(first)
  await page.getByRole('button', { name: 'Merge with Gus Again' }).click()
  const dialog = dialogOf(page)
  const checked = (name: string, value: string) =>
    dialog.getByRole('group', { name }).getByRole('radio', { name: value }).isChecked()
  await dialog.getByRole('group', { name: 'Package' }).waitFor()
  expect(await checked('Name', 'Gus First')).toBe(true)
  expect(await checked('Package', 'Professional')).toBe(true)
  expect(await checked('Timeline', 'As soon as possible')).toBe(true)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('region', { name: 'Merged into this lead' }).getByText('Essential', { exact: true }).waitFor()
  await expect.poll(() => read(first)).toMatchObject({ name: 'Gus First', package: 'professional', timeline: 'asap' })
  const find = async () => (await site.call('GET', '/api/leads?q=gus&package=professional')).json()
  await expect.poll(find).toMatchObject([{ id: first.id }])
  const contract = { leadSource: 'contract_premium', package: 'Premium - R1,499 + R499/month', agreedToTerms: true }
  const signed = await site.submit({
    name: 'Hal Signed',
    businessName: 'Hal Foods',
    email: 'hal@asks.example',
    ...contract,
  })
  await site.submit({ name: 'Hal Again', email: 'hal@asks.example', package: 'essential' })
  await page.goto(`/admin-lead?id=${signed.id}`)
  await page.getByRole('button', { name: 'Merge with Hal Again' }).click()
  await dialog.getByRole('group', { name: 'Name', exact: true }).waitFor()
  expect(await dialog.getByRole('group', { name: 'Package' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByRole('region', { name: 'Merged into this lead' }).getByText('Essential', { exact: true }).waitFor()
  expect(await read(signed)).toMatchObject({ name: 'Hal Signed', package: contract.package })
  await leave(page)
})

test('two who share nothing are asked about, take nothing of one another by themselves, and part again by one click', async () => {
  const riaan = await site.submit({ name: 'Riaan Smit', email: 'riaan@vdm.example', businessName: 'VDM Plumbing' })
  await site.submit({ name: 'Priya Naidoo', email: 'priya@sweets.example', company: 'Naidoo Sweets' })
  const page = await site.open('/admin-dashboard?period=all', { viewport: { width: 1024, height: 844 } })
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const select = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^Select .*${name}`) })
  for (const name of ['Riaan Smit', 'Priya Naidoo']) await select(name).check()
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  const dialog = dialogOf(page)
  await dialog.getByText('These two show no email address or phone number in common. Are they one person?').waitFor()
  expect(await dialog.getByRole('group', { name: 'Company' }).getByRole('radio', { name: 'None' }).isChecked()).toBe(
    true,
  )
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByText(/^Merged: .*Riaan Smit/).waitFor()
  await select('Priya Naidoo').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  await select('Priya Naidoo').waitFor()
  expect(await read(riaan)).toMatchObject({ name: 'Riaan Smit', email: 'riaan@vdm.example', company: null })
  await leave(page)
})

test('one number that is written in two ways is not asked about, and what both wrote tells them apart', async () => {
  const first = await site.submit({
    name: 'Fatima Isaacs',
    email: 'f1@isaacs.example',
    phone: '082 555 1212',
    message: 'The older words',
  })
  await site.submit({
    name: 'Fatima Isaacs',
    email: 'f2@isaacs.example',
    phone: '0825551212',
    message: 'The newer words',
  })
  const page = await open(first)
  await page.getByRole('button', { name: /^Merge with Fatima/ }).click()
  for (const words of ['The older words', 'The newer words']) await dialogOf(page).getByText(words).waitFor()
  expect(await dialogOf(page).getByRole('group', { name: 'Phone' }).count()).toBe(0)
  expect(
    await dialogOf(page)
      .getByText(/in common/)
      .count(),
  ).toBe(0)
  await leave(page)
})

test('what a merged lead said stays to be read, and what the other one said itself', async () => {
  const person = { phone: '082 711 3301' }
  const staying = await site.submit({ ...person, name: 'Eve Stays', email: 'eve@stays.example', message: 'I stay.' })
  const gone = await site.submit({
    ...person,
    name: 'Eve Gone',
    email: 'eve@gone.example',
    message: 'My street is 1 Long Street.',
    leadSource: 'contact_form',
    pageUrl: 'https://example.com/contact',
  })
  await merge(staying, gone, ['email'])
  const page = await open(staying, { viewport: { width: 390, height: 844 } })
  const merged = page.getByRole('region', { name: 'Merged into this lead' })
  for (const text of [
    'My street is 1 Long Street.',
    'eve@gone.example',
    '082 711 3301',
    'https://example.com/contact',
  ]) {
    await merged.getByText(text, { exact: true }).waitFor()
  }
  await merged.getByText('This lead said before the merge').waitFor()
  await merged.getByText('eve@stays.example').waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  await leave(page)
})

test('an email is written beside all that was asked, and the words of other leads of the person need no click', async () => {
  const email = 'ida@asks.example'
  const staying = await site.submit({ name: 'Ida First', email, message: 'Can you build a shop?' })
  const gone = await site.submit({ name: 'Ida Again', email, message: 'What does hosting cost?' })
  const silent = await site.submit({ name: 'Ida Silent', email })
  await site.submit({ name: 'Ida Later', email, message: `Do you also print cards?\n${'So many cards. '.repeat(60)}` })
  await merge(staying, gone)
  await merge(staying, silent)
  const page = await open(staying)
  await page.getByRole('button', { name: 'Write an email' }).click()
  await page.getByText('What they wrote', { exact: true }).click()
  const form = page.getByRole('form', { name: 'Email' })
  for (const words of ['Can you build a shop?', 'What does hosting cost?']) await form.getByText(words).waitFor()
  await form.getByText(/^Ida Again, /).waitFor()
  expect(await form.getByText('Ida Silent').count()).toBe(0)
  const related = page.getByRole('region', { name: 'Related leads' })
  await related.getByText(/^Do you also print cards\?/).waitFor()
  const entry = (text: string) =>
    page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').filter({ hasText: text })
  expect(await entry('Submitted a form').filter({ hasText: 'Do you also print cards?' }).count()).toBe(1)
  expect(await entry('Submitted a form').filter({ hasText: 'What does hosting cost?' }).count()).toBe(1)
  // it stands above, and is the first thing on the page
  expect(await entry('Can you build a shop?').count()).toBe(0)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  await leave(page)
})

test('a lead that wrote nothing itself is answered beside what a merged one wrote', async () => {
  const email = 'jan@silent.example'
  const staying = await site.submit({ name: 'Jan Silent', email })
  await merge(staying, await site.submit({ name: 'Jan Writes', email, message: 'Please call after four.' }))
  const page = await open(staying)
  await page.getByRole('button', { name: 'Write an email' }).click()
  await page.getByText('What they wrote', { exact: true }).click()
  await page.getByRole('form', { name: 'Email' }).getByText('Please call after four.').waitFor()
  await leave(page)
})

test('the preview of a lead shows its person’s other leads, and what merged ones wrote', async () => {
  const email = 'kim@asks.example'
  const staying = await site.submit({ name: 'Kim First', email, message: 'Can you build a shop?' })
  const gone = await site.submit({ name: 'Kim Again', email, message: 'What does hosting cost?' })
  const late = await site.submit({ name: 'Kim Later', email, message: 'Do you write texts?' })
  const other = await site.submit({ name: 'Kim Other', email })
  await site.submit({ name: 'Kim Alone', message: 'I wrote once.' })
  const page = await site.open('/admin-dashboard?q=kim')
  await page.getByText('5 submissions found').waitFor()
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const preview = page.getByRole('complementary')
  await page.getByRole('button', { name: /Kim Alone/ }).click()
  await preview.getByText('I wrote once.').waitFor()
  await page.getByRole('button', { name: /Kim First/ }).click()
  await preview.getByText('Can you build a shop?').waitFor()
  const related = preview.getByRole('region', { name: 'Related leads' })
  for (const name of ['Kim Again', 'Kim Later', 'Kim Other']) {
    await related
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByText(/^Unassigned, /)
      .waitFor()
  }
  expect(await related.getByRole('listitem').count()).toBe(3)
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, ben)).json()
  expect((await site.call('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'quoted', ownerId })).status).toBe(200)
  await related
    .getByRole('listitem')
    .filter({ hasText: 'Kim Other' })
    .getByText(/^Ben Dube, /)
    .waitFor()
  // while somebody looks at it
  await merge(staying, gone)
  await preview.getByText('+ merged lead', { exact: true }).waitFor()
  const merged = preview.getByRole('region', { name: 'What merged leads wrote' })
  await merged.getByText('What does hosting cost?').waitFor()
  await merged.getByText(/^Kim Again, /).waitFor()
  // one more, which changes nothing in the lead itself
  await merge(staying, late)
  await merged.getByText('Do you write texts?').waitFor({ timeout: 15_000 })
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  await page.reload()
  await page.getByRole('button', { name: /Kim First/ }).click()
  await merged.getByText('What does hosting cost?').waitFor()
  // Today shows ten new leads, and other tests have left more
  const due = { followUpStatus: 'contacted', nextActionDate: new Date().toISOString().slice(0, 10) }
  expect((await site.call('PATCH', `/api/leads/${staying.id}`, due)).status).toBe(200)
  await page.goto('/admin-today')
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Kim First' }) })
  await row.getByText('+ merged lead', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto('/admin-dashboard?q=kim')
  await page.route('**/person', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: /Kim First/ }).click()
  await preview.getByText('Error loading the person’s other leads').waitFor()
  await leave(page)
})

test('of the dense list exactly two can be merged, and a colleague sees one of them go', async () => {
  const leads = [
    await site.submit({ name: 'Carl One', email: 'carl@one.example' }),
    await site.submit({ name: 'Carl Two', email: 'carl@two.example' }),
    await site.submit({ name: 'Carl Three', email: 'carl@three.example' }),
  ]
  await expect.poll(async () => (await (await site.call('GET', '/api/leads?q=carl')).json()).length).toBe(leads.length)
  const [mine, his] = [
    await site.open('/admin-dashboard?q=carl'),
    await site.open('/admin-dashboard?q=carl', { as: ben }),
  ]
  for (const page of [mine, his]) await page.getByText('3 submissions found').waitFor()
  const alone = await site.open('/admin-dashboard?q=carl%20one', { as: ben })
  await alone.getByText('carl@one.example').waitFor()
  await mine.getByRole('button', { name: 'Rows' }).click()
  const tick = (name: string) => mine.getByRole('checkbox', { name: new RegExp(name) }).check()
  const merge = mine.getByRole('group', { name: 'Selected leads' }).getByRole('button', { name: 'Merge' })
  await tick('Carl One')
  expect(await merge.count()).toBe(0)
  await tick('Carl Two')
  await tick('Carl Three')
  expect(await merge.count()).toBe(0)
  await mine.getByRole('checkbox', { name: /Carl Three/ }).uncheck()
  await merge.click()
  await dialogOf(mine).getByRole('group', { name: 'Email' }).waitFor()
  expect(await faultsOf(mine)).toEqual([])
  await dialogOf(mine).getByRole('radio', { name: 'carl@two.example' }).check()
  await dialogOf(mine).getByRole('button', { name: 'Merge', exact: true }).click()
  // neither its version nor whether it is listed has changed
  await alone.getByText('carl@two.example').waitFor({ timeout: 15_000 })
  for (const page of [mine, his]) await page.getByText('2 submissions found').waitFor()
  expect(await his.getByText('Carl Two').count()).toBe(0)
  expect(await (await site.call('GET', '/api/leads?q=carl%20two')).json()).toMatchObject([{ name: 'Carl One' }])
  await leave(mine, his, alone)
})

test('a lead that is erased while one chooses is told of, and nothing can be merged any more', async () => {
  const dina = await site.submit({ name: 'Dina Abel', email: 'dina@abel.example', phone: '082 711 2201' })
  const dinah = await site.submit({ name: 'Dinah Abel', email: 'dina@abel.example', phone: '082 711 2202' })
  const page = await open(dina)
  // else the page behind may hear of it first, and show what is left in place of the dialog
  await page.route('**/api/leads/stream*', (route) => route.abort())
  await page.reload()
  await page
    .getByRole('region', { name: 'Related leads' })
    .getByRole('button', { name: /^Merge with/ })
    .click()
  const dialog = dialogOf(page)
  await dialog.getByRole('group', { name: 'Name', exact: true }).waitFor()
  await site.call('POST', `/api/leads/${dinah.id}/erase`, {})
  await expect.poll(async () => (await read(dinah)).name).toBe('Erased')
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await dialog.getByText('One of these people has been erased: nothing is left to merge.').waitFor({ timeout: 10_000 })
  expect(await dialog.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0)
  await leave(page)
})
