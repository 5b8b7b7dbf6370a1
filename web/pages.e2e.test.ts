import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, startTestNode } from '../events/testing/node.ts'
import { violationsIn } from './testing/axe.ts'
import { afterwards, DESKTOP, PHONE, readForAWhile, startTestSite, TABLET, type TestSite } from './testing/site.ts'
import { WEIGHT_LIMITS, type Weight, weigh } from './testing/weight.ts'

const PAGES = [
  '/',
  '/contract/essential',
  '/contract/professional',
  '/contract/premium',
  '/contract/verify',
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

/** The form of a page, and what sends it. */
const FORMS: Record<string, [name: string, action: string]> = {
  '/': ['Quote request', 'Request my quote'],
  '/contract/premium': ['Premium contract', 'Sign the contract'],
  '/yourwebsiteinfo': ['Website information', 'Submit my information'],
}

const OPEN_DELAY_MS = 700

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const sidewaysOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** What axe finds, and how far the page scrolls sideways. */
const faultsOf = async (page: Page) => {
  const sideways = await sidewaysOf(page)
  return [...(await violationsIn(page)), ...(sideways > 0 ? [`scrolls sideways by ${sideways} px`] : [])]
}

test('no page has a fault that axe knows, or scrolls sideways, in a window of any width', async () => {
  const page = await site.open('/privacy', { reducedMotion: 'reduce' })
  page.on('dialog', (dialog) => dialog.accept())
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const faults: Record<string, string[]> = {}
  for (const path of PAGES) {
    await page.setViewportSize(DESKTOP)
    await page.goto(site.node.url + path)
    expect(await page.locator('h1').count(), path).toBe(1)
    faults[`${path} on a desktop`] = await faultsOf(page)
    await page.setViewportSize(TABLET)
    expect(await sidewaysOf(page), path).toBeLessThanOrEqual(0)
    await page.setViewportSize(PHONE)
    faults[`${path} on a phone`] = await faultsOf(page)
    const [name, action] = FORMS[path] ?? []
    if (!name) continue
    await afterwards(page)
    await page.getByRole('button', { name: action }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    faults[`${path} with a form that shows what is wrong`] = await violationsIn(page, `form[aria-label="${name}"]`)
  }
  expect(Object.entries(faults).filter(([, those]) => those.length > 0)).toEqual([])
  // without an id nobody is asked whether their visits may be counted, and nothing for it is loaded
  expect(await page.getByRole('region', { name: 'Counting visits' }).count()).toBe(0)
  expect(requests.filter((url) => /google|\/start-/.test(url))).toEqual([])
  await page.context().close()
})

test('the home page has no fault that axe knows in forced colours, at 200 % zoom and with motion', async () => {
  const page = await site.open('/', { reducedMotion: 'reduce', forcedColors: 'active' })
  // The browser tells axe the page's own colours of words on the system's grounds; what it draws is the system's on both.
  expect((await faultsOf(page)).filter((fault) => !/color-contrast/.test(fault))).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
  // A browser's zoom halves the window that the page sees.
  await page.setViewportSize({ width: DESKTOP.width / 2, height: DESKTOP.height / 2 })
  expect(await faultsOf(page)).toEqual([])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.setViewportSize(PHONE)
  await page.reload()
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
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

test('on paper a contract is its terms, and in a window its summary stays beside them, with the price on one line', async () => {
  const page = await site.open('/contract/premium', { reducedMotion: 'reduce' })
  await page.getByText('Questions about the contract?').scrollIntoViewIfNeeded()
  const form = page.getByRole('form')
  const summary = page.getByRole('complementary', { name: 'Summary' })
  const ends = ['R7,487 in total over the first 12 months', 'You get your website']
  const boxes = await Promise.all(ends.map((words) => summary.getByText(words).boundingBox()))
  const [top, bottom] = boxes.map((box) => box?.y ?? expect.fail())
  expect(top).toBeGreaterThan(68)
  expect(bottom).toBeLessThan(DESKTOP.height)
  const lines = await form.getByText('I have read the terms').evaluate((label) => {
    const text = label.firstChild as Text
    const range = document.createRange()
    const start = text.data.indexOf('R1,499')
    range.setStart(text, start)
    range.setEnd(text, text.data.indexOf('/month', start))
    return range.getClientRects().length
  })
  expect(lines).toBe(1)

  await page.setViewportSize({ width: 794, height: 1123 })
  await page.emulateMedia({ media: 'print' })
  for (const words of ["You can cancel with 30 days' notice after month 12.", 'If you leave', '+27 21 555 0142'])
    expect(await page.getByText(words).first().isVisible(), words).toBe(true)
  const pressed = page.locator(':is(a[data-button], button, input, select, textarea, [data-floats]):visible')
  expect(await pressed.evaluateAll((all) => all.map((it) => it.outerHTML))).toEqual([])
  expect(await page.locator(':has(> [data-island=contract-form])').last().isVisible()).toBe(false)
  await page.context().close()
})

/** What nobody reads who comes from no form. */
const AFTER_SENDING = ["We've received", 'Need us sooner?', 'You can send us texts']

test.each([true, false])(
  'the thank-you page says that something was sent to those who come from a form alone (script: %s)',
  async (javaScriptEnabled) => {
    const page = await site.open('/thanks', { javaScriptEnabled })
    const main = page.getByRole('main')
    await page.getByRole('heading', { name: 'Thank you for your interest' }).waitFor()
    for (const words of AFTER_SENDING) expect(await main.getByText(words).isVisible()).toBe(false)
    await main.getByText('Within 2 business hours', { exact: true }).waitFor()
    expect(await main.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).not.toContain('sent')
    await main.getByRole('link', { name: 'tell us what you need' }).click()
    await page.waitForURL(`${site.node.url}/#contact`)

    await page.goto(`${site.node.url}/thanks`, { referer: `${site.node.url}/contract/premium` })
    await page.getByText("We've received your request. Here's what happens next.").waitFor()
    for (const words of AFTER_SENDING) expect(await main.getByText(words).isVisible()).toBe(true)
    await page.getByText('You hear from us, with your quote if you asked for one').waitFor()
    if (!javaScriptEnabled) {
      await page.getByRole('listitem').getByText('Within 2 business hours', { exact: true }).waitFor()
      return await page.context().close()
    }

    const review = page.getByRole('listitem').filter({ hasText: 'We review what you sent us' })
    await review.getByText(/^(Today|Tomorrow|On [A-Z][a-z]+day) before \d\d:\d\d$/).waitFor()
    await page.getByText('We reply within 2 hours during business hours: Mon-Fri 8AM-6PM SAST.').waitFor()
    const hrefOf = (name: string) => main.getByRole('link', { name }).getAttribute('href')
    expect(await hrefOf('Call')).toBe('tel:+27215550142')
    expect(await hrefOf('Email')).toBe('mailto:hello@karoowebstudio.example')
    expect(await hrefOf('WhatsApp')).toMatch(/^https:\/\/wa\.me\/27825550142\?text=/)
    expect(await hrefOf('Back to home')).toBe('/')
    const known = await page.locator('[data-reply-by]').innerText()
    // what is known later moves nothing
    for (const viewport of [PHONE, TABLET, DESKTOP]) {
      await page.setViewportSize(viewport)
      const heights = await page.locator('[data-reply-by]').evaluate(
        (it, texts) =>
          texts.map((text) => {
            it.textContent = text
            return document.documentElement.scrollHeight
          }),
        ['Within 2 business hours', known],
      )
      expect(heights[0]).toBe(heights[1])
      if (viewport !== TABLET) expect(await violationsIn(page)).toEqual([])
    }

    await page.evaluate(() => sessionStorage.setItem('sent-reference', '"ABCD-1234"'))
    await page.reload()
    for (const words of ['You hear from us about your answers', "We've received your answers.", 'ABCD-1234'])
      await page.getByText(words).waitFor()
    expect(await main.getByText('quote').count()).toBe(0)
    await page.context().close()
  },
)

test('without a network chat, menu and forms say so with what was typed, and work once there is one again', async () => {
  const page = await site.open('/', { viewport: PHONE, reducedMotion: 'reduce' })
  await afterwards(page)
  const chat = page.getByRole('button', { name: 'Open chat' })
  const note = page.getByRole('alert').filter({ hasText: 'You seem to be offline.' })
  const form = page.getByRole('form', { name: 'Quote request' })
  const send = form.getByRole('button', { name: 'Request my quote' })
  await page.context().setOffline(true)
  await chat.click()
  expect(await note.getByRole('link').getAttribute('href')).toBe('tel:+27215550142')
  expect(await violationsIn(page)).toEqual([])

  // the browser checks the form where its code is out of reach
  await form.getByLabel('Full name').fill('Thandi Nkosi')
  await form.getByLabel('Email').fill('thandi@example.co.za')
  await form.getByLabel('Phone').pressSequentially('082')
  await send.click()
  await page.waitForFunction(() => document.activeElement?.matches('[name=phone]:invalid'))
  await form.getByLabel('Phone').pressSequentially(' 555 0142')
  await send.click()
  await note.waitFor()
  expect(await form.getByLabel('Full name').inputValue()).toBe('Thandi Nkosi')

  await page.context().setOffline(false)
  await note.waitFor({ state: 'detached' })
  await readForAWhile(page)
  await send.click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('Message Sent Successfully!').waitFor()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  await page.keyboard.press('Escape')

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

/** Stands for the service's script: reports whatever the page tells it, as the real one does. */
const TAG = `
  const report = (entry) => fetch('https://www.google-analytics.com/g/collect', {
    method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify([...entry]),
  })
  dataLayer.forEach(report)
  dataLayer.push = (entry) => report(entry)`

test('visits are counted only after consent, which a bar asks for that covers no floating button', async () => {
  const node = await startTestNode(site.stores, { ANALYTICS_ID: 'G-TEST123' })
  const context = await site.browser.newContext({ viewport: DESKTOP })
  const tags: string[] = []
  const told: unknown[][] = []
  await context.route(/googletagmanager|google-analytics/, async (route) => {
    const request = route.request()
    if (request.method() === 'POST') {
      told.push(JSON.parse(request.postData() ?? '[]'))
      return await route.fulfill({ status: 204 })
    }
    tags.push(request.url())
    await route.fulfill({ contentType: 'text/javascript', body: TAG })
  })
  const namesTold = () => told.map(([command, name]) => (command === 'event' ? name : command))
  const page = await context.newPage()
  const refusals: string[] = []
  page.on('console', (message) => message.type() === 'error' && refusals.push(message.text()))
  await page.goto(node.url)
  const bar = page.getByRole('region', { name: 'Counting visits' })
  await bar.waitFor()
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 780 })
    const consent = (await bar.boundingBox()) ?? expect.fail('There is no bar')
    expect(consent.x + consent.width).toBeLessThanOrEqual(width)
    const floating = await page.evaluate(() =>
      [...document.querySelectorAll('a,button')]
        .filter((each) => !each.closest('#consent') && getComputedStyle(each).position === 'fixed')
        .map((each) => each.getBoundingClientRect().toJSON()),
    )
    expect(floating.length).toBeGreaterThan(0)
    for (const { x, y, width: w, height: h } of floating) {
      const isApart =
        x >= consent.x + consent.width || x + w <= consent.x || y >= consent.y + consent.height || y + h <= consent.y
      expect(isApart, `at ${width} px`).toBe(true)
    }
  }
  // the one answer is as easy as the other
  const [no, yes] = await Promise.all((await bar.getByRole('button').all()).map((each) => each.boundingBox()))
  expect(no?.width).toBe(yes?.width)
  const call = page.locator('a[href^="tel:"]:visible').first()
  await call.evaluate((link) => {
    link.addEventListener('click', (event) => event.preventDefault())
    ;(link as HTMLElement).click()
  })
  expect([tags, told]).toEqual([[], []])

  await bar.getByRole('button', { name: 'Allow' }).click()
  await eventually(() => expect(namesTold()).toEqual(['js', 'config']))
  expect(tags).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-TEST123'])
  expect(told[1]).toEqual(['config', 'G-TEST123', { page_path: '/' }])
  await call.click()
  await eventually(() => expect(namesTold()).toContain('phone_click'))

  const form = page.getByRole('form', { name: 'Quote request' })
  await form.getByLabel('Full name').fill('Naledi Dlamini')
  await form.getByLabel('Email').fill('naledi@dlamini.example')
  await form.getByLabel('Phone').fill('082 555 0199')
  await form.getByRole('button').click()
  await page.getByText('Message Sent Successfully!').first().waitFor()
  await eventually(() => expect(namesTold()).toEqual(expect.arrayContaining(['form_submit', 'generate_lead'])))

  await page.locator('a[href="/contract/professional"]').first().click()
  await page.waitForURL('**/contract/professional')
  await eventually(() =>
    expect(told).toEqual(
      expect.arrayContaining([
        ['event', 'package_click', { event_category: 'packages', event_label: 'professional', value: 1499 }],
        ['config', 'G-TEST123', { page_path: '/contract/professional' }],
        ['event', 'view_item', { event_category: 'packages', event_label: 'professional', value: 1499 }],
      ]),
    ),
  )
  expect(await bar.count()).toBe(0)
  expect(JSON.stringify(told)).not.toMatch(/naledi|Dlamini|0199/i)
  expect(refusals).toEqual([])
  await context.close()
  await node.stop()
})

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const chatOf = (page: Page) => page.getByRole('region', { name: 'Live chat' })
const openMenu = async (page: Page) => {
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menuOf(page).waitFor()
}
const isAt = (page: Page, address: string) => expect.poll(() => page.url()).toBe(site.node.url + address)

/** Opens a phone's browser. Each page there is opened after another one, so that a way back too many shows. */
const openPhone = async () => {
  const page = await site.open('/privacy', { viewport: PHONE, reducedMotion: 'reduce', hasTouch: true })
  const openAfterPrivacy = async (path: string) => {
    await isAt(page, '/privacy')
    await page.goto(site.node.url + path)
    await afterwards(page)
  }
  return { page, openAfterPrivacy }
}

test('Back closes the menu or the chat and stays on the page; Forward and a reload keep it open; a second Back leaves', async () => {
  const { page, openAfterPrivacy } = await openPhone()
  await openAfterPrivacy('/contract/premium')
  await openMenu(page)
  const leftOf = (selector: string) => page.locator(selector).evaluate((it) => it.getBoundingClientRect().x)
  expect(await leftOf('#menu-entries li:first-child')).toBe(await leftOf('header > div > a'))
  await page.goBack()
  await menuOf(page).waitFor({ state: 'hidden' })
  await isAt(page, '/contract/premium')
  await page.goForward()
  await menuOf(page).waitFor()
  await page.reload()
  await menuOf(page).waitFor()
  await page.goBack()
  await menuOf(page).waitFor({ state: 'hidden' })
  await isAt(page, '/contract/premium')
  await page.goBack()

  // the chat opens over the open menu: Back closes the one, then leaves
  await openAfterPrivacy('/contract/premium')
  await openMenu(page)
  await page.getByRole('button', { name: 'Open chat' }).tap()
  await page.getByLabel('Your name').waitFor()
  expect(await menuOf(page).count()).toBe(0)
  await page.waitForFunction(() => history.state?.overlay === 'chat')
  await page.goBack()
  await chatOf(page).waitFor({ state: 'hidden' })
  await isAt(page, '/contract/premium')
  expect(await menuOf(page).count()).toBe(0)
  await page.goForward()
  await page.getByLabel('Your name').waitFor()
  await page.goBack()
  await chatOf(page).waitFor({ state: 'hidden' })
  await page.goBack()

  // two ways back at once close the menu and leave the page
  await openAfterPrivacy('/contract/premium')
  await openMenu(page)
  await Promise.all([
    page.waitForURL('**/privacy'),
    page.evaluate('setTimeout(() => [history.back(), history.back()])'),
  ])

  // a page that was scrolled below the open menu stays where it is on the way back
  await openAfterPrivacy('/')
  await openMenu(page)
  await page.evaluate(() => scrollTo(0, 900))
  await page.goBack()
  await menuOf(page).waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => [scrollY, history.scrollRestoration])).toEqual([900, 'auto'])
  await page.context().close()
})

test('no other way of closing the menu, and no link, leaves an entry of it', async () => {
  const { page, openAfterPrivacy } = await openPhone()
  await openAfterPrivacy('/contract/premium')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close menu' }).click(),
    () => page.mouse.click(4, 600),
  ]) {
    await openMenu(page)
    await close()
    await menuOf(page).waitFor({ state: 'hidden' })
  }
  await page.waitForFunction(() => !history.state?.overlay)
  await page.goBack()

  for (const from of ['/contract/premium', '/']) {
    await openAfterPrivacy(from)
    await openMenu(page)
    await menuOf(page).getByRole('link', { name: 'Pricing' }).click()
    await isAt(page, '/#pricing')
    await page.waitForFunction(() => {
      const { top, bottom } = (document.querySelector('#pricing') as Element).getBoundingClientRect()
      return top < innerHeight / 2 && bottom > 0
    })
    await menuOf(page).waitFor({ state: 'hidden' })
    await page.goBack()
    await isAt(page, from)
    expect(await menuOf(page).count()).toBe(0)
    await page.goBack()
  }

  // nor does a link beside the open menu
  await openAfterPrivacy('/')
  await openMenu(page)
  await page.getByRole('navigation', { name: 'Contact us' }).getByRole('link', { name: 'Get a quote' }).click()
  await isAt(page, '/#contact')
  await menuOf(page).waitFor({ state: 'hidden' })
  await page.goBack()
  await isAt(page, '/')
  await page.goBack()
  await isAt(page, '/privacy')
  await page.context().close()
})

