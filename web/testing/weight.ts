import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { TestBrowser } from '../../events/testing/browser.ts'

const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true }
/** A loaded module requests others a moment later. */
const QUIET_LOOKS = 5
const compress = promisify(brotliCompress)

/** The weight of a public page on a phone, in bytes as they are sent. */
export type Weight = { html: number; scriptBeforeTouch: number; scriptAfterTouch: number }

/** The most that a public page may weigh, in bytes. */
export const WEIGHT_LIMITS: Weight = { html: 14_000, scriptBeforeTouch: 2_000, scriptAfterTouch: 90_000 }

/**
 * Weighs the page at an address, before and after its first field is touched. Scripts in the page are compressed by
 * themselves, without data (JSON), which is not run; fetched ones count as their responses.
 */
export const weigh = async (browser: TestBrowser, address: string): Promise<Weight> => {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  const fetched: Promise<number>[] = []
  let underWay = 0
  page.on('request', () => {
    underWay += 1
  })
  page.on('requestfinished', (request) => {
    underWay -= 1
    if (request.resourceType() === 'script')
      fetched.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  /** Waits until no fetch is under way and the fetched modules have requested no others. */
  const isQuiet = async () => {
    for (let looks = 0; looks < QUIET_LOOKS; looks = underWay > 0 ? 0 : looks + 1)
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  }
  await page.goto(address, { waitUntil: 'networkidle' })
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ src, type }) => !src && !/^(application\/|speculationrules)/.test(type))
      .map(({ text }) => text),
  )
  const inPage = (await compress(Buffer.from(inline.join('\n')))).length
  const weight = async () => (await Promise.all(fetched)).reduce((sum, size) => sum + size, inPage)
  const scriptBeforeTouch = await weight()
  const field = page.locator('main form input:not([type=hidden]):visible').first()
  if (await field.count()) {
    await Promise.all([page.waitForRequest((request) => request.url().endsWith('.js')), field.focus()])
    await isQuiet()
  }
  const scriptAfterTouch = await weight()
  await context.close()
  const html = (await compress(Buffer.from(await (await fetch(address)).text()))).length
  return { html, scriptBeforeTouch, scriptAfterTouch }
}
