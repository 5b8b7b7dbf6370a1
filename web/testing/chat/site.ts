import process from 'node:process'
import type { Page } from 'playwright-core'
import { buildWebIfStale } from '../../../events/local/web-build.ts'
import { openTestBrowser, type TestBrowser } from '../../../events/testing/browser.ts'
import { type FaultProxy, openFaultProxy } from '../../../events/testing/fault-proxy.ts'
import type { TestNode } from '../../../events/testing/node.ts'
import { openTestProduct } from '../../../events/testing/product.ts'
import { stopClock } from '../clock.ts'
import { openTestFront, type TestFront } from './front.ts'

/** A moment in support hours: the time of a page's clock unless a test sets another. */
export const IN_HOURS = new Date('2026-11-18T10:00:00+02:00')

/** The options of a page. */
export type PageOptions = {
  path?: string
  now?: Date
  viewport?: { width: number; height: number }
  prepare?: (page: Page) => Promise<unknown>
}

/** The site on two nodes behind one address, and a browser that visits it. */
export type TestSite = {
  /** The address for visitors, through `network` and `front`. */
  url: string
  /** The visitors' way to the front: a cut or a delay here affects their pages only. */
  network: FaultProxy
  front: TestFront
  nodes: [TestNode, TestNode]
  browser: TestBrowser
  /** Another node of the same site. */
  startNode: () => Promise<TestNode>
  /** The database, as its owner. */
  databaseUrl: string
  /**
   * A page in a browser context of its own; its clock is stopped at `now`. `prepare` is called before it opens
   * anything.
   */
  openPage: (options?: PageOptions) => Promise<Page>
  close: () => Promise<void>
}

const DESKTOP = { width: 1280, height: 800 }

/**
 * Builds the pages if they are stale and starts everything; visitors reach the first node as long as it lives. `env`
 * adds environment variables of nodes and worker.
 */
export const openTestSite = async (env: Record<string, string> = {}): Promise<TestSite> => {
  await buildWebIfStale(process.cwd())
  const front = await openTestFront()
  const network = await openFaultProxy(front.url)
  const url = new URL(network.url).origin
  const [{ database, nodes, startNode, stop }, browser] = await Promise.all([
    openTestProduct({ nodes: 2, env, nodeEnv: { PUBLIC_URL: url } }),
    openTestBrowser(),
  ])
  front.lead(...nodes.map((node) => node.url))

  return {
    url,
    network,
    front,
    nodes,
    browser,
    startNode,
    databaseUrl: database.url,
    openPage: async ({ path = '/', now = IN_HOURS, viewport = DESKTOP, prepare } = {}) => {
      const context = await browser.newContext({ viewport, baseURL: url })
      const page = await context.newPage()
      await stopClock(page, now)
      await prepare?.(page)
      await page.goto(path)
      return page
    },
    close: async () => {
      await browser.close()
      await stop()
      await network.close()
      await front.close()
    },
  }
}
