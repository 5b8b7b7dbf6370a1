import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import { violationsIn } from '../../testing/axe.ts'
import { GREETED, GREETING, htmlOf, setGreeting } from '../../testing/chat/greeting.ts'
import { IN_HOURS, openTestSite, type TestSite } from '../../testing/chat/site.ts'
import { openTestStaff, type TestStaff } from '../../testing/chat/staff.ts'
import { button, chatOf, end, inputOf, logOf, say, seriousOf, start, textsOf } from '../../testing/chat/widget.ts'
import { keepOwnClock } from '../../testing/clock.ts'

const PHONE = { width: 360, height: 640 }
const DESKTOP = { width: 1440, height: 900 }
const WINDOWS = [DESKTOP, { width: 768, height: 1024 }, PHONE]
const AFTER_HOURS = new Date('2026-11-18T20:00:00+02:00')

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff?.close()
  await site?.close()
})

const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

/** Waits until the focus is on an element. */
const hasFocus = (locator: Locator) =>
  eventually(async () => expect(await locator.evaluate((element) => element === document.activeElement)).toBe(true))

/** Nothing in the chat is wider than it. */
const overflows = (page: Page) =>
  chatOf(page).evaluate((chat) =>
    [chat, ...chat.querySelectorAll('*')]
      .filter((element) => !element.matches('[role=status], textarea, svg *') && element.clientWidth > 0)
      .filter(
        (element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline',
      )
      .map((element) => element.outerHTML.slice(0, 120)),
  )

test('The chat loads no script before the page has loaded, and works without HTTPS and storage', async () => {
  const page = await site.openPage({ path: 'about:blank' })
  const early: string[] = []
  const errors: string[] = []
  let isLoaded = false
  page.once('load', () => {
    isLoaded = true
  })
  page.on('request', (request) => {
    // requests that pages make after loading may be reported before the load event
    const isAfterwards = request.url().includes('/assets/afterwards-')
    if (!isLoaded && request.resourceType() === 'script' && !isAfterwards) early.push(request.url())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Denied', 'SecurityError')
      },
    })
    Object.defineProperty(crypto, 'randomUUID', { value: undefined })
  })
  await page.clock.install({ time: IN_HOURS })
  await keepOwnClock(page)
  await page.goto('/')
  expect(early).toEqual([])
  expect(isLoaded).toBe(true)
  const sessionId = await start(staff, page, 'Private')
  await say(page, 'Hello')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Hello']))
  await page.clock.fastForward(61_000)
  await chatOf(page).getByText('Nobody has been free to answer yet.').waitFor()
  expect(await seriousOf(page)).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

test('On a computer everything works by keyboard alone, in a window that gives way to the page', async () => {
  const page = await site.openPage({ viewport: DESKTOP })
  const input = inputOf(page)
  await button(page, 'Chat Now').first().click()
  await hasFocus(page.locator('#chat-question'))
  expect(await chatOf(page).boundingBox()).toMatchObject({ width: 384, height: 500 })
  // all fields are in sight without scrolling
  const emailHint = await boxOf(page.locator('#chat-email-hint'))
  expect(emailHint.y + emailHint.height).toBeLessThan((await boxOf(button(page, 'Start Chat'))).y)
  await page.keyboard.press('Escape')
  await hasFocus(page.locator('[data-opens-chat]').first())
  await button(page, 'Open chat').focus()
  await page.keyboard.press('Enter')
  await hasFocus(page.locator('#chat-question'))
  await page.keyboard.press('Enter')
  await hasFocus(page.locator('#chat-name'))
  await page.keyboard.press('Enter')
  await chatOf(page).getByText('Please enter your name to start chatting.').waitFor()
  expect(await seriousOf(page)).toEqual([])
  await page.keyboard.type('Keys')
  await page.keyboard.press('Enter')
  await hasFocus(input)
  const sessionId = await staff.sessionOf('Keys')
  await page.keyboard.type('first')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second')
  await page.keyboard.press('Enter')
  const texts = ['مرحبا، كم السعر؟', 'x'.repeat(4_000)]
  for (const text of texts) await say(page, text)
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['first\nsecond', ...texts]))
  await eventually(async () => expect((await textsOf(page)).slice(1)).toEqual(['first\nsecond', ...texts]))
  const arabic = logOf(page).getByText('مرحبا')
  expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  expect(await logOf(page).evaluate((log) => log.scrollWidth <= log.clientWidth)).toBe(true)
  await staff.answer(sessionId, 'Look at https://example.co.za/shop')
  await logOf(page).getByRole('link', { name: 'https://example.co.za/shop' }).waitFor()
  expect(await seriousOf(page)).toEqual([])

  await input.fill('half a thou')
  await page.goto(GREETED)
  await eventually(async () => expect(await input.inputValue()).toBe('half a thou'))
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)

  await button(page, 'Minimise chat').focus()
  await page.keyboard.press('Enter')
  await hasFocus(button(page, 'Expand chat'))
  expect(await chatOf(page).boundingBox()).toMatchObject({ width: 320, height: 64 })
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await chatOf(page).evaluate((chat) => getComputedStyle(chat).outlineColor)).not.toBe('rgba(0, 0, 0, 0)')
  await page.emulateMedia({ forcedColors: 'none' })
  await staff.answer(sessionId, 'Still there?')
  await chatOf(page).getByText('1', { exact: true }).waitFor()
  expect(await seriousOf(page)).toEqual([])
  await chatOf(page).click({ position: { x: 40, y: 20 } })
  await hasFocus(input)
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Open chat'))
  await staff.answer(sessionId, 'Good night')
  await button(page, 'Open chat, 1 unread').waitFor()
  expect(await seriousOf(page)).toEqual([])

  // it gives way to a field that it covers, and to no other
  await page.goto('/')
  await button(page, 'Open chat, 1 unread').click()
  await input.waitFor()
  const form = page.getByRole('form', { name: 'Free consultation' })
  const phone = form.getByLabel('Phone')
  await phone.evaluate((field) =>
    scrollTo({ top: scrollY + field.getBoundingClientRect().top - 600, behavior: 'instant' }),
  )
  await form.getByLabel('Full name').focus()
  expect(await input.isVisible()).toBe(true)
  await phone.focus()
  await button(page, 'Expand chat').waitFor()
  expect((await boxOf(chatOf(page))).height).toBe(64)
  // nor does it cover one that the page has to scroll to
  await button(page, 'Expand chat').click()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await phone.focus()
  await button(page, 'Expand chat').waitFor()
  await page.context().close()
})

