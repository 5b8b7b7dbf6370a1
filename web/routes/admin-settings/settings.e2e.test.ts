import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, STAFF, signIn } from '../../../events/testing/node.ts'
import { violationsIn } from '../../test-axe.ts'
import { fillSignIn } from '../../test-sign-in.ts'
import { DESKTOP, PHONE, startTestSite, type TestSite } from '../../test-site.ts'

const AGENT = { username: 'sipho', displayName: 'Sipho Dlamini', password: 'the password of Sipho', role: 'agent' }

let site: TestSite
let owner: { cookie: string }

beforeAll(async () => {
  site = await startTestSite()
  owner = await signIn(site.node)
  expect((await site.node.post('/api/accounts', AGENT, owner)).status).toBe(201)
})
afterAll(() => site.stop())

const openSettings = async (viewport = DESKTOP, who: { username: string; password: string } = STAFF) => {
  const page = await site.open('/admin-settings', { viewport })
  await fillSignIn(page, who)
  await page.getByRole('heading', { name: 'Staff accounts' }).waitFor()
  return page
}

const leave = (page: Page) => page.context().close()
const formOf = (page: Page, name: string) => page.getByRole('form', { name })
const settings = async () => await (await site.node.call('/api/settings', { headers: owner })).json()

/** Saves as another owner would meanwhile. */
const saveElsewhere = async (part: string, form: object) => {
  const { version } = await settings()
  const response = await site.node.call(`/api/settings/${part}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': `"${version}"`, ...owner },
    body: JSON.stringify(form),
  })
  expect(response.status).toBe(200)
}

test.each([PHONE, DESKTOP])('has no fault that axe knows, and no sideways scroll, at $width px', async (viewport) => {
  const page = await openSettings(viewport)
  await page.getByText('Sipho Dlamini').waitFor()
  expect(await violationsIn(page, 'html')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  await leave(page)
})

test('an agent reads what is set and why it cannot be changed', async () => {
  const page = await openSettings(DESKTOP, AGENT)
  await page.getByText('You can read what is set. Only owners can change it: ask one of them.').waitFor()
  await page.getByText('Mon-Fri 8AM-6PM SAST').waitFor()
  await page.getByText('/pricing').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Sipho Dlamini' }).waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  expect(await violationsIn(page, 'html')).toEqual([])
  await leave(page)
})

test.each([PHONE, DESKTOP])(
  'each part is a step away at $width px, and one with unsaved changes is marked',
  async (viewport) => {
    const page = await openSettings(viewport)
    const index = page.getByRole('navigation', { name: 'Parts of the settings' })
    for (const name of ['Showcase', 'Canned replies']) {
      const link = index.getByRole('link', { name })
      await link.click()
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
      await expect.poll(() => link.getAttribute('aria-current')).toBe('location')
      const title = page.getByRole('heading', { name })
      await expect
        .poll(() =>
          title.evaluate((it) => {
            const { left, top, height } = it.getBoundingClientRect()
            return it.contains(document.elementFromPoint(left + 2, top + height / 2))
          }),
        )
        .toBe(true)
    }
    await formOf(page, 'Offer').getByLabel('What the banner says').fill('Half off in spring')
    await index.getByRole('link', { name: 'Offer (not saved)' }).waitFor()
    expect(await violationsIn(page, 'html')).toEqual([])
    await formOf(page, 'Offer').getByRole('button', { name: 'Discard changes' }).click()
    await index.getByRole('link', { name: 'Offer', exact: true }).waitFor()
    await leave(page)
  },
)

describe('support hours', () => {
  test('are previewed, saved, and on the website at once', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Support hours')
    await form.getByLabel('Saturday').check()
    await form.getByLabel('From').fill('07:30')
    await form.getByLabel('Until').fill('00:00')
    await form.getByText('Mon-Sat 7:30AM-12AM SAST').waitFor()
    await form.getByText('Not saved yet').waitFor()
    await form.getByRole('button', { name: 'Save support hours' }).dblclick()
    await form.getByText('Saved', { exact: true }).waitFor()
    const { supportHours, version } = await settings()
    expect([version, supportHours]).toEqual([1, { days: [1, 2, 3, 4, 5, 6], opensAtMinute: 450, closesAtMinute: 1440 }])
    await eventually(async () => {
      expect(await (await site.node.call('/')).text()).toContain('Mon-Sat 7:30AM-12AM SAST')
    })
    await page.reload()
    await expect.poll(() => form.getByLabel('Saturday').isChecked()).toBe(true)
    await expect.poll(() => form.getByLabel('Until').inputValue()).toBe('00:00')
    await leave(page)
  })

  test('of single days, and closures, are kept, and a visitor reads why nobody is there and when somebody is back', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Support hours')
    await form.getByRole('button', { name: 'Add a day' }).click()
    await form.getByRole('button', { name: 'Add a closure' }).click()
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await expect.poll(() => form.getByText('Choose a day', { exact: true }).count()).toBe(3)
    expect(await violationsIn(page, 'html')).toEqual([])
    await form.getByLabel('Day 1', { exact: true }).selectOption('Friday')
    await form.locator('#day-0-closes').fill('15:00')
    const day = (later: number) => new Date(Date.now() + (2 + 24 * later) * 60 * 60 * 1000).toISOString().slice(0, 10)
    await form.getByLabel('First day').fill(day(0))
    await form.getByLabel('Last day').fill(day(9))
    await form.getByLabel('Words for visitors').fill('Closed for the summer')
    await form.getByText('Mon-Thu, Sat 7:30AM-12AM, Fri 7:30AM-3PM SAST').waitFor()
    await page.setViewportSize(PHONE)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    const home = await site.open('/')
    await home.getByRole('button', { name: 'Chat Now' }).click()
    await home.getByText(/Closed for the summer\. We’re back on \w+ \d+ \w+ at 7:30AM, South African time\./).waitFor()
    await leave(home)
    await page.reload()
    await form.getByRole('button', { name: 'Remove day 1' }).click()
    await form.getByRole('button', { name: 'Remove closure 1' }).click()
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    expect((await settings()).supportHours).toEqual({
      days: [1, 2, 3, 4, 5, 6],
      opensAtMinute: 450,
      closesAtMinute: 1440,
    })
    await leave(page)
  })

  test('that cannot be are told at their fields, and can be given up', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Support hours')
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']) {
      await form.getByLabel(day).uncheck()
    }
    await form.getByLabel('From').fill('18:00')
    await form.getByLabel('Until').fill('18:00')
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await form.getByText('Choose at least one day').waitFor()
    await form.getByText('Must be later than the opening time').waitFor()
    expect(await violationsIn(page, 'html')).toEqual([])
    await form.getByLabel('From').fill('')
    await form.getByText('Choose a time').waitFor()
    await form.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => form.getByLabel('From').inputValue()).toBe('07:30')
    await form.getByText('Choose at least one day').waitFor({ state: 'detached' })
    await leave(page)
  })

  test('that are changed again while they are being saved stay so', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Support hours')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/settings/support-hours', async (route) => {
      await held.promise
      await route.continue()
    })
    await form.getByLabel('From').fill('07:15')
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await form.getByRole('button', { name: 'Saving...' }).waitFor()
    await form.getByLabel('Until').focus()
    await page.keyboard.type('0515PM')
    held.resolve()
    await form.getByRole('button', { name: 'Save support hours' }).waitFor()
    await expect.poll(() => form.getByLabel('Until').inputValue()).toBe('17:15')
    await form.getByText('Not saved yet').waitFor()
    expect((await settings()).supportHours).toMatchObject({ opensAtMinute: 435, closesAtMinute: 1440 })
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    expect((await settings()).supportHours).toMatchObject({ opensAtMinute: 435, closesAtMinute: 1035 })
    await leave(page)
  })

  test('that another owner has saved meanwhile are shown, and one chooses', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Support hours')
    await form.getByLabel('From').fill('09:00')
    await saveElsewhere('support-hours', { days: [1, 2], opensAtMinute: 600, closesAtMinute: 660 })
    await form.getByRole('button', { name: 'Save support hours' }).click()
    const choice = form.getByRole('alert').filter({ hasText: 'thandi also changed support hours:' })
    await choice.getByText('Mon-Tue 10AM-11AM SAST').waitFor()
    expect(await violationsIn(page, 'html')).toEqual([])
    await choice.getByRole('button', { name: 'Keep theirs' }).click()
    await expect.poll(() => form.getByLabel('From').inputValue()).toBe('10:00')

    await form.getByLabel('From').fill('09:00')
    await saveElsewhere('support-hours', { days: [3], opensAtMinute: 600, closesAtMinute: 660 })
    await form.getByRole('button', { name: 'Save support hours' }).click()
    await form.getByText('Wed 10AM-11AM SAST').waitFor()
    await form.getByRole('button', { name: 'Save mine instead' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    expect((await settings()).supportHours).toEqual({ days: [1, 2], opensAtMinute: 540, closesAtMinute: 660 })
    await leave(page)
  })
})

test('the chat of a visitor tells when somebody is back, by the hours that are set', async () => {
  const today = new Date(Date.now() + 2 * 60 * 60 * 1000).getUTCDay()
  await saveElsewhere('support-hours', { days: [((today + 2) % 7) + 1], opensAtMinute: 555, closesAtMinute: 600 })
  const home = await site.open('/')
  await home.getByRole('button', { name: 'Chat Now' }).click()
  await home.getByText(/We’re back on \w+ at 9:15AM, South African time\./).waitFor()
  await leave(home)
})

describe('canned replies', () => {
  test('are added, changed, removed and saved', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Canned replies')
    await form.getByRole('button', { name: 'Remove reply 2' }).click()
    await form.getByRole('button', { name: 'Add a reply' }).click()
    await form.getByLabel('Shortcut').last().fill('Thank-You')
    await form.getByRole('button', { name: 'Save canned replies' }).click()
    await form.getByText('A reply is required').waitFor()
    await form.getByLabel('Reply', { exact: true }).last().fill('Thanks, {nmae}!')
    await form.getByRole('button', { name: 'Save canned replies' }).click()
    await form
      .getByText('"{nmae}" is no placeholder, and would be sent as written. No placeholders are filled in here.')
      .waitFor()
    await form.getByLabel('Reply', { exact: true }).last().fill('Thanks!\nUntil soon.')
    await form.getByLabel('Shortcut').last().fill('two words')
    await form.getByRole('button', { name: 'Save canned replies' }).click()
    await form.getByText('Use letters, digits and hyphens').waitFor()
    await form.getByLabel('Shortcut').last().fill('hello')
    await form.getByRole('button', { name: 'Save canned replies' }).click()
    await form.getByText('Shortcuts must be unique').waitFor()
    expect(await violationsIn(page, 'html')).toEqual([])
    await form.getByLabel('Shortcut').last().fill('Thank-You')
    await form.getByRole('button', { name: 'Save canned replies' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    const { cannedReplies } = await settings()
    expect(cannedReplies.map(({ shortcut }: { shortcut: string }) => shortcut)).toEqual(['hello', 'quote', 'thank-you'])
    await expect.poll(() => form.getByLabel('Shortcut').last().inputValue()).toBe('thank-you')
    await leave(page)
  })
})

describe('inbox addresses', () => {
  test('are checked and saved', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Inbox addresses')
    await form.getByText('There are no extra recipients.').waitFor()
    await form.getByRole('button', { name: 'Add an address' }).click()
    await form.getByLabel('Address 1', { exact: true }).fill('desk@')
    await form.getByRole('button', { name: 'Save inbox addresses' }).click()
    await form.getByText('Please enter a valid email address').waitFor()
    await form.getByLabel('Address 1', { exact: true }).fill('desk@agency.example')
    await form.getByRole('button', { name: 'Save inbox addresses' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    expect((await settings()).inboxAddresses).toEqual(['desk@agency.example'])
    await leave(page)
  })
})

describe('what is not saved', () => {
  test('is nothing at first: the browser is warned of nothing on the way around the page', async () => {
    const page = await openSettings()
    const warnings: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await page.waitForURL('**/admin-settings#content')
    await page.getByRole('link', { name: 'Canned replies', exact: true }).click()
    await page.waitForURL('**/admin-settings#canned-replies')
    // a part that is named in the address comes into sight by itself
    await page.reload()
    const top = () =>
      page.getByRole('heading', { level: 2, name: 'Canned replies' }).evaluate((it) => it.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(200)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100)
    await page.getByRole('link', { name: 'Your account:' }).click()
    await page.waitForURL('**/admin-account')
    expect(warnings).toEqual([])
    await leave(page)
  })

  test('is asked about before another screen, and shows what others save only once it is given up', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Inbox addresses')
    await form.getByLabel('Address 1', { exact: true }).fill('other@agency.example')
    await page.getByRole('link', { name: 'Your account:' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay here' }).click()
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => form.getByLabel('Address 1', { exact: true }).inputValue()).toBe('other@agency.example')
    await page.getByRole('link', { name: 'Your account:' }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await page.waitForURL('**/admin-account')
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect.poll(() => form.getByLabel('Address 1', { exact: true }).inputValue()).toBe('desk@agency.example')
    await leave(page)
  })

  test('outlives a reload, and meets what another owner saved meanwhile as a conflict', async () => {
    const page = await openSettings()
    page.on('dialog', (dialog) => dialog.accept())
    const form = formOf(page, 'Inbox addresses')
    const address = form.getByLabel('Address 1', { exact: true })
    await address.fill('draft@agency.example')
    await form.getByText('Not saved yet').waitFor()
    await page.reload()
    await form.getByText('Not saved yet').waitFor()
    expect(await address.inputValue()).toBe('draft@agency.example')
    await saveElsewhere('inbox-addresses', { addresses: ['theirs@agency.example'] })
    await page.reload()
    await form.getByText('Not saved yet').waitFor()
    expect(await address.inputValue()).toBe('draft@agency.example')
    await form.getByRole('button', { name: 'Save inbox addresses' }).click()
    await form.getByRole('button', { name: 'Keep theirs' }).click()
    await expect.poll(() => address.inputValue()).toBe('theirs@agency.example')
    await page.reload()
    await expect.poll(() => address.inputValue()).toBe('theirs@agency.example')
    expect(await form.getByText('Not saved yet').count()).toBe(0)
    await leave(page)
  })

  test('is asked about by the browser before the page is closed', async () => {
    const page = await openSettings()
    const form = formOf(page, 'Support hours')
    const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
    expect(await asks()).toBe(false)
    // which days are set depends on the day on which this runs
    const sunday = form.getByLabel('Sunday')
    await sunday.setChecked(!(await sunday.isChecked()))
    await eventually(async () => expect(await asks()).toBe(true))
    await form.getByRole('button', { name: 'Discard changes' }).click()
    await eventually(async () => expect(await asks()).toBe(false))
    await leave(page)
  })
})

test('a failed fetch says so and can be tried again', async () => {
  const page = await openSettings()
  await page.route('**/api/settings', (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.reload()
  await page.getByText('Error loading settings').waitFor()
  await page.unroute('**/api/settings')
  await page.getByRole('button', { name: 'Try again' }).click()
  await formOf(page, 'Support hours').waitFor()
  await leave(page)
})

test('an offer that an owner saves stands on the pages within seconds, and goes when it ends', async () => {
  const page = await openSettings()
  const form = formOf(page, 'Offer')
  await form.getByText(/^Ended on 30 September 2025, not on the website/).waitFor()
  await form.getByLabel('What the banner says').fill('Summer offer on Premium')
  await form.getByLabel('Percent off').fill('lots')
  await form.getByRole('button', { name: 'Save offer' }).click()
  await form
    .getByText('Write a number')
    .or(form.getByText(/number/))
    .first()
    .waitFor()
  await form.getByLabel('Percent off').fill('25')
  await form.getByLabel('Last day').fill('2999-12-24')
  await form.getByLabel('Professional, in rand').fill('')
  await form.getByLabel('Premium, in rand').fill('R1,999')
  await form.getByRole('button', { name: 'Save offer' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  await form.getByText(/^On the website until 24 December 2999/).waitFor()
  expect((await settings()).offer).toEqual({
    text: 'Summer offer on Premium',
    percentage: 25,
    lastDay: '2999-12-24',
    packages: [{ id: 'premium', usualPrice: 1_999 }],
  })
  const visitor = await site.open('/', { javaScriptEnabled: false })
  await eventually(async () => {
    await visitor.reload()
    expect(await visitor.getByText('Summer offer on Premium. The offer ends 24 December 2999.').count()).toBe(1)
    expect(await visitor.getByText('25% off', { exact: true }).count()).toBe(1)
    expect(await visitor.getByText('R1,999', { exact: true }).count()).toBe(1)
  }, 60_000)
  await form.getByLabel('Last day').fill('2025-01-31')
  await form.getByRole('button', { name: 'Save offer' }).click()
  await form.getByText(/^Ended on 31 January 2025/).waitFor()
  await eventually(async () => {
    await visitor.reload()
    expect(await visitor.getByText(/The offer ends|25% off|R1,999/).count()).toBe(0)
  }, 60_000)
  await leave(visitor)
  await leave(page)
})

test('who the agency is in law goes from the settings to the contracts', async () => {
  const page = await openSettings()
  const form = formOf(page, 'Company details')
  await form.getByLabel('Registered name').fill('Karoo Web Studio (Pty) Ltd')
  await form.getByLabel('VAT', { exact: true }).selectOption('Registered for VAT')
  await form.getByRole('button', { name: 'Save company details' }).click()
  await form.getByText('Enter the VAT number').waitFor()
  await form.getByLabel('VAT number').fill('4123 456 789')
  await form.getByLabel('Physical address').fill('12 Loop Street\nCape Town')
  await form.getByLabel('Guarantee').fill('Not happy with the first design? We give your money back.')
  await form.getByRole('button', { name: 'Save company details' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  expect((await settings()).company).toMatchObject({ vat: 'registered', vatNumber: '4123456789' })
  expect(await violationsIn(page, '#company')).toEqual([])
  const agent = await openSettings(PHONE, AGENT)
  await agent.getByText('VAT number: 4123456789').waitFor()
  await leave(agent)
  await leave(page)

  const visitor = await site.open('/contract/premium', { viewport: PHONE, reducedMotion: 'reduce' })
  const title = visitor.getByRole('heading', { name: 'Who you sign with' })
  await eventually(async () => {
    await visitor.reload()
    expect(await title.count()).toBe(1)
  }, 60_000)
  await visitor.getByText('Not happy with the first design?').waitFor()
  expect(await visitor.getByText('12 Loop Street, Cape Town').count()).toBe(2)
  expect(await violationsIn(visitor)).toEqual([])
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  await leave(visitor)
})

test('reviews, faces, links and texts of packages go from the settings to the pages', async () => {
  const page = await openSettings()
  const form = formOf(page, 'Showcase')
  await form.getByText('The website comes with these claims.').waitFor()
  await form.getByLabel('Rating: figure').fill('4.8')
  await form.getByLabel('Websites: figure').fill('')
  await form.getByRole('button', { name: 'Add a social link' }).click()
  await form.getByLabel('Name').fill('Facebook')
  await form.getByLabel('Address').fill('http://facebook.example')
  await form.getByRole('button', { name: 'Add a review' }).click()
  await form.getByLabel('Who said it').fill('Thandi, Nkosi Bakery')
  await form.getByLabel('Review', { exact: true }).fill('They answered within the hour.')
  await form.getByRole('button', { name: 'Add a person' }).click()
  await form.getByLabel('Role').fill('Support')
  await form.getByLabel('Name').nth(1).fill('Lerato Mokoena')
  await form.getByLabel('Photo').setInputFiles('web/public/icon-512.png')
  await form.getByRole('button', { name: 'Remove photo' }).waitFor()
  await form.getByRole('button', { name: 'Save showcase' }).click()
  await form.getByText('The address has to begin with https://').waitFor()
  await form.getByText('Write a short figure').waitFor()
  await form.getByLabel('What it counts').first().fill('')
  await form.getByLabel('Address').fill('https://facebook.example/us')
  await form.getByRole('button', { name: 'Save showcase' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()

  const texts = formOf(page, 'Package texts')
  await texts.getByText('Essential', { exact: true }).click()
  await texts.getByLabel('Who it is for').first().fill('For one-person shops.')
  await texts.getByRole('button', { name: 'Save package texts' }).click()
  await texts.getByText('Saved', { exact: true }).waitFor()
  expect(Object.keys((await settings()).packageTexts)).toEqual(['essential'])
  expect(await violationsIn(page, 'html')).toEqual([])

  const visitor = await site.open('/', { reducedMotion: 'reduce' })
  await eventually(async () => {
    await visitor.reload()
    expect(await visitor.getByText('They answered within the hour.').count()).toBe(1)
    expect(await visitor.getByText('For one-person shops.').count()).toBe(1)
    expect(await visitor.locator('dl', { hasText: 'our rating on Google' }).locator('dd').allInnerTexts()).toEqual([
      '4.8',
      '2 hours',
      '2–14 days',
      '99.9%',
      '100%',
    ])
  }, 60_000)
  expect(await visitor.getByRole('link', { name: 'Facebook' }).getAttribute('href')).toBe('https://facebook.example/us')
  const face = visitor.locator('main img[src^="/people/"]')
  await face.scrollIntoViewIfNeeded()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await violationsIn(visitor)).toEqual([])
  await visitor.getByRole('button', { name: 'Open chat' }).click()
  const chat = visitor.getByRole('region', { name: 'Live chat' })
  await chat.getByText('Lerato replies here').waitFor()
  for (const photo of await chat.locator('img[src^="/people/"]').all())
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await violationsIn(visitor, '[data-island=chat]')).toEqual([])
  await leave(visitor)
  await leave(page)
})

test('the choices of the quote form are those that owners write, live, and a hint says where the cards name other prices', async () => {
  const before = await site.open('/', { reducedMotion: 'reduce' })
  const quote = (visitor: Page) => formOf(visitor, 'Quote request')
  await quote(before).getByLabel('Package').selectOption('premium')

  const page = await openSettings()
  const form = formOf(page, 'Quote form')
  await form
    .getByText('The quote form and the cards name different prices for Essential, Professional, and Premium.')
    .waitFor()
  await form.getByText('The card says: Professional - R1,499 + R299/month').waitFor()
  await form.getByLabel('Essential').fill('Essential - R999')
  await form.getByText('name different prices for Professional and Premium.').waitFor()
  await form.getByLabel('None of them').fill('')
  await form.getByRole('button', { name: 'Save quote form' }).click()
  await form.getByText('Write something').waitFor()
  await form.getByLabel('None of them').fill('Something else')
  expect(await violationsIn(page, 'html')).toEqual([])
  await form.getByRole('button', { name: 'Write the cards’ prices' }).click()
  await expect.poll(() => form.getByText('different prices').count()).toBe(0)
  await form.getByRole('button', { name: 'Save quote form' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  const OWN = [
    'Essential - R999',
    'Professional - R1,499 + R299/month',
    'Premium - R1,499 + R499/month',
    'Something else',
  ]
  expect(Object.values((await settings()).quoteLabels)).toEqual(OWN)

  const visitor = await site.open('/', { reducedMotion: 'reduce' })
  const offered = () => quote(visitor).getByLabel('Package').locator('option').allInnerTexts()
  await eventually(async () => {
    await visitor.reload()
    expect(await offered()).toEqual(['Please choose', ...OWN])
  }, 60_000)
  // the form comes alive with the same choices
  await quote(visitor).getByLabel('Full name').fill('Ana Botha')
  await quote(visitor).getByLabel('Package').selectOption('Premium - R1,499 + R499/month')
  await quote(visitor).getByRole('button', { name: 'Request my quote' }).click()
  await quote(visitor).locator('[aria-invalid]').first().waitFor()
  expect(await offered()).toEqual(['Please choose', ...OWN])
  await leave(visitor)

  // a page of before is taken as before: what it sends is the choice itself
  for (const [label, text] of Object.entries({
    'Full name': 'Ben Older',
    Phone: '0821234567',
    Email: 'ben@older.example',
  }))
    await quote(before).getByLabel(label).fill(text)
  await expect
    .poll(() => quote(before).getByLabel('Package').locator('option:checked').innerText())
    .toBe('Premium - R450/month')
  const sent = before.waitForResponse((response) => response.url().endsWith('/api/leads'))
  await quote(before).getByRole('button', { name: 'Request my quote' }).click()
  expect(await (await sent).json()).toMatchObject({ name: 'Ben Older', package: 'premium' })
  await leave(before)
  await leave(page)
})
