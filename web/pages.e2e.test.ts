import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsIn } from './test-axe.ts'
import { afterwards, DESKTOP, PHONE, readForAWhile, startTestSite, TABLET, type TestSite } from './test-site.ts'
import { WEIGHT_LIMITS, type Weight, weigh } from './test-weight.ts'

const PAGES = [
  '/',
  '/contract/essential',
  '/contract/professional',
  '/contract/premium',
  '/yourwebsiteproject',
  '/yourwebsiteinfo',
  '/thanks',
  '/test-form',
  '/privacy',
  '/work/bakery',
  '/work/plumber',
  '/work/guesthouse',
  '/no-such-page',
]

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

describe.each(PAGES)('the page %s', (path) => {
  test.each([PHONE, TABLET, DESKTOP])(
    'has no fault that axe knows, and no sideways scroll, at $width px',
    async (viewport) => {
      const page = await site.open(path, { viewport, reducedMotion: 'reduce' })
      expect(await violationsIn(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await page.locator('h1').count()).toBe(1)
      await page.context().close()
    },
  )
})

test.each(['/', '/contract/professional', '/yourwebsiteinfo', '/work/bakery'])(
  '%s weighs no more than it may',
  async (path) => {
    const weight = await weigh(site.browser, site.node.url + path)
    for (const [part, limit] of Object.entries(WEIGHT_LIMITS)) {
      expect(weight[part as keyof Weight], part).toBeLessThanOrEqual(limit)
    }
  },
)

test.each([
  // The browser tells axe the page's own colours of words on the system's grounds; what it draws is the system's on both.
  ['in forced colours', { viewport: DESKTOP, forcedColors: 'active' as const }, /color-contrast/],
  // A browser's zoom halves the window that the page sees.
  ['at 200 % zoom', { viewport: { width: DESKTOP.width / 2, height: DESKTOP.height / 2 }, deviceScaleFactor: 2 }, /^$/],
  ['with motion', { viewport: PHONE, reducedMotion: 'no-preference' as const }, /^$/],
])('the home page has no fault that axe knows %s', async (_, options, notJudged) => {
  const page = await site.open('/', { reducedMotion: 'reduce', ...options })
  expect((await violationsIn(page)).filter((violation) => !notJudged.test(violation))).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.context().close()
})

test.each([
  ['/', 'Request my quote'],
  ['/contract/premium', 'Submit contract'],
  ['/yourwebsiteinfo', 'Submit my information'],
])('a form of %s that shows what is wrong has no fault that axe knows either', async (path, action) => {
  const page = await site.open(path, { viewport: PHONE, reducedMotion: 'reduce' })
  page.on('dialog', (dialog) => dialog.accept())
  await page.getByRole('button', { name: action }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.context().close()
})

test('an address without a page says so, with its status', async () => {
  const page = await site.open('/')
  const answer = await page.goto(`${site.node.url}/no-such-page`)
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
  await page.getByText('Did you forget to add the page to the router?', { exact: true }).waitFor()
  const links = page.getByRole('main').getByRole('link')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    '/#pricing',
    '/#portfolio',
    '/#contact',
    '/',
  ])
  await page.context().close()
})

/** Opens the thank-you page as a form leads to it. */
const openThanks = (options?: BrowserContextOptions) =>
  site.open('/thanks', { extraHTTPHeaders: { referer: `${site.node.url}/contract/premium` }, ...options })

test('the thank-you page tells the next steps and every way to the agency', async () => {
  const page = await openThanks()
  const review = page.getByRole('listitem').filter({ hasText: 'We review what you sent us' })
  await review.getByText(/^(Today|Tomorrow|On [A-Z][a-z]+day) by \d+(:\d\d)?[AP]M$/).waitFor()
  await page.getByText('We reply within 2 hours during business hours: Mon-Fri 8AM-6PM SAST.').waitFor()
  for (const text of ['Within 24 hours', 'Within 48 hours', '2–14 days']) await page.getByText(text).first().waitFor()
  const hrefOf = (name: string) => page.getByRole('main').getByRole('link', { name }).getAttribute('href')
  expect(await hrefOf('Call')).toBe('tel:+27215550142')
  expect(await hrefOf('Email')).toBe('mailto:hello@karoowebstudio.example')
  expect(await hrefOf('WhatsApp')).toMatch(/^https:\/\/wa\.me\/27825550142\?text=/)
  expect(await hrefOf('Back to home')).toBe('/')
  await page.context().close()
})