test('On a phone the chat has its place in the bar, and opens over the whole window', async () => {
  const page = await site.openPage({ viewport: PHONE })
  const bar = page.getByRole('navigation', { name: 'Contact us' })
  const chat = await boxOf(button(page, 'Open chat'))
  const whatsapp = await boxOf(bar.getByRole('link', { name: 'WhatsApp (new tab)' }))
  const quote = await boxOf(bar.getByRole('link', { name: 'Get a quote' }))
  expect(whatsapp.x + whatsapp.width).toBeLessThanOrEqual(chat.x)
  expect(chat.x + chat.width).toBeLessThanOrEqual(quote.x)
  expect(chat.y).toBeGreaterThanOrEqual((await boxOf(bar)).y)
  expect(Math.min(chat.width, chat.height)).toBeGreaterThanOrEqual(44)

  // the page below the sheet neither scrolls nor takes the focus
  await button(page, 'Chat Now').first().scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate(() => scrollY)
  await button(page, 'Chat Now').first().click()
  await page.getByLabel('Your name').waitFor()
  expect(await boxOf(chatOf(page))).toEqual({ x: 0, y: 0, ...PHONE })
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('hidden')
  expect(await violationsIn(page)).toEqual([])
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-island=chat], body')?.tagName)
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    // between the last and the first, the focus is on the browser itself
    expect(['DIV', 'BODY']).toContain(await focused())
  }
  await button(page, 'Close chat').click()
  await hasFocus(button(page, 'Chat Now').first())
  expect(await page.evaluate(() => scrollY)).toBe(scrolled)

  // a minimised chat leaves the window to the page
  await start(staff, page, 'Phone')
  expect(await boxOf(chatOf(page))).toEqual({ x: 0, y: 0, ...PHONE })
  await button(page, 'Minimise chat').click()
  await page.getByRole('main').waitFor()
  const box = await boxOf(chatOf(page))
  expect(box).toMatchObject({ width: 320, height: 64 })
  expect(box.y + box.height).toBeLessThanOrEqual((await boxOf(bar)).y)
  // the links take the launcher's place
  const links = await Promise.all((await bar.getByRole('link').all()).map(boxOf))
  expect(links.map(({ width }) => Math.round(width))).toEqual([108, 108, 144])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  // the end of the page comes into sight above it, and a form that is filled in has the window for itself
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  const last = page.getByRole('contentinfo').getByRole('link', { name: 'Your website project' })
  await expect.poll(async () => (await boxOf(last)).y + (await boxOf(last)).height).toBeLessThan(box.y)
  await page.getByRole('form', { name: 'Quote request' }).getByLabel('Full name').focus()
  await chatOf(page).waitFor({ state: 'hidden' })
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await chatOf(page).waitFor()

  // Back closes an open chat, also one that was there before
  await button(page, 'Expand chat').click()
  await logOf(page).waitFor()
  await page.reload()
  await logOf(page).waitFor()
  await page.goBack()
  await button(page, 'Open chat').click()
  await logOf(page).waitFor()
  await page.goto('/privacy')
  await logOf(page).waitFor()
  await page.goBack()
  await button(page, 'Open chat').click()
  await inputOf(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/privacy')

  // a keyboard that covers half of the window leaves all of the chat in sight
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, 'height', { value: 300, configurable: true })
    Object.defineProperty(visualViewport, 'offsetTop', { value: 40, configurable: true })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  await eventually(async () => expect(await boxOf(chatOf(page))).toEqual({ x: 0, y: 40, width: 360, height: 300 }))
  const input = await boxOf(inputOf(page))
  expect(input.y + input.height).toBeLessThanOrEqual(340)
  await page.context().close()
})

