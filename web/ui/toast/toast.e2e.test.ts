import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE, startTestSite, TABLET, type TestSite } from '../../test-site.ts'

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const toastOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'Submission Failed' })

/** Stops the page's clock: a toast stays until a test lets time pass. */
const stopClock = async (page: Page) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

const fail = async (page: Page) => {
  await page.route('**/api/email-activation', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.getByRole('button', { name: 'Send test submission' }).click()
  await toastOf(page).waitFor()
}

const swipe = async (page: Page, pixels: number) => {
  const box = await toastOf(page).boundingBox()
  if (!box) throw new Error('There is no toast')
  const [x, y] = [box.x + 40, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels, y, { steps: 5 })
  await page.mouse.up()
}

test('a toast stands at the top of a small screen, and at the bottom right of a large one', async () => {
  const phone = await site.open('/test-form', { viewport: PHONE })
  await stopClock(phone)
  await fail(phone)
  expect((await toastOf(phone).boundingBox())?.y).toBeLessThan(40)
  await phone.context().close()

  const desktop = await site.open('/test-form')
  await stopClock(desktop)
  await fail(desktop)
  const box = await toastOf(desktop).boundingBox()
  expect(box?.width).toBeLessThanOrEqual(420)
  const chat = await desktop.getByRole('button', { name: 'Open chat' }).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(DESKTOP.width - 100)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(chat?.x ?? 0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(DESKTOP.height - 40)
  await desktop.context().close()
})

test('a toast leaves the bar at the foot of a tablet in sight', async () => {
  const tablet = await site.open('/test-form', { viewport: TABLET })
  await stopClock(tablet)
  await fail(tablet)
  const box = await toastOf(tablet).boundingBox()
  const bar = await tablet.getByRole('navigation', { name: 'Contact us' }).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
  await tablet.context().close()
})

test('one toast shows at a time, and goes after 5 s', async () => {
  const page = await site.open('/test-form')
  await stopClock(page)
  await fail(page)
  await page.getByRole('button', { name: 'Send test submission' }).click()
  await page.getByRole('button', { name: 'Sending...' }).waitFor({ state: 'detached' })
  expect(await page.getByText('Submission Failed').count()).toBe(1)
  await page.mouse.move(10, 10)
  await page.clock.runFor(4_900)
  expect(await toastOf(page).count()).toBe(1)
  await page.clock.runFor(200)
  await toastOf(page).waitFor({ state: 'detached' })
  await page.context().close()
})

test('a swipe to the right beyond 50 px dismisses it, a shorter one does not; F8 focuses the region', async () => {
  const page = await site.open('/test-form')
  await fail(page)
  await swipe(page, 45)
  expect(await toastOf(page).count()).toBe(1)
  await page.keyboard.press('F8')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Notifications (F8)')
  await swipe(page, 70)
  await toastOf(page).waitFor({ state: 'detached' })
  await page.context().close()
})