test.each([true, false])(
  'who opens the thank-you page without a form is not told that one was sent (script: %s)',
  async (javaScriptEnabled) => {
    const page = await site.open('/thanks', { javaScriptEnabled })
    await page.getByRole('heading', { name: 'Thank you for your interest' }).waitFor()
    const main = page.getByRole('main')
    for (const words of ["We've received", 'Need us sooner?', 'You can send us texts'])
      expect(await main.getByText(words).isVisible()).toBe(false)
    await main.getByText('Within 2 business hours', { exact: true }).waitFor()
    expect(await main.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).not.toContain('sent')
    expect(await main.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
    await main.getByRole('link', { name: 'tell us what you need' }).click()
    await page.waitForURL(`${site.node.url}/#contact`)
    await page.context().close()
  },
)

test('the thank-you page speaks of answers, and of no quote, after the questionnaire', async () => {
  const page = await openThanks()
  const sayings = ['You hear from us, with your quote if you asked for one', "We've received your request."]
  for (const words of sayings) await page.getByText(words).waitFor()
  await page.evaluate(() => sessionStorage.setItem('sent-reference', 'ABCD-1234'))
  await page.reload()
  for (const words of ['You hear from us about your answers', "We've received your answers.", 'ABCD-1234'])
    await page.getByText(words).waitFor()
  expect(await page.getByRole('main').getByText('quote').count()).toBe(0)
  await page.context().close()
})

test('the thank-you page says without script that the two hours are business hours, and moves nothing once it knows', async () => {
  const plain = await openThanks({ javaScriptEnabled: false })
  await plain.getByText("We've received your request. Here's what happens next.").waitFor()
  await plain.getByRole('listitem').getByText('Within 2 business hours', { exact: true }).waitFor()
  await plain.context().close()

  for (const viewport of [PHONE, TABLET, DESKTOP]) {
    const page = await openThanks({ viewport })
    expect(await violationsIn(page)).toEqual([])
    const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight)
    await page.locator('[data-reply-by]', { hasText: ' by ' }).waitFor()
    const known = await heightOf()
    await page.locator('[data-reply-by]').evaluate((it) => {
      it.textContent = 'Within 2 business hours'
    })
    expect(await heightOf()).toBe(known)
    await page.context().close()
  }
})

test('the project page has four cards, a list, and a way to the quote form', async () => {
  const page = await site.open('/yourwebsiteproject', { reducedMotion: 'reduce' })
  expect(
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') })
      .count(),
  ).toBe(4)
  await page.getByRole('heading', { name: "What's included" }).waitFor()
  await page.getByRole('link', { name: 'Get Your Quote' }).first().click()
  await page.waitForURL(`${site.node.url}/#contact`)
  await page.context().close()
})

test('the activation page asks for a test submission, and says when it cannot', async () => {
  const page = await site.open('/test-form')
  const button = page.getByRole('button', { name: 'Send test submission' })
  await button.click()
  await page.getByText('The test submission is on its way. Check both inboxes.').waitFor()
  for (const [status, words] of [
    [429, 'Only a few tests an hour are sent. Please try again later.'],
    [500, 'Please try again or contact us directly at hello@karoowebstudio.example'],
  ] as const) {
    await page.route('**/api/email-activation', (route) => route.fulfill({ status, body: 'no' }))
    await button.click()
    await page.getByRole('alert').getByText(words).waitFor()
    await page.unroute('**/api/email-activation')
  }
  await page.context().close()
})

test('every form says what is collected and why, and leads to the privacy page', async () => {
  for (const path of ['/', '/contract/essential', '/yourwebsiteinfo']) {
    const page = await site.open(path)
    for (const form of await page.getByRole('form').all()) {
      expect(await form.getByText(/^We use /).count()).toBe(1)
      expect(await form.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe('/privacy')
    }
    await page.context().close()
  }
})

/** Opens a page as far as it goes without a touch. */
const openUntouched = async (path: string) => {
  const page = await site.open(path, { viewport: PHONE, reducedMotion: 'reduce' })
  await afterwards(page)
  return page
}

test('without a network chat and menu say so, and they open once there is one again', async () => {
  const page = await openUntouched('/')
  const chat = page.getByRole('button', { name: 'Open chat' })
  const note = page.getByRole('alert').filter({ hasText: 'You seem to be offline.' })
  await page.context().setOffline(true)
  await chat.click()
  expect(await note.getByRole('link').getAttribute('href')).toBe('tel:+27215550142')
  expect(await violationsIn(page)).toEqual([])
  await page.context().setOffline(false)
  await note.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  // a network that fails though the device says that there is one
  await page.route('**/assets/**', (route) => route.abort('connectionreset'))
  await chat.click()
  await note.waitFor()
  await page.unroute('**/assets/**')
  await chat.click()
  await page.getByLabel('Your name').waitFor()
  expect(await note.count()).toBe(0)
  await page.context().close()
})

test('without a network a form stays with what was typed, and the browser checks it where its code is out of reach', async () => {
  const page = await openUntouched('/')
  const form = page.getByRole('form', { name: 'Quote request' })
  const send = form.getByRole('button', { name: 'Request my quote' })
  await page.context().setOffline(true)
  await form.getByLabel('Full name').fill('Thandi Nkosi')
  await form.getByLabel('Email').fill('thandi@example.co.za')
  await form.getByLabel('Phone').pressSequentially('082')
  await send.click()
  await page.waitForFunction(() => document.activeElement?.matches('[name=phone]:invalid'))
  await form.getByLabel('Phone').pressSequentially(' 555 0142')
  await send.click()
  await page.getByRole('alert').getByText('You seem to be offline.').waitFor()
  expect(await form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')
  await page.context().setOffline(false)
  await readForAWhile(page)
  await send.click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('Message Sent Successfully!').waitFor()
  await page.context().close()
})
