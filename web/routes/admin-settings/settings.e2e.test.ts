import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, STAFF } from '../../../events/testing/node.ts'
import { violationsIn } from '../../testing/axe.ts'
import { fillSignIn } from '../../testing/sign-in.ts'
import { cookieOf, openAs } from '../../testing/signed-in.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../testing/site.ts'
import { openAccountMenu } from '../../testing/staff-site.ts'

const AGENT = { username: 'sipho', displayName: 'Sipho Dlamini', password: 'the password of Sipho', role: 'agent' }

let site: TestSite
let cookie = ''
let page: Page

beforeAll(async () => {
  site = await startTestSite()
  cookie = await cookieOf(site, STAFF)
  expect((await site.node.post('/api/accounts', AGENT, { cookie })).status).toBe(201)
  page = await openAs(site, cookie, '/admin-settings')
  await page.getByRole('form', { name: 'Packages' }).waitFor()
})
afterAll(() => site.stop())

const leave = (of: Page) => of.context().close()
/** Opens a section with a form. */
const openForm = async (section: string, name: string) => {
  await page.goto(`${site.node.url}/admin-settings/${section}`)
  return page.getByRole('form', { name })
}
const dialog = (name: string) => page.getByRole('dialog', { name })
const account = (name: string) =>
  page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: name })
const settings = async () => await (await site.node.call('/api/settings', { headers: { cookie } })).json()
const scrollsSideways = (of: Page) => of.evaluate(() => document.documentElement.scrollWidth > innerWidth)
const isInView = (of: ReturnType<Page['locator']>) =>
  of.evaluate((it) => {
    const { left, right } = it.getBoundingClientRect()
    return left >= 0 && right <= innerWidth
  })
const hasFocus = (of: ReturnType<Page['locator']>) => of.evaluate((it) => it === document.activeElement)