const isOpen = (element: Locator) => element.evaluate((it) => getComputedStyle(it, '::after').opacity === '1')

/** Points at an element and answers after how many milliseconds, and frames, its tooltip is there. */
const opensAfter = async (page: Page, element: Locator) => {
  const opened = element.evaluate(
    (it) =>
      new Promise<{ ms: number; frames: number }>((resolve) => {
        let begin = Number.NaN
        let frames = 0
        // by the event's own time: a busy machine hands it over late
        it.addEventListener('mouseenter', ({ timeStamp }) => {
          begin = timeStamp
        })
        const look = () => {
          if (getComputedStyle(it, '::after').opacity === '1') return resolve({ ms: performance.now() - begin, frames })
          if (begin) frames += 1
          requestAnimationFrame(look)
        }
        look()
      }),
  )
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await element.hover()
  return await opened
}

test('a tooltip waits 700 ms, the next one beside it does not, nor one that is reached by the keyboard', async () => {
  const page = await site.open('/thanks')
  const chat = page.getByRole('button', { name: 'Open chat' })
  const whatsapp = page.getByRole('link', { name: 'Message us on WhatsApp (new tab)' }).last()
  expect(await isOpen(chat)).toBe(false)
  expect((await opensAfter(page, chat)).ms).toBeGreaterThan(OPEN_DELAY_MS - 20)
  // frames, since a busy machine may take long for one
  expect((await opensAfter(page, whatsapp)).frames).toBeLessThan(5)
  expect(await isOpen(chat)).toBe(false)
  await page.mouse.move(10, 10)
  await page.keyboard.press('Shift+Tab')
  await chat.focus()
  expect(await isOpen(chat)).toBe(true)
  await page.context().close()
})