test('On a phone the greeting is above the bar and opens the chat; Back and Forward leave no entry behind', async () => {
  const before = await htmlOf(site, '/')
  expect(await htmlOf(site, GREETED)).not.toContain('greeting')
  await setGreeting(site)
  expect(await htmlOf(site, '/')).toBe(before)

  const page = await site.openPage({
    viewport: PHONE,
    path: '/privacy',
    prepare: (opened) => opened.emulateMedia({ reducedMotion: 'reduce' }),
  })
  const bubble = page.getByRole('complementary', { name: 'Message from our team' })
  await page.goto(GREETED)
  await bubble.getByText(GREETING).waitFor()
  const [box, bar] = await Promise.all([boxOf(bubble), boxOf(page.getByRole('navigation', { name: 'Contact us' }))])
  expect(box.y + box.height).toBeLessThanOrEqual(bar.y)
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  expect(await bubble.evaluate((it) => getComputedStyle(it).animationName)).toBe('none')
  expect(await violationsIn(page, '#greeting')).toEqual([])
  await bubble.getByRole('button', { name: GREETING }).click()
  await chatOf(page).getByText(GREETING).waitFor()
  expect(await bubble.count()).toBe(0)
  expect(await seriousOf(page)).toEqual([])

  const isOpen = (isShown: boolean) =>
    eventually(async () => expect(await page.getByLabel('Your name').count()).toBe(isShown ? 1 : 0))
  const isOn = (path: string) => eventually(() => expect(new URL(page.url()).pathname).toBe(path))
  await isOpen(true)
  await page.goBack()
  await isOpen(false)
  await page.goForward()
  await isOpen(true)
  await page.reload()
  await isOpen(true)
  for (const close of [
    () => button(page, 'Close chat').click(),
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
  ]) {
    await isOpen(true)
    await close()
    await isOpen(false)
    await button(page, 'Open chat').click()
  }
  await isOpen(true)
  // away from the open sheet, and back to it
  await chatOf(page).getByRole('link', { name: 'Privacy' }).click()
  await isOn('/privacy')
  await page.goBack()
  await isOn(GREETED)
  await isOpen(true)
  await page.goBack()
  await isOpen(false)
  await isOn(GREETED)
  expect(await bubble.count()).toBe(0)
  await page.goBack()
  await isOn('/privacy')
  await page.context().close()
})

test('At every width every state is whole and accessible, after hours too', async () => {
  const page = await site.openPage({ viewport: PHONE, now: AFTER_HOURS })
  /** Checks a state at each width; the last one is a phone's. */
  const isWhole = async (look: (viewport: { width: number }) => Promise<void> = async () => {}) => {
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport)
      expect(await overflows(page)).toEqual([])
      await look(viewport)
    }
    expect(await seriousOf(page)).toEqual([])
  }
  await button(page, 'Open chat').click()
  await chatOf(page).getByText('We’re back tomorrow at 08:00').waitFor()
  await chatOf(page).getByText('We are away now: we will reply to this address or number.').waitFor()
  await isWhole(async ({ width }) => {
    if (width !== DESKTOP.width) return
    // visible without scrolling, since the reply comes by email
    const email = await boxOf(page.getByLabel('Email or phone (optional)'))
    expect(email.y + email.height).toBeLessThan((await boxOf(button(page, 'Start Chat'))).y)
  })
  await page.getByLabel('Your name').fill('Wide')
  await button(page, 'Start Chat').click()
  await chatOf(page).getByRole('list', { name: 'Often asked' }).waitFor()
  const email = chatOf(page).getByLabel('Your email, so our answer reaches you')
  await email.waitFor()
  await isWhole()
  await email.fill('not an address')
  await email.press('Enter')
  await chatOf(page).getByText('Please enter a valid email address').waitFor()
  await isWhole()
  await email.fill('wide@example.co.za')
  await button(page, 'Save').click()
  await chatOf(page).getByText('We will answer at wide@example.co.za.').waitFor()
  const sessionId = await staff.sessionOf('Wide')
  const told = { type: 'visitor_email', sessionId, visitorEmail: 'wide@example.co.za' }
  await eventually(() => expect(staff.frames).toContainEqual(told))
  await button(page, 'What does it cost?').click()
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['What does it cost?']))
  await isWhole()
  await button(page, 'More actions').click()
  await isWhole()
  await button(page, 'End chat').click()
  const question = page.getByRole('alertdialog', { name: 'End this chat?' })
  await hasFocus(question.getByRole('button', { name: 'Keep chatting' }))
  await isWhole()
  await page.keyboard.press('Escape')
  await inputOf(page).waitFor()
  await button(page, 'More actions').click()
  await button(page, 'Delete from this device').click()
  await page.getByRole('alertdialog', { name: 'Delete this chat from this device?' }).waitFor()
  await isWhole()
  await page.keyboard.press('Escape')
  await end(page)
  await chatOf(page).getByText('This chat has ended.').waitFor()
  await isWhole()
  await page.context().close()
})
