import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

/** The person is fetched again after 30 s, where no lead of theirs changes. */
const OUTCOME_TIMEOUT_MS = 90_000

let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite([{ name: 'Promised Before', at: '2025-01-15T09:00:00+02:00' }])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const open = (lead: Pick<Lead, 'id'>, options: Parameters<StaffSite['open']>[1] = {}) =>
  site.open(`/admin-lead?id=${lead.id}`, options)
const status = (page: Page) => page.getByLabel('Status', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const notice = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(text, { exact: true })
const toast = (page: Page, text: string) => notice(page, text).waitFor()
/** Keeps a notice: it does not go as long as the mouse is over it. */
const hold = (page: Page, text: string) => notice(page, text).hover()
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const saved = async (lead: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${lead.id}`)).json()

test('shows all of a lead, and one with every optional field empty, without a fault that axe knows', async () => {
  const bare = await site.submit({ name: 'Bare Person' })
  const full = await site.submit({
    name: 'Thandi Mokoena',
    phone: '+27 (0)83 555 0102',
    businessName: 'Stoep & Co',
    company: 'Stoep Holdings',
    industry: 'whatsapp',
    package: 'premium',
    timeline: 'asap',
    message: `Two\nlines <b>not bold</b> ${'long'.repeat(200)}`,
    leadSource: 'contract_premium',
    pageUrl: 'https://example.com/contract/premium',
    agreedToTerms: true,
  })
  const page = await open(bare)
  await page.getByRole('heading', { level: 1, name: 'Bare Person' }).waitFor()
  await page.getByText('No message', { exact: true }).waitFor()
  const details = page.getByRole('region', { name: 'Request' })
  expect(await details.locator('dt').allInnerTexts()).toEqual([
    'Name',
    'Company',
    'Email',
    'Phone',
    'Source',
    'Reference',
    'Submitted',
    'Message',
  ])
  expect(await details.locator('dd').nth(1).innerText()).toBe('N/A')
  await entries(page).getByText('Submitted a form').waitFor()
  expect(await page.getByRole('heading', { name: 'Related leads' }).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`/admin-lead?id=${full.id}`)
  await page.getByRole('heading', { level: 1, name: 'Thandi Mokoena, Stoep & Co' }).waitFor()
  for (const text of [
    'Stoep Holdings',
    'WhatsApp',
    'Premium',
    'As soon as possible',
    'Premium contract',
    'Agreed',
    'https://example.com/contract/premium',
  ])
    await details.getByText(text, { exact: true }).waitFor()
  const call = details.getByRole('link', { name: '+27 (0)83 555 0102' })
  expect(await call.getAttribute('href')).toBe('tel:+27835550102')
  await page.getByRole('region', { name: 'Message' }).getByText('lines <b>not bold</b>').waitFor()
  await entries(page).getByText('Signed a contract').waitFor()
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await faultsOf(page)).toEqual([])
  }
  await page.context().close()
})

test('follows up: status, owner, next action, value and date once won; each in the timeline with who and when', async () => {
  const lead = await site.submit({ name: 'Sipho Khumalo' })
  const page = await open(lead)
  await page.getByText(/^Reply due /).waitFor()
  await expect.poll(() => save(page).isDisabled()).toBe(true)
  expect(await page.getByLabel('Project value (R)').count()).toBe(0)
  await status(page).selectOption({ label: 'Won' })
  await page.getByLabel('Owner').selectOption({ label: 'Ben Dube' })
  await page.getByLabel('Next action').fill('2026-01-05')
  const value = page.getByLabel('Project value (R)')
  await value.fill('12.500')
  await save(page).click()
  await page.getByText('Enter an amount, e.g. 12,500.50', { exact: true }).waitFor()
  expect(await value.getAttribute('aria-invalid')).toBe('true')
  expect((await saved(lead)).followUpStatus).toBe('new')
  await value.fill('R14 999,50')
  await page.getByLabel('Conversion date').fill('2026-01-31')
  await save(page).click()
  await hold(page, 'Saved')
  const change = entries(page).filter({ hasText: 'Updated lead' })
  for (const text of [
    'Status: Won',
    'Owner: Ben Dube',
    'Next action: 5 January 2026',
    'Conversion date: 31 January 2026',
  ])
    await change.getByText(text, { exact: true }).waitFor()
  await change.getByText('Project value: R14,999.50').waitFor()
  await change.getByText(/^thandi, \w+day, \d+ \w+ \d{4}, \d\d:\d\d$/).waitFor()
  await page.getByText('Next action was due 5 January 2026').waitFor()
  expect(await page.getByText(/^Reply due /).count()).toBe(0)
  expect(await saved(lead)).toMatchObject({
    followUpStatus: 'won',
    projectValue: 14_999.5,
    nextActionDate: '2026-01-05',
  })
  expect((await saved(lead)).conversionDate).toMatch(/^2026-01-31/)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await toast(page, 'Undone')
  await expect.poll(() => status(page).inputValue()).toBe('new')
  await entries(page).getByText('Undid a change').waitFor()
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new', ownerId: null, projectValue: null })
  await page.context().close()
})

test('who sets the status of a lead that is nobody’s owns it, unless they have chosen the owner themselves', async () => {
  const lead = await site.submit({ name: 'Nobody’s Naledi' })
  const { id: myId } = await (await site.call('GET', '/api/me')).json()
  const page = await open(lead)
  const owner = page.getByLabel('Owner', { exact: true })
  const owned = page.getByText('You now own this lead.', { exact: true })
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await status(page).selectOption({ label: 'Contacted' })
  await save(page).click()
  await hold(page, 'Saved')
  await owned.waitFor()
  await expect.poll(() => owner.inputValue()).toBe(myId)
  expect(await faultsOf(page)).toEqual([])
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted', ownerId: myId })
  await undo.click()
  await expect.poll(() => owner.inputValue()).toBe('')
  await expect.poll(() => status(page).inputValue()).toBe('new')
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new', ownerId: null })

  // left to nobody on purpose, also after the page was loaded again
  await status(page).selectOption({ label: 'Quoted' })
  await owner.selectOption({ label: 'Ben Dube' })
  await owner.selectOption({ label: 'Unassigned' })
  await page.reload()
  await expect.poll(() => status(page).inputValue()).toBe('quoted')
  await save(page).click()
  await hold(page, 'Saved')
  expect(await owned.count()).toBe(0)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'quoted', ownerId: null })
  await undo.click()
  await expect.poll(() => status(page).inputValue()).toBe('new')

  await status(page).selectOption({ label: 'Lost' })
  await save(page).click()
  await toast(page, 'Saved')
  expect(await owned.count()).toBe(0)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'lost', ownerId: null })
  await page.context().close()
})

test('a lead that has a value shows it whatever its status, until it is taken away', async () => {
  const lead = await site.submit()
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'quoted', projectValue: 14_500.5 })
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' })
  const page = await open(lead)
  const value = page.getByLabel('Project value (R)')
  await expect.poll(() => status(page).inputValue()).toBe('contacted')
  await expect.poll(() => value.inputValue()).toBe('14,500.50')
  await status(page).selectOption({ label: 'Lost' })
  await value.fill('9000')
  await save(page).click()
  await toast(page, 'Saved')
  await expect.poll(() => saved(lead)).toMatchObject({ followUpStatus: 'lost', projectValue: 9000 })
  await value.fill('')
  await save(page).click()
  await value.waitFor({ state: 'detached' })
  await expect.poll(() => saved(lead)).toMatchObject({ projectValue: null })
  await page.context().close()
})

test('discards what was not saved, keeps it where the server fails, and saves a double click once', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await status(page).selectOption({ label: 'Lost' })
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => status(page).inputValue()).toBe('new')
  await status(page).selectOption({ label: 'Quoted' })
  await page.route('**/api/leads/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 503, body: 'busy' }) : route.continue(),
  )
  await save(page).click()
  await toast(page, 'Not saved')
  expect(await status(page).inputValue()).toBe('quoted')
  await page.unroute('**/api/leads/*')
  await save(page).dblclick()
  await toast(page, 'Saved')
  expect((await saved(lead)).version).toBe(2)
  await page.context().close()
})

test('notes join the timeline and can be taken back, in one line with all leads of the person', async () => {
  const person = { email: 'ana.same@example.com', phone: '082 999 0001' }
  const earlier = await site.submit({ ...person, name: 'Ana Earlier' })
  const lead = await site.submit({ name: 'Ana Later', email: 'other@example.com', phone: '+27 82 999 0001' })
  const page = await open(lead)
  const others = page.getByRole('region', { name: 'Related leads' })
  await others.getByRole('link', { name: 'Ana Earlier' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add note' }).isDisabled()).toBe(true)
  await page.getByLabel('Note', { exact: true }).fill(`Called. ${'x'.repeat(3_000)}`)
  await page.getByRole('button', { name: 'Add note' }).click()
  const note = entries(page).filter({ hasText: 'Called.' })
  await note.getByText(/^thandi, /).waitFor()
  await expect.poll(() => page.getByLabel('Note', { exact: true }).inputValue()).toBe('')
  expect(await faultsOf(page)).toEqual([])
  await note.getByRole('button', { name: /^Undo/ }).click()
  await toast(page, 'Undone')
  await entries(page).first().getByText('Removed a note').waitFor()
  await note.getByText('Note (removed)').waitFor()
  await others.getByRole('link', { name: 'Ana Earlier' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ana Earlier' }).waitFor()
  expect(new URL(page.url()).searchParams.get('id')).toBe(earlier.id)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Ana Later' }).waitFor()
  await page.context().close()
})

test('shows what the visitor wrote first, on a phone too', async () => {
  const lead = await site.submit({ name: 'Writes First', message: 'Could you build a shop with delivery?' })
  const page = await open(lead, { viewport: { width: 390, height: 844 } })
  const message = page.getByRole('region', { name: 'Message' }).getByText('Could you build a shop with delivery?')
  const box = await message.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844)
  expect(await page.getByText('No message').count()).toBe(0)
  expect(await page.getByRole('main').getByRole('region').first().getAttribute('aria-labelledby')).toBe('message-title')
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('folds a message and a note that go on over screens, and shows all of them on demand', async () => {
  const lead = await site.submit({ message: 'm'.repeat(4_000) })
  await site.call('POST', `/api/leads/${lead.id}/notes`, { note: `${'n'.repeat(799)}😀${'n'.repeat(3_000)}` })
  const page = await open(lead, { viewport: { width: 390, height: 800 } })
  for (const [what, beginning, whole] of [
    ['message', /^m{400}…/, /^m{4000}/],
    ['note', /^n{799}…/, /^n{799}😀n{3000}/],
  ] as const) {
    await page.getByText(beginning).waitFor()
    expect(await page.getByText(whole).count()).toBe(0)
    await page.getByRole('button', { name: `Show the whole ${what}` }).click()
    await page.getByText(whole).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: `Shorten the ${what}` }).click()
    await page.getByText(beginning).waitFor()
  }
  await page.context().close()
})

test('tells what a chat sent its visitor by email, and what became of that', async () => {
  const email = 'nomsa.chat@example.com'
  const sessionId = await site.chat({ name: 'Nomsa', email }, 'Do you build shops?')
  expect((await site.call('POST', `/api/chats/${sessionId}/transcript`, undefined, ben)).status).toBe(202)
  const page = await open(await site.submit({ name: 'Nomsa Dlamini', email }))
  const asked = entries(page).filter({ hasText: 'Transcript requested' })
  await asked.getByText(`By email to ${email}`).waitFor()
  await asked.getByText(/^Ben Dube, /).waitFor()
  const outcome = entries(page).filter({ hasText: 'The transcript of the chat.' })
  await outcome.getByText('Email not sent (no email service)').waitFor({ timeout: OUTCOME_TIMEOUT_MS })
  expect(await outcome.getByRole('link', { name: 'Open the chat' }).getAttribute('href')).toContain(sessionId)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('an owner erases a person once the word is typed; an agent cannot', async () => {
  const email = 'forget@example.com'
  const lead = await site.submit({ name: 'Forget Me', email })
  const agent = await open(lead, { as: ben })
  await agent.getByRole('heading', { level: 1, name: 'Forget Me' }).waitFor()
  await entries(agent).first().waitFor()
  expect(await agent.getByRole('button', { name: 'Erase this person' }).count()).toBe(0)
  await agent.context().close()
  const page = await open(lead)
  await page.getByRole('button', { name: 'Erase this person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Forget Me?' })
  const sure = dialog.getByRole('button', { name: /^Erase \d+ lead/ })
  expect(await sure.getAttribute('aria-disabled')).toBe('true')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await site.call('PATCH', `/api/leads/${lead.id}`, { nextActionDate: '2026-01-05' })
  await site.chat({ name: 'Forgetful', email }, 'Do you remember me?')
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await dialog.getByText('This will erase 1 lead and 1 chat.').waitFor()
  expect(await sure.textContent()).toBe('Erase 1 lead')
  await dialog.getByText(/^Chat with Forgetful, \d+ \w+ \d{4}, 1 message$/).waitFor()
  const late = await site.submit({ name: 'Forget Late', email })
  await dialog.getByLabel('Type "erase" to confirm').fill('Erase')
  await sure.click()
  await dialog.getByText('This will erase 2 leads and 1 chat.').waitFor()
  expect(await dialog.getByRole('checkbox', { name: /^Forget Late ?Same email\./ }).isChecked()).toBe(true)
  expect(await sure.textContent()).toBe('Erase 2 leads')
  await dialog.getByLabel('Type "erase" to confirm').fill('erase')
  await sure.click()
  await page.waitForURL('**/admin-dashboard')
  for (const each of [lead, late]) expect(await saved(each)).toMatchObject({ name: 'Erased', email: '' })
  const card = page.getByRole('article', { name: 'Erased' }).first()
  await card.getByRole('link', { name: 'Open lead: Erased' }).waitFor()
  expect(await card.getByRole('button').count()).toBe(0)
  expect(await card.getByText('New', { exact: true }).count()).toBe(0)
  await page.goto(`/admin-lead?id=${lead.id}`)
  await page.getByRole('heading', { level: 1, name: 'Erased' }).waitFor()
  await entries(page).getByText('Personal data erased').waitFor()
  await page
    .getByText(/^This person was erased on \w+, \d+ \w+ \d{4}, \d\d:\d\d by thandi\. Their personal data/)
    .waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  for (const word of ['New', 'Follow-up']) expect(await page.getByText(word, { exact: true }).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('an owner chooses who goes with a person: a couple by their address, not a colleague by the telephone', async () => {
  const [email, phone] = ['couple@stoep.example', '082 771 0001']
  const lead = await site.submit({ name: 'Palesa Nkosi', businessName: 'Stoep', email, phone })
  const merged = await site.submit({ name: 'P. Nkosi', email: 'palesa@home.example' })
  const version = { 'content-type': 'application/json', 'if-match': `"${lead.version}"`, ...site.owner }
  const body = JSON.stringify({ mergedId: merged.id, mergedVersion: merged.version, takes: [] })
  expect((await site.node.call(`/api/leads/${lead.id}/merge`, { method: 'POST', headers: version, body })).status).toBe(
    200,
  )
  const partner = await site.submit({ name: 'Kagiso Nkosi', email })
  const colleague = await site.submit({ name: 'Sipho Reception', phone: '+27 82 771 0001' })
  const page = await open(lead, { viewport: { width: 390, height: 844 } })
  const related = page.getByRole('region', { name: 'Related leads' })
  await related.getByRole('listitem').filter({ hasText: 'Kagiso Nkosi' }).getByText('Same email').waitFor()
  await related.getByRole('listitem').filter({ hasText: 'Sipho Reception' }).getByText('Same phone').waitFor()
  await page.getByRole('button', { name: 'Erase this person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Palesa Nkosi?' })
  await dialog.getByText('This will erase 3 leads and 0 chats.').waitFor()
  const box = (name: string) => dialog.getByRole('checkbox', { name: new RegExp(`^${name}`) })
  for (const own of ['Palesa Nkosi, Stoep ?This lead', 'P. Nkosi ?Merged into this one']) {
    expect([await box(own).isChecked(), await box(own).isDisabled()]).toEqual([true, true])
  }
  expect(await box('Kagiso Nkosi ?Same email').isChecked()).toBe(true)
  expect(await box('Sipho Reception ?Same phone').isChecked()).toBe(false)
  const links = dialog.getByRole('link')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
    [partner, colleague].map(({ id }) => `/admin-lead?id=${id}`),
  )
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  await box('Kagiso').uncheck()
  await box('Sipho').check()
  await dialog.getByText('This will erase 3 leads and 0 chats.').waitFor()
  await box('Sipho').uncheck()
  await dialog.getByLabel('Type "erase" to confirm').fill('erase')
  await dialog.getByRole('button', { name: 'Erase 2 leads' }).click()
  await page
    .getByText('1 lead with the same email and 1 lead with the same phone were kept: Kagiso Nkosi; Sipho Reception.')
    .waitFor()
  for (const each of [lead, merged]) expect((await saved(each)).name).toBe('Erased')
  for (const each of [partner, colleague]) expect((await saved(each)).name).toBe(each.name)
  await page.context().close()
})

test('what happened with others who share the telephone says whose it is, and is taken back there', async () => {
  const phone = '082 771 0002'
  const colleague = await site.submit({ name: 'Zinhle Reception', phone })
  await site.call('POST', `/api/leads/${colleague.id}/notes`, { note: 'Zinhle asks for a shop' })
  const lead = await site.submit({ name: 'Own Person', phone })
  await site.call('POST', `/api/leads/${lead.id}/notes`, { note: 'Own wishes' })
  const page = await open(lead)
  const theirs = entries(page).filter({ hasText: 'Zinhle asks for a shop' })
  await theirs.getByText('Of another lead: Zinhle Reception').waitFor()
  expect(await theirs.getByRole('button').count()).toBe(0)
  const own = entries(page).filter({ hasText: 'Own wishes' })
  await own.getByRole('button', { name: /^Undo/ }).waitFor()
  expect(await own.getByText(/^Of /).count()).toBe(0)
  await theirs.getByRole('link', { name: 'Zinhle Reception' }).click()
  await page.getByRole('heading', { level: 1, name: 'Zinhle Reception' }).waitFor()
  await theirs.getByRole('button', { name: /^Undo/ }).waitFor()
  await page.context().close()
})

test('an erasure holds its question until it has begun, and then goes on without it, over a busy server', async () => {
  const lead = await site.submit({ name: 'Many Steps', email: 'steps@example.com' })
  const page = await open(lead)
  const [hasBegun, isClosed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answers = [
    () => hasBegun.promise.then(() => ({ status: 202, json: { left: 7 } })),
    async () => ({ status: 503, headers: { 'retry-after': '1' }, body: '{}' }),
    () => isClosed.promise.then(() => ({ status: 500, body: '{}' })),
  ]
  await page.route('**/api/leads/*/erase', async (route) => {
    const answer = route.request().method() === 'POST' ? answers.shift() : undefined
    await (answer ? route.fulfill(await answer()) : route.continue())
  })
  await page.getByRole('button', { name: 'Erase this person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Many Steps?' })
  await dialog.getByText('This will erase 1 lead and 0 chats.').waitFor()
  await dialog.getByLabel('Type "erase" to confirm').fill('erase')
  await dialog.getByRole('button', { name: 'Erase 1 lead' }).click()
  await dialog.getByRole('button', { name: 'Erasing...', exact: true }).waitFor()
  for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
  await dialog.getByRole('button', { name: 'Cancel' }).dispatchEvent('click')
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await asks()).toBe(true)
  hasBegun.resolve()
  await dialog.getByRole('button', { name: 'Erasing... 7 left' }).waitFor()
  await dialog.getByText('This continues in the background: you can close it and leave the page.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await asks()).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'hidden' })
  isClosed.resolve()
  await toast(page, 'Not all erased yet: 7 left')
  expect(answers).toEqual([])
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await dialog.getByLabel('Type "erase" to confirm').fill('erase')
  await dialog.getByRole('button', { name: 'Erase 1 lead' }).click()
  await page.waitForURL('**/admin-dashboard')
  expect(await saved(lead)).toMatchObject({ name: 'Erased', email: '' })
  await page.context().close()
})

test('lets a flagged lead out of quarantine', async () => {
  const flagged = await site.submit({ name: 'Fast Typist', openMs: 10 } as object)
  const page = await open(flagged)
  await page.getByText('In quarantine. Submitted too fast.').waitFor()
  expect(await page.getByText(/^Reply due/).count()).toBe(0)
  await page.getByRole('button', { name: 'Not spam' }).click()
  await page.getByText(/^In quarantine/).waitFor({ state: 'hidden' })
  await entries(page).getByText('Released from quarantine').waitFor()
  await page.context().close()
})

test('says that it loads, that a lead is not found, and what failed, with a way to try again', async () => {
  const page = await open({ id: '00000000-0000-4000-8000-000000000000' })
  await page.getByRole('heading', { level: 1, name: 'Lead not found' }).waitFor()
  const lead = await site.submit()
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/leads/${lead.id}**`, async (route) => {
    await held.promise
    await route.fulfill({ status: 500, body: 'no log' })
  })
  // the stream has the page fetch again by itself as soon as it opens, which would be before the click
  await page.route('**/api/leads/stream', (route) => route.abort())
  await page.goto(`/admin-lead?id=${lead.id}`)
  await page.getByText('Loading the lead...').waitFor()
  held.resolve()
  await page.getByText('Error loading the lead').waitFor()
  await page.unroute(`**/api/leads/${lead.id}**`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ana Botha' }).waitFor()
  await page.context().close()
})