/** Saves a part as another owner, during an edit. */
const saveElsewhere = async (part: string, form: object) => {
  const { version } = await settings()
  const response = await site.node.call(`/api/settings/${part}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': `"${version}"`, cookie },
    body: JSON.stringify(form),
  })
  expect(response.status).toBe(200)
}

test('each section is one step away on a phone and on a desktop, without warnings in the browser', async () => {
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  const index = page.getByRole('navigation', { name: 'Settings' })
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    for (const [name, address] of [
      ['Replies', 'replies'],
      ['Showcase', 'showcase'],
    ]) {
      const link = index.getByRole('link', { name })
      await link.press('Enter')
      await page.waitForURL(`**/admin-settings/${address}`)
      await page.getByRole('form', { name }).waitFor()
      expect(await link.getAttribute('aria-current')).toBe('page')
      await expect.poll(() => isInView(link)).toBe(true)
    }
    expect(await violationsIn(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  }
  // a section is an address of its own
  await page.reload()
  await page.getByRole('form', { name: 'Showcase' }).waitFor()
  await openAccountMenu(page)
  await page.getByRole('link', { name: 'Your account:' }).click()
  await page.waitForURL('**/admin-account')
  expect(warnings).toEqual([])
})

test('form errors, unsaved changes and the changes of another owner show without accessibility faults', async () => {
  const quote = await openForm('quote-choices', 'Quote form')
  await quote.getByText('The quote form and the cards name different prices').waitFor()
  await quote.getByLabel('None of them').fill('')
  await quote.getByRole('button', { name: 'Save quote form' }).click()
  await quote.getByText('Write something').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await quote.getByRole('button', { name: 'Discard changes' }).click()
  const inboxes = await openForm('inbox-addresses', 'Inbox addresses')
  await inboxes.getByRole('button', { name: 'Add an address' }).click()
  await inboxes.getByLabel('Address 1', { exact: true }).fill('mine@agency.example')
  await saveElsewhere('inbox-addresses', { addresses: ['theirs@agency.example'] })
  await inboxes.getByRole('button', { name: 'Save inbox addresses' }).click()
  const choice = inboxes.getByRole('alert').filter({ hasText: 'thandi also changed inbox addresses:' })
  await choice.getByText('theirs@agency.example').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await choice.getByRole('button', { name: 'Save mine instead' }).click()
  await inboxes.getByText('Saved', { exact: true }).waitFor()
  expect((await settings()).inboxAddresses).toEqual(['mine@agency.example'])
  const hours = await openForm('support-hours', 'Support hours')
  await hours.getByRole('button', { name: 'Add a day' }).click()
  await hours.getByRole('button', { name: 'Add a closure' }).click()
  await hours.getByRole('button', { name: 'Save support hours' }).click()
  await expect.poll(() => hours.getByText('Choose a day', { exact: true }).count()).toBe(3)
  expect(await violationsIn(page)).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await scrollsSideways(page)).toBe(false)
  /** The number of a day's fields in each line. */
  const lines = () =>
    hours
      .getByRole('listitem')
      .first()
      .locator('select, input')
      .evaluateAll((fields) => {
        const tops = fields.map((field) => field.getBoundingClientRect().top)
        return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length)
      })
  expect(await lines()).toEqual([1, 2, 2])
  await page.setViewportSize(DESKTOP)
  expect(await lines()).toEqual([5])
  await hours.getByRole('button', { name: 'Discard changes' }).click()
})

test('the settings show to visitors: hours and closures, claims, faces, and the choices of the quote form', async () => {
  const before = await site.open('/', { reducedMotion: 'reduce' })
  const quoteOf = (visitor: Page) => visitor.getByRole('form', { name: 'Quote request' })
  await quoteOf(before).getByLabel('Package').selectOption('premium')

  const showcase = await openForm('showcase', 'Showcase')
  await showcase.getByLabel('Rating: figure').fill('4.8')
  await showcase.getByRole('button', { name: 'Add a review' }).click()
  await showcase.getByLabel('Who said it').fill('Thandi, Nkosi Bakery')
  await showcase.getByLabel('Review', { exact: true }).fill('They answered within the hour.')
  await showcase.getByRole('button', { name: 'Add a person' }).click()
  await showcase.getByLabel('Role').fill('Support')
  await showcase.getByLabel('Name').fill('Lerato Mokoena')
  await showcase.getByLabel('Photo').setInputFiles('web/public/icon-512.png')
  await showcase.getByRole('button', { name: 'Remove photo' }).waitFor()
  await showcase.getByRole('button', { name: 'Save showcase' }).click()
  await showcase.getByText('Saved', { exact: true }).waitFor()
  const company = await openForm('company', 'Company details')
  await company.getByLabel('VAT', { exact: true }).selectOption('Registered for VAT')
  await company.getByLabel('VAT number').fill('4123 456 789')
  await company.getByLabel('Physical address').fill('12 Loop Street\nCape Town')
  await company.getByLabel('Guarantee').fill('Not happy with the first design? We give your money back.')
  await company.getByRole('button', { name: 'Save company details' }).click()
  await company.getByText('Saved', { exact: true }).waitFor()
  const quote = await openForm('quote-choices', 'Quote form')
  await quote.getByLabel('Essential').fill('Essential - R999')
  await quote.getByLabel('None of them').fill('Something else')
  await quote.getByRole('button', { name: 'Write the cards’ prices' }).click()
  await quote.getByRole('button', { name: 'Save quote form' }).click()
  await quote.getByText('Saved', { exact: true }).waitFor()
  const hours = await openForm('support-hours', 'Support hours')
  await hours.getByLabel('Until', { exact: true }).fill('00:00')
  await hours.getByRole('button', { name: 'Add a closure' }).click()
  const day = (later: number) => new Date(Date.now() + (2 + 24 * later) * 60 * 60 * 1000).toISOString().slice(0, 10)
  await hours.getByLabel('First day').fill(day(0))
  await hours.getByLabel('Last day').fill(day(9))
  await hours.getByLabel('Words for visitors').fill('Closed for the summer')
  await hours.getByRole('button', { name: 'Save support hours' }).click()
  await hours.getByText('Saved', { exact: true }).waitFor()
  const OWN = [
    'Essential - R999',
    'Professional - R1,499 + R299/month',
    'Premium - R1,499 + R499/month',
    'Something else',
  ]
  await eventually(async () => {
    const home = await (await site.node.call('/')).text()
    for (const set of ['4.8', '4123456789', 'Mon-Fri 8AM-12AM SAST', 'Something else']) expect(home).toContain(set)
  }, 60_000)

  const visitor = await site.open('/', { reducedMotion: 'reduce' })
  const offered = () => quoteOf(visitor).getByLabel('Package').locator('option').allInnerTexts()
  expect(await offered()).toEqual(['Please choose', ...OWN])
  // the hydrated form has the same choices
  await quoteOf(visitor).getByLabel('Full name').fill('Ana Botha')
  await quoteOf(visitor).getByLabel('Package').selectOption('Premium - R1,499 + R499/month')
  await quoteOf(visitor).getByRole('button', { name: 'Request my quote' }).click()
  await quoteOf(visitor).locator('[aria-invalid]').first().waitFor()
  expect(await offered()).toEqual(['Please choose', ...OWN])
  const face = visitor.locator('main img[src^="/people/"]')
  await face.scrollIntoViewIfNeeded()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await visitor.getByRole('button', { name: 'Open chat' }).click()
  const chat = visitor.getByRole('region', { name: 'Live chat' })
  await chat.getByText('Lerato replies here').waitFor()
  for (const photo of await chat.locator('img[src^="/people/"]').all())
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await chat.getByText(/Closed for the summer\. We’re back on \w+ \d+ \w+ at 08:00, South African time\./).waitFor()
  await visitor.getByText('They answered within the hour.').waitFor()
  expect(await violationsIn(visitor)).toEqual([])
  await visitor.setViewportSize(PHONE)
  await visitor.goto(`${site.node.url}/contract/premium`)
  await visitor.getByRole('heading', { name: 'Who you sign with' }).waitFor()
  expect(await visitor.getByText('12 Loop Street, Cape Town').count()).toBe(2)
  expect(await violationsIn(visitor)).toEqual([])
  expect(await scrollsSideways(visitor)).toBe(false)

  // a page from before the change still works: it sends the choice itself
  for (const [label, text] of Object.entries({
    'Full name': 'Ben Older',
    Phone: '0821234567',
    Email: 'ben@older.example',
  }))
    await quoteOf(before).getByLabel(label).fill(text)
  await expect
    .poll(() => quoteOf(before).getByLabel('Package').locator('option:checked').innerText())
    .toBe('Premium - R450/month')
  const sent = before.waitForResponse((response) => response.url().endsWith('/api/leads'))
  await quoteOf(before).getByRole('button', { name: 'Request my quote' }).click()
  expect(await (await sent).json()).toMatchObject({ name: 'Ben Older', package: 'premium' })
  await Promise.all([before, visitor].map(leave))
})

test('a token is made by keyboard, and gives its program access until it is revoked', async () => {
  await page.goto(`${site.node.url}/admin-settings/api-tokens`)
  await page.getByRole('button', { name: 'Make a token' }).press('Enter')
  const form = dialog('Make a token')
  await form.getByRole('button', { name: 'Make token' }).press('Enter')
  await form.getByText('Name is required').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await form.getByLabel('Name').fill('Bookkeeping')
  await form.getByLabel('Read and export leads').press('Space')
  await page.setViewportSize(PHONE)
  expect(await scrollsSideways(page)).toBe(false)
  await form.getByRole('button', { name: 'Make token' }).press('Enter')
  const made = dialog('Your new token')
  const token = await made.getByRole('textbox', { name: 'Token' }).inputValue()
  /** Whether the program is let in: it requests a lead that does not exist. */
  const answered = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${site.node.url}/api/leads/${randomUUID()}`, { headers })).status
  }
  expect(await answered()).toBe(404)
  expect(await violationsIn(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  await page.setViewportSize(DESKTOP)
  await made.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke Bookkeeping' }).click()
  await dialog('Revoke Bookkeeping?').getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet.').waitFor()
  expect(await answered()).toBe(401)
})

