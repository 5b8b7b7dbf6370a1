import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Waits for transitions that end: an intermediate colour has an unintended contrast. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })

/** axe's findings on a page in its current state, or within an element of it, each with the affected elements. */
export const violationsIn = async (page: Page, selector = 'html'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  await settle(page)
  return await page.evaluate(async (within) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // a third quicker without the results that are not read here
    const { violations } = await axe.run(within, { resultTypes: ['violations'], selectors: false })
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, selector)
}
