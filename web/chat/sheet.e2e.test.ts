import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { violationsIn } from '../test-axe.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, end, inputOf, logOf, seriousOf, start } from './test-widget.ts'

const PHONE = { width: 360, height: 640 }

const WINDOWS = [PHONE, { width: 768, height: 1024 }, { width: 1440, height: 900 }]
const AFTER_HOURS = new Date('2026-11-18T20:00:00+02:00')

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff.close()
  await site.close()
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

describe('on a phone of 360 px', () => {
  let page: Page

  test('the closed chat has its place in the bar at the foot, between two links, and covers neither', async () => {
    page = await site.openPage({ viewport: PHONE })
    const bar = page.getByRole('navigation', { name: 'Contact us' })
    const chat = await boxOf(button(page, 'Open chat'))
    const whatsapp = await boxOf(bar.getByRole('link', { name: 'WhatsApp (new tab)' }))
    const quote = await boxOf(bar.getByRole('link', { name: 'Get a quote' }))
    expect(whatsapp.x + whatsapp.width).toBeLessThanOrEqual(chat.x)
    expect(chat.x + chat.width).toBeLessThanOrEqual(quote.x)
    expect(chat.y).toBeGreaterThanOrEqual((await boxOf(bar)).y)
    expect(Math.min(chat.width, chat.height)).toBeGreaterThanOrEqual(44)
  })

  test('the open chat is a sheet over the window: the page below neither scrolls nor takes the focus', async () => {
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
      // between the last and the first there is the browser itself
      expect(['DIV', 'BODY']).toContain(await focused())
    }
    await button(page, 'Close chat').click()
    await hasFocus(button(page, 'Chat Now').first())
    expect(await page.evaluate(() => scrollY)).toBe(scrolled)
  })

  test('Back closes the sheet and stays on the page, Forward opens it, and no way of closing leaves an entry', async () => {
    const other = await site.openPage({ viewport: PHONE, path: '/privacy' })
    await other.goto('/contract/premium')
    const isOpen = (isShown: boolean) =>
      eventually(async () => expect(await other.getByLabel('Your name').count()).toBe(isShown ? 1 : 0))
    const isOn = (path: string) => eventually(() => expect(new URL(other.url()).pathname).toBe(path))
    await button(other, 'Open chat').click()
    await isOpen(true)
    await other.goBack()
    await isOpen(false)
    await other.goForward()
    await isOpen(true)
    await other.reload()
    await isOpen(true)
    await other.getByLabel('Your name').fill('Back and forth')
    for (const close of [
      () => button(other, 'Close chat').click(),
      () => other.keyboard.press('Escape'),
      () => other.goBack(),
    ]) {
      await isOpen(true)
      await close()
      await isOpen(false)
      await button(other, 'Open chat').click()
    }
    await isOpen(true)
    // away from the open sheet, and back to it
    await chatOf(other).getByRole('link', { name: 'Privacy' }).click()
    await isOn('/privacy')
    await other.goBack()
    await isOn('/contract/premium')
    await isOpen(true)
    await other.goBack()
    await isOpen(false)
    await isOn('/contract/premium')
    await other.goBack()
    await isOn('/privacy')
    await other.context().close()
  })

  test('both stages fill the window, and a minimised chat leaves it to the page', async () => {
    await start(staff, page, 'Phone')
    expect(await boxOf(chatOf(page))).toEqual({ x: 0, y: 0, ...PHONE })
    expect(await seriousOf(page)).toEqual([])
    await button(page, 'Minimise chat').click()
    await page.getByRole('main').waitFor()
    const box = await boxOf(chatOf(page))
    expect(box).toMatchObject({ width: 320, height: 64 })
    const bar = page.getByRole('navigation', { name: 'Contact us' })
    expect(box.y + box.height).toBeLessThanOrEqual((await boxOf(bar)).y)
    // the launcher's place goes to the links
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
  })

  test('a keyboard that covers half of the window leaves all of the chat in sight', async () => {
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
})

test.each(WINDOWS)('at $width px every state is whole and accessible, after hours too', async (viewport) => {
  const page = await site.openPage({ viewport, now: AFTER_HOURS })
  const name = `Wide ${viewport.width}`
  const isWhole = async () => {
    expect(await overflows(page)).toEqual([])
    expect(await seriousOf(page)).toEqual([])
  }
  await button(page, 'Open chat').click()
  await chatOf(page).getByText('We’re back tomorrow at 8AM').waitFor()
  await isWhole()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email (optional)').fill(`wide${viewport.width}@example.co.za`)
  await button(page, 'Start Chat').click()
  await chatOf(page).getByRole('list', { name: 'Often asked' }).waitFor()
  await chatOf(page).getByText('Leave a message.').waitFor()
  await isWhole()
  await button(page, 'What does it cost?').click()
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  expect(await button(page, 'What does it cost?').count()).toBe(0)
  const sessionId = await staff.sessionOf(name)
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['What does it cost?']))
  await isWhole()
  await button(page, 'End chat').click()
  const question = page.getByRole('alertdialog', { name: 'End this chat?' })
  await hasFocus(question.getByRole('button', { name: 'Keep chatting' }))
  await isWhole()
  await page.keyboard.press('Escape')
  await inputOf(page).waitFor()
  expect(await chatOf(page).getByText('This chat has ended.').count()).toBe(0)
  await end(page)
  await chatOf(page).getByText('This chat has ended.').waitFor()
  await isWhole()
  await page.context().close()
})

test('on a computer an open chat gives way to a field that it covers, and to no other', async () => {
  const page = await site.openPage({ viewport: { width: 1440, height: 900 }, path: '/contract/premium' })
  const form = page.getByRole('form', { name: 'Premium contract' })
  const fields = form.locator('input:not([type=hidden]):not([tabindex="-1"]), textarea, button')
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').waitFor()
  const covered = await fields.evaluateAll((all) => {
    scrollTo({ top: scrollY + (all[0] as Element).getBoundingClientRect().top - 600, behavior: 'instant' })
    const chat = document.querySelector('[aria-label="Live chat"]')?.getBoundingClientRect() as DOMRect
    return all.findIndex((field) => {
      const { right, top, bottom } = field.getBoundingClientRect()
      return right > chat.left && bottom > chat.top && top < chat.bottom
    })
  })
  expect(covered).toBeGreaterThanOrEqual(0)
  await page.getByRole('link', { name: 'Pricing' }).first().focus()
  expect(await page.getByLabel('Your name').isVisible()).toBe(true)
  await fields.nth(covered).focus()
  await button(page, 'Expand chat').waitFor()
  expect((await boxOf(chatOf(page))).height).toBe(64)
  await page.context().close()
})