test('leads back to the list as it was', async () => {
  await site.submit({ name: 'Way Back' })
  const page = await site.open('/admin-dashboard?period=week&q=way')
  await page.getByRole('link', { name: 'Open lead: Way Back' }).click()
  await page.getByRole('heading', { level: 1, name: 'Way Back' }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByText('1 submissions found (filtered by "way")').waitFor()
  await page.getByRole('link', { name: 'Open lead: Way Back' }).waitFor()
  await page.context().close()
})

test('what was promised under other support hours stays promised by those', async () => {
  const [promised] = await (await site.call('GET', '/api/leads?q=promised%20before')).json()
  const page = await open(promised, { now: '2025-01-15T10:00:00+02:00' })
  await page.getByText('Reply due in 1 h', { exact: true }).waitFor()
  const set = await site.node.call('/api/settings/support-hours', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': '"0"', ...site.owner },
    body: JSON.stringify({ days: [7], opensAtMinute: 0, closesAtMinute: 1440 }),
  })
  expect(set.status).toBe(200)
  const settings = page.waitForResponse('**/api/settings')
  await page.reload()
  expect((await (await settings).json()).supportHours.days).toEqual([7])
  await page.getByText('Reply due in 1 h', { exact: true }).waitFor()
  await page.context().close()
})