test('a toast stands at the top of a phone, above the bar of a tablet, and at the bottom right of a desktop, until it is swiped away', async () => {
  const page = await site.open('/test-form', { viewport: PHONE })
  const toast = page.getByRole('alert').filter({ hasText: 'Submission Failed' })
  const boxOf = async (element: Locator) => (await element.boundingBox()) ?? expect.fail('There is nothing to see')
  await page.route('**/api/email-activation', (route) => route.fulfill({ status: 500, body: 'no' }))
  // a toast stays: no time passes
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Send test submission' }).click()
  await toast.waitFor()
  expect((await boxOf(toast)).y).toBeLessThan(40)

  await page.setViewportSize(TABLET)
  const onTablet = await boxOf(toast)
  const bar = await boxOf(page.getByRole('navigation', { name: 'Contact us' }))
  expect(onTablet.y + onTablet.height).toBeLessThan(bar.y)

  await page.setViewportSize(DESKTOP)
  const box = await boxOf(toast)
  expect(box.width).toBeLessThanOrEqual(420)
  const chat = await boxOf(page.getByRole('button', { name: 'Open chat' }))
  expect(box.x + box.width).toBeGreaterThan(DESKTOP.width - 100)
  expect(box.x + box.width).toBeLessThan(chat.x)
  expect(box.y + box.height).toBeGreaterThan(DESKTOP.height - 40)

  const swipe = async (pixels: number) => {
    const [x, y] = [box.x + 40, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + pixels, y, { steps: 5 })
    await page.mouse.up()
  }
  await swipe(45)
  expect(await toast.count()).toBe(1)
  await page.keyboard.press('F8')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Notifications (F8)')
  await swipe(70)
  await toast.waitFor({ state: 'detached' })
  await page.context().close()
})
