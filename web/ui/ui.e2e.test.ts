import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterwards, DESKTOP, PHONE, startTestSite, TABLET, type TestSite } from '../test-site.ts'

const OPEN_DELAY_MS = 700

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

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
