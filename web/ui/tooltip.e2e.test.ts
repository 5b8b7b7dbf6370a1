import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSite, type TestSite } from '../test-site.ts'

const OPEN_DELAY_MS = 700

let site: TestSite

beforeAll(async () => {
  site = await startTestSite()
})

afterAll(() => site?.stop())

const isOpen = (element: Locator) => element.evaluate((it) => getComputedStyle(it, '::after').opacity === '1')

/** Points at an element and answers after how many milliseconds, and frames, its tooltip is there. */
const opensAfter = async (page: Page, element: Locator) => {
  const opened = element.evaluate(
    (it) =>
      new Promise<{ ms: number; frames: number }>((resolve) => {
        let begin = Number.NaN
        let frames = 0
        it.addEventListener('mouseenter', () => {
          begin = performance.now()
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

test('a tooltip waits 700 ms, the next one beside it does not', async () => {
  const page = await site.open('/thanks')
  const chat = page.getByRole('button', { name: 'Open chat' })
  const whatsapp = page.getByRole('link', { name: 'Message us on WhatsApp (new tab)' }).last()
  expect(await isOpen(chat)).toBe(false)
  expect((await opensAfter(page, chat)).ms).toBeGreaterThan(OPEN_DELAY_MS - 20)
  // frames, since a busy machine may take long for one
  expect((await opensAfter(page, whatsapp)).frames).toBeLessThan(5)
  expect(await isOpen(chat)).toBe(false)
})

test('a tooltip is there at once for who comes by the keyboard', async () => {
  const page = await site.open('/thanks')
  const chat = page.getByRole('button', { name: 'Open chat' })
  await page.keyboard.press('Shift+Tab')
  await chat.focus()
  expect(await isOpen(chat)).toBe(true)
})
