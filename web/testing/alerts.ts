import type { Page } from 'playwright-core'

/** Records the notifications of a browser's pages, in all its tabs; `openNoted` on the page clicks the last one. */
export const noteAlerts = (page: Page): Promise<unknown> =>
  page.context().addInitScript(() => {
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        const noted = JSON.parse(localStorage.getItem('noted') ?? '[]')
        localStorage.setItem('noted', JSON.stringify([...noted, `${title}: ${options?.body}`]))
        Object.assign(window, { openNoted: () => this.onclick?.(new Event('click')) })
      }
    }
  })

/** The recorded notifications of a browser's pages. */
export const notedIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('noted') ?? '[]'))

/** Hides a page as if another tab were shown. */
export const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
