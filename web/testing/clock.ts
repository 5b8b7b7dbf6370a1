import type { BrowserContext, Page } from 'playwright-core'

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

/**
 * Gives the pages of a context, from their next load, a clock that the test moves forward. Requests keep their time limit in
 * real time: a jump would abort those in flight.
 */
export const installClock = async (context: BrowserContext) => {
  await context.addInitScript(() => Object.assign(window, { timeoutInRealTime: AbortSignal.timeout.bind(AbortSignal) }))
  await context.clock.install()
  await context.addInitScript(() =>
    Object.defineProperty(AbortSignal, 'timeout', { value: Reflect.get(window, 'timeoutInRealTime') }),
  )
}
