import { resolve } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { MIN_OPEN_MS } from '../../events/lead/form/spam-signals.ts'
import { buildWebIfStale } from '../../events/local/web-build.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import type { TestNode, TestStores } from '../../events/testing/node.ts'
import { openTestProduct } from '../../events/testing/product.ts'

export const PHONE = { width: 360, height: 740 }
export const TABLET = { width: 768, height: 1024 }
export const DESKTOP = { width: 1440, height: 900 }

/** The whole site as visitors use it: a node of the API with the pages built from these sources, and a browser. */
export type TestSite = {
  node: TestNode
  stores: TestStores
  browser: TestBrowser
  /** A page in a browser context without any stored data. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Page>
  stop: () => Promise<void>
}

/** Starts a site for one test file, without a worker unless one is asked for. */
export const startTestSite = async ({ worker = false }: { worker?: boolean } = {}): Promise<TestSite> => {
  await buildWebIfStale(resolve('.'))
  const [{ node, stores, stop }, browser] = await Promise.all([
    openTestProduct({ worker: worker ? 'runs' : 'never' }),
    openTestBrowser(),
  ])
  return {
    node,
    stores,
    browser,
    open: async (path, options) => {
      const page = await (await browser.newContext({ viewport: DESKTOP, ...options })).newPage()
      await page.goto(node.url + path)
      return page
    },
    stop: async () => {
      await browser.close()
      await stop()
    },
  }
}

/** Waits until this visitor is no longer taken for a bot. */
export const readForAWhile = (page: Page) => page.waitForFunction((ms) => performance.now() > ms, MIN_OPEN_MS)

/** Returns the text of the browser's alert while `act` runs; the alert is closed. */
export const alertDuring = async (page: Page, act: () => Promise<unknown>): Promise<string> => {
  const { promise, resolve: say } = Promise.withResolvers<string>()
  page.once('dialog', async (dialog) => {
    await dialog.accept()
    say(dialog.message())
  })
  await act()
  return await promise
}

/** Waits until the deferred work of a public page has been done (pages/afterwards.ts). */
export const afterwards = (page: Page): Promise<void> =>
  page.evaluate('import(document.body.dataset.afterwards).then(() => {})')
