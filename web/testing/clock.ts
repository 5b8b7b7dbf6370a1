import type { Page } from 'playwright-core'

/** Makes pages use their own clock, which a test has set, and not the server's. */
export const keepOwnClock = (page: Page) =>
  page.addInitScript(() => {
    const { get } = Headers.prototype
    Headers.prototype.get = function readHeader(name) {
      return name === 'date' ? null : get.call(this, name)
    }
  })

/** Stops a page's clock at a moment. */
export const stopClock = async (page: Page, at: Date) => {
  await page.clock.setFixedTime(at)
  await keepOwnClock(page)
}
