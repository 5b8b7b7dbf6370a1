import type { Browser } from 'playwright-core'
import { launchBrowser } from '../local/chromium.ts'

/** The browser of a worker process of Vitest, as one test file uses it: `close` closes the pages and contexts of the file. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>

/** All files of a worker process share it: a start takes as much processor time as opening two pages. */
const shared = globalThis as { testBrowser?: Promise<Browser> }

/** Pages of tests end after seconds: optimising their code would take more processor time than it saves. */
const FLAGS = ['--js-flags=--no-opt --no-maglev']

/**
 * Opens a browser for a test file: nothing of other files is in its contexts. The process of the browser stays open.
 */
export const openTestBrowser = async (): Promise<TestBrowser> => {
  if (shared.testBrowser && !(await shared.testBrowser).isConnected()) delete shared.testBrowser
  shared.testBrowser ??= launchBrowser(FLAGS)
  const browser = await shared.testBrowser
  return {
    newContext: (options) => browser.newContext(options),
    newPage: (options) => browser.newPage(options),
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
  }
}
