import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../../../events/lead/wire.ts'
import { sampleWebsiteInfo } from '../../../events/testing/fixtures/samples.ts'
import { eventually } from '../../../events/testing/node.ts'
import { fillSignIn } from '../../testing/sign-in.ts'
import { faultsOf, type StaffSite, signOutOn, startStaffSite, type TestSession } from '../../testing/staff-site.ts'

const LONG = 'wolfeschlegelsteinhausen.berger.dorff.the.second@subsidiary.company.example.com'
const PHONE = { width: 390, height: 844 }

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite()
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const open = async (lead: Pick<Lead, 'id'>, options: Parameters<StaffSite['open']>[1] = {}) => {
  const page = await site.open(`/admin-lead?id=${lead.id}`, options)
  await status(page).waitFor()
  return page
}
const go = async (page: Page, { id }: Pick<Lead, 'id'>) => {
  await page.goto(`/admin-lead?id=${id}`)
  await entries(page).first().waitFor()
}
const status = (page: Page) => page.getByLabel('Status', { exact: true })
const note = (page: Page) => page.getByLabel('Note', { exact: true })
const notices = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' })
const toast = (page: Page, text: string) => notices(page).getByText(text, { exact: true }).waitFor()
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const details = (page: Page) => page.getByRole('region', { name: 'Details' })
const saved = async ({ id }: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${id}`)).json()
const close = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()))

const fits = async (page: Page, widths: readonly number[]) => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `${page.url()} at ${width} px`).toEqual([])
  }
}

/** Merges two leads as they are by then: the events of a contract's email make new versions of it. */
const merge = (staying: Lead, gone: Lead, takes: readonly string[] = []) =>
  eventually(async () => {
    const [{ version }, { version: mergedVersion }] = await Promise.all([saved(staying), saved(gone)])
    const headers = { 'content-type': 'application/json', 'if-match': `"${version}"`, ...site.owner }
    const body = JSON.stringify({ mergedId: gone.id, mergedVersion, takes })
    const merged = await site.node.call(`/api/leads/${staying.id}/merge`, { method: 'POST', headers, body })
    expect(merged.status).toBe(200)
  })

/**
 * Into how many lines an address is broken, and which of its parts without a place to break are broken all the same.
 */
const linesOf = (page: Page) =>
  page.getByRole('link', { name: LONG }).evaluate((link) => {
    const parts = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    for (let part = parts.nextNode(); part; part = parts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(part)
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(part.textContent ?? '')
    }
    return { lines: link.getClientRects().length, broken }
  })

test('all data of a lead fits a phone and a desktop, its message first, and is copied', async () => {
  const full = await site.submit({
    name: 'Thandi Mokoena',
    email: LONG,
    phone: '+27 (0)83 555 0102',
    businessName: 'Stoep & Co',
    package: 'premium',
    message: `Two\nlines <b>not bold</b> ${'long'.repeat(200)}`,
    leadSource: 'contract_premium',
    pageUrl: 'https://example.com/contract/premium',
    agreedToTerms: true,
  })
  const gone = await site.submit({ name: 'Eve Gone', email: LONG, message: 'My street is 1 Long Street.' })
  await site.submit({ name: 'Eve Related', email: LONG, message: `Do you print cards?\n${'So many. '.repeat(60)}` })
  await merge(full, gone)
  await site.call('POST', `/api/leads/${full.id}/notes`, { note: `Called. ${'x'.repeat(3_000)}` })
  const page = await site.open('/admin-dashboard?period=week&q=thandi', { viewport: PHONE })
  await page.getByRole('link', { name: /^Open lead: / }).click()
  const message = page.getByRole('region', { name: 'Message' }).first().getByText(/^Two/)
  await message.waitFor()
  expect((await message.boundingBox())?.y).toBeLessThan(844)
  await entries(page).getByText('My street is 1 Long Street.').waitFor()
  await page
    .getByRole('region', { name: 'Related leads' })
    .getByText(/^Do you print cards/)
    .waitFor()
  const { lines, broken } = await linesOf(page)
  expect([lines > 1, broken]).toEqual([true, []])
  expect(await page.getByRole('link', { name: LONG }).textContent()).toBe(LONG)
  await fits(page, [390, 1024, 1440])
  await page.getByRole('button', { name: 'Copy the email address' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Email address copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LONG)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByText('1 submissions found (filtered by "thandi")').waitFor()

  // a questionnaire, whose person waits in a chat
  const email = 'bakery@example.co.za'
  await site.chat({ name: 'Naledi', email }, 'Are you there?')
  const more = { biggestProblem: 'Nobody finds us', monthlyBudget: 'R1,000-R5,000', businessGoals: 'More orders' }
  const sent = await site.call('POST', '/api/submit-website-info', sampleWebsiteInfo({ email, ...more }))
  const { leadId: id } = await sent.json()
  await eventually(async () => expect((await site.call('GET', `/api/leads/${id}`)).status).toBe(200))
  await go(page, { id })
  await page.getByRole('button', { name: /^Show all \d+ answers$/ }).click()
  await page.getByText(/^A chat of the same person is still open\. Waits .+$/).waitFor()
  await fits(page, [390, 1440])

  const flagged = await site.submit({ name: 'Fast Typist', openMs: 10 } as object)
  await go(page, flagged)
  await page.getByText('In quarantine. Submitted too fast.').waitFor()
  await fits(page, [390])
  await close(page)
})

test('dates are typed key by key and saved once they are complete, and invalid ones are not saved', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await status(page).selectOption({ label: 'Won' })
  for (const label of ['Remind me on', 'Conversion date']) {
    const field = page.getByLabel(label)
    await field.focus()
    await page.keyboard.type('01312027')
    expect(await field.inputValue()).toBe('2027-01-31')
    await page.keyboard.press('Enter')
  }
  const value = page.getByLabel('Value (R)')
  await value.fill('12.500')
  await value.press('Tab')
  await page.getByText('Enter an amount, e.g. 12,500.50', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await value.fill('R14 999,50')
  await value.press('Enter')
  const conversionDate = '2027-01-31T10:00:00.000Z'
  const won = { nextActionDate: '2027-01-31', conversionDate, projectValue: 14_999.5 }
  await expect.poll(() => saved(lead)).toMatchObject(won)

  const date = page.getByLabel('Conversion date')
  await date.focus()
  await page.keyboard.type('0131')
  await page.keyboard.type('2')
  expect(await date.inputValue()).toBe('0002-01-31')
  await page.keyboard.press('Enter')
  await expect.poll(() => date.evaluate((field) => (field as HTMLInputElement).validity.rangeUnderflow)).toBe(true)
  expect(await saved(lead)).toMatchObject(won)
  await close(page)
})

test('phone and email are in the first 300 px, the composer in the window, at every width and in both themes', async () => {
  const lead = await site.submit({ name: 'Zanele Mthembu', businessName: 'Mthembu Hair Studio', phone: '082 555 0142' })
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(lead, { colorScheme })
    for (const [width, height] of [
      [390, 844],
      [1024, 768],
      [1440, 900],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const name of ['082 555 0142', lead.email]) {
        const { y, height: own } = (await details(page).getByRole('link', { name }).boundingBox()) ?? expect.fail()
        expect(y + own, `${name} at ${width} px`).toBeLessThanOrEqual(300)
      }
      expect(await faultsOf(page), `${width} px, ${colorScheme}`).toEqual([])
      const composer = (await page.getByRole('region', { name: 'Answer' }).boundingBox()) ?? expect.fail()
      expect(composer.y + composer.height).toBeLessThanOrEqual(height)
    }
    await close(page)
  }
})

test('two staff members change and merge leads at once: the later one is asked, chooses, and undoes it', async () => {
  const ana = await site.submit({ name: 'Ana Botha', email: 'ana@bakery.example' })
  const anna = await site.submit({ name: 'Anna Botha-Nel', email: 'Ana@Bakery.example', company: 'Nkosi Bakery' })
  const [mine, his] = [await open(ana), await open(ana, { as: ben })]
  // what the colleague changes meanwhile does not reach my screen
  await mine.route('**/api/leads/*', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
  await status(his).selectOption({ label: 'Lost' })
  await toast(his, 'Saved')
  await status(mine).selectOption({ label: 'Quoted' })
  const clash = mine.getByRole('alert').filter({ hasText: 'Ben Dube changed this while you were editing.' })
  await clash.waitFor()
  await fits(mine, [390, 1440])
  await mine.unroute('**/api/leads/*')
  await clash.getByRole('button', { name: 'Use mine' }).click()
  await clash.waitFor({ state: 'hidden' })
  await expect.poll(() => status(his).inputValue()).toBe('quoted')

  await go(his, anna)
  await mine
    .getByRole('region', { name: 'Related leads' })
    .getByRole('button', { name: /^Merge with/ })
    .click()
  const dialog = mine.getByRole('dialog', { name: 'Merge two leads' })
  const name = dialog.getByRole('group', { name: 'Name' })
  await name.waitFor()
  await fits(mine, [390, 768, 1440])
  await site.call('PATCH', `/api/leads/${anna.id}`, { followUpStatus: 'contacted' }, ben)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await dialog.getByText('One of these leads has changed. Check the current values, then merge.').waitFor()
  // by keys alone
  await name.getByRole('radio', { name: 'Ana Botha', exact: true }).focus()
  await mine.keyboard.press('ArrowRight')
  await dialog.getByRole('button', { name: 'Merge', exact: true }).focus()
  await mine.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await mine.getByRole('region', { name: 'Merged into this lead' }).waitFor()
  await expect.poll(() => saved(ana)).toMatchObject({ name: 'Anna Botha-Nel', followUpStatus: 'quoted' })
  // a screen that shows the other lead opens the one that stays
  await his.waitForURL(`**/admin-lead?id=${ana.id}`)
  await his.getByRole('button', { name: /^Unmerge:/ }).click()
  for (const page of [his, mine]) await page.getByRole('region', { name: 'Related leads' }).waitFor()
  expect(await saved(ana)).toMatchObject({ name: 'Ana Botha', followUpStatus: 'quoted' })
  expect(await saved(anna)).toMatchObject({ name: 'Anna Botha-Nel', followUpStatus: 'contacted' })
  await close(mine, his)
})

test('on a phone, by keyboard alone, an address is corrected and undone, and Back from a correction asks first', async () => {
  const lead = await site.submit({ name: 'Cora Botha', email: 'cora@exmaple.com' })
  const page = await site.open('/admin-today', { as: ben, viewport: PHONE })
  await page
    .getByRole('link', { name: /^Cora Botha/ })
    .first()
    .click()
  await page.waitForURL(`**/admin-lead?id=${lead.id}`)
  const correct = details(page).getByRole('button', { name: 'Edit email', exact: true })
  const email = details(page).getByLabel('Email', { exact: true })
  await correct.focus()
  await page.keyboard.press('Enter')
  await email.waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('cora@example.com')
  await page.keyboard.press('Enter')
  await details(page).getByRole('link', { name: 'cora@example.com' }).waitFor()
  await expect.poll(() => correct.evaluate((button) => button === document.activeElement)).toBe(true)
  const corrected = entries(page).filter({ hasText: 'Corrected contact details' })
  await corrected.getByText('Email: cora@example.com (was cora@exmaple.com)').waitFor()
  await notices(page).getByRole('button', { name: 'Undo' }).click()
  await details(page).getByRole('link', { name: 'cora@exmaple.com' }).waitFor()
  await entries(page).getByText('Undid a correction').waitFor()

  await correct.click()
  await email.fill('right@example.com')
  // a person takes longer from a key to Back than the page does from the key to its guard
  await page.evaluate(() => new Promise<unknown>((resolve) => requestIdleCallback(resolve)))
  await page.goBack()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  expect(await email.inputValue()).toBe('right@example.com')
  await page.goBack()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/admin-today')
  await close(page)
})

test('an owner chooses who is erased, cannot leave before it has begun, and finds none of their data', async () => {
  const [email, phone] = ['couple@stoep.example', '082 771 0001']
  const lead = await site.submit({ name: 'Palesa Nkosi', businessName: 'Stoep', email, phone })
  const merged = await site.submit({ name: 'P. Nkosi', email: 'palesa@home.example' })
  await merge(lead, merged)
  const partner = await site.submit({ name: 'Kagiso Nkosi', email })
  const colleague = await site.submit({ name: 'Sipho Reception', phone: '+27 82 771 0001' })
  const page = await open(lead, { viewport: PHONE })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Erase this person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase Palesa Nkosi?' })
  await dialog.getByText('This will erase 3 leads and 0 chats.').waitFor()
  await fits(page, [1440, 390])
  await dialog.getByRole('checkbox', { name: /^Kagiso Nkosi ?Same email/ }).uncheck()
  await dialog.getByLabel('Type "erase" to confirm').fill('erase')
  const hasBegun = Promise.withResolvers<void>()
  await page.route('**/api/leads/*/erase', async (route) => {
    await hasBegun.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Erase 2 leads' }).click()
  await dialog.getByRole('button', { name: 'Erasing...', exact: true }).waitFor()
  for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
  expect(await dialog.isVisible()).toBe(true)
  hasBegun.resolve()
  await page.waitForURL('**/admin-dashboard')
  for (const each of [lead, merged]) expect(await saved(each)).toMatchObject({ name: 'Erased', email: '' })
  for (const each of [partner, colleague]) expect((await saved(each)).name).toBe(each.name)
  await page.getByRole('article', { name: partner.name }).waitFor()
  expect(await page.getByRole('article', { name: 'Erased' }).count()).toBe(0)
  await go(page, lead)
  await page.getByText(/^This person was erased on /).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await close(page)
})

test('lists find a lead by the values that it takes from a merged one', async () => {
  const email = 'gus@asks.example'
  const first = await site.submit({ name: 'Gus First', email, package: 'essential', timeline: 'asap' })
  await merge(first, await site.submit({ name: 'Gus Again', email, package: 'professional' }), ['package'])
  await expect.poll(() => saved(first)).toMatchObject({ name: 'Gus First', package: 'professional', timeline: 'asap' })
  const found = async () => (await site.call('GET', '/api/leads?q=gus&package=professional')).json()
  await expect.poll(found).toMatchObject([{ id: first.id }])
})

test('the answers of a questionnaire are deleted when its person is erased', async () => {
  const { leadId } = await (
    await site.call('POST', '/api/submit-website-info', sampleWebsiteInfo({ email: 'erased@example.com' }))
  ).json()
  const read = async () => (await site.call('GET', `/api/leads/${leadId}`)).json()
  await eventually(async () => expect(await read()).toHaveProperty('answers'))
  await expect.poll(async () => (await site.call('POST', `/api/leads/${leadId}/erase`, {})).status).toBe(204)
  const lead = await read()
  expect(lead).toMatchObject({ name: 'Erased', message: null })
  expect(lead).not.toHaveProperty('answers')
})

const keptIn = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('staff/')))

test('unsaved text survives a lost network and a closed tab, and is removed at sign-out, which asks once', async () => {
  const lead = await site.submit()
  const page = await open(lead, { as: await site.hire('Lerato Moloi') })
  const context = page.context()
  await context.setOffline(true)
  await page.getByText('You are offline. What you see may be old.').waitFor()
  await note(page).fill('Called at noon')
  await page.getByRole('button', { name: 'Add note' }).click()
  await toast(page, 'The note was not added')
  await page.close()
  await context.setOffline(false)

  const again = await context.newPage()
  await again.goto(`/admin-lead?id=${lead.id}`)
  await again.getByText('You typed this before. It is not saved yet.').first().waitFor()
  expect(await note(again).inputValue()).toBe('Called at noon')
  expect(await faultsOf(again)).toEqual([])
  await again.getByRole('button', { name: 'Add note' }).click()
  await entries(again).getByText('Called at noon').waitFor()
  await expect.poll(() => keptIn(again)).toEqual([])

  await note(again).fill('Half a no')
  await expect.poll(() => keptIn(again)).toHaveLength(1)
  const other = await open(lead, { as: ben })
  expect(await note(other).inputValue()).toBe('')
  const askedByBrowser: string[] = []
  again.on('dialog', (dialog) => {
    askedByBrowser.push(dialog.type())
    dialog.accept()
  })
  await signOutOn(again)
  const question = again.getByRole('dialog', { name: 'Sign out without saving?' })
  await question.waitFor()
  expect(await faultsOf(again)).toEqual([])
  await question.getByRole('button', { name: 'Sign out' }).click()
  await again.waitForURL('**/login')
  expect(await keptIn(again)).toEqual([])
  expect((await again.request.get('/api/me')).ok()).toBe(false)
  expect(askedByBrowser).toEqual([])
  await close(again, other)
})

test('a session that ends leaves the typed text visible, until one signs in there or in another tab', async () => {
  const lead = await site.submit()
  const page = await open(lead)
  await note(page).focus()
  await page.keyboard.type('Half a no')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Add note' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended.' })
  await notice.waitFor()
  await fits(page, [390, 1024, 1440])
  const other = await page.context().newPage()
  await other.goto('/login')
  await fillSignIn(other)
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add note' }).click()
  await entries(page).getByText('Half a no').waitFor()

  await note(page).fill('Another no')
  await page.context().clearCookies()
  await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' }, ben)
  await notice.waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin-lead')
  await notice.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Your session has ended. Sign in again.').waitFor()
  await fillSignIn(page)
  await page.waitForURL(`**/admin-lead?id=${lead.id}`)
  await expect.poll(() => note(page).inputValue()).toBe('Another no')
  expect(await notice.count()).toBe(0)
  await close(page)
})