test('a question focuses its safe button, and returns the focus', async () => {
  await page.goto(`${site.node.url}/admin-settings/accounts`)
  const remove = account('Sipho Dlamini').getByRole('button', { name: 'Remove Sipho Dlamini' })
  await remove.click()
  const question = dialog('Remove Sipho Dlamini?')
  await expect.poll(() => hasFocus(question.getByRole('button', { name: 'Cancel' }))).toBe(true)
  expect(await violationsIn(page)).toEqual([])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(remove)).toBe(true)
})

test('an owner’s link sets a new password, and all tabs of a browser show the account that signs in with it', async () => {
  await account('Sipho Dlamini').getByRole('button', { name: 'Password link for Sipho Dlamini' }).click()
  const made = dialog('A password link for Sipho Dlamini')
  await made.getByRole('button', { name: 'Make a link' }).click()
  const { pathname, hash } = new URL(await made.getByRole('textbox', { name: 'Link' }).inputValue())
  await made.getByRole('button', { name: 'Done' }).click()

  const before = await openAs(site, cookie, '/admin-account')
  const yours = (of: Page, name: string) => of.getByRole('button', { name: `Account: ${name}` }).waitFor()
  await yours(before, 'thandi')
  const other = await before.context().newPage()
  await other.goto(`${site.node.url}/login`)
  await other.getByRole('button', { name: 'Forgot your password?' }).click()
  // opened where a staff member requested it
  await other.goto(site.node.url + pathname + hash)
  await other.getByLabel('New password', { exact: true }).fill('a password by a link')
  await other.getByLabel('Confirm new password').fill('another one')
  await other.getByRole('button', { name: 'Save the new password' }).click()
  await other.getByText('This is not the same password').waitFor()
  expect(await violationsIn(other)).toEqual([])
  await other.getByLabel('Confirm new password').fill('a password by a link')
  await other.getByRole('button', { name: 'Save the new password' }).click()
  await other.getByText('Your new password is saved. Sign in with it.').waitFor()
  await fillSignIn(other, { username: AGENT.username, password: 'a password by a link' })
  await yours(other, 'Sipho Dlamini')
  await yours(before, 'Sipho Dlamini')
  await other.goto(site.node.url + pathname + hash)
  await other.getByText('This link was used or has expired. Ask for a new one.').waitFor()
  expect(await violationsIn(other)).toEqual([])

  // an agent sees the settings read-only
  await before.setViewportSize(PHONE)
  await before.goto(`${site.node.url}/admin-settings/api-tokens`)
  await before.getByText('Only admins see them.').waitFor()
  expect(await violationsIn(before)).toEqual([])
  expect(await scrollsSideways(before)).toBe(false)
  await leave(before)
})
