import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Waits for transitions that end: a colour half-way between two has a contrast that nobody chose. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })

/**
 * What axe finds wrong with a page as it is now, or within an element of it, each with the elements that it is
 * about.
 */
export const violationsIn = async (page: Page, selector = 'html'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  await settle(page)
  return await page.evaluate(async (within) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // quicker by a third without what is not read here
    const { violations } = await axe.run(within, { resultTypes: ['violations'], selectors: false })
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, selector)
}
