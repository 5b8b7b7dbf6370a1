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

/** The findings within an element, of one rule or of all. */
const findingsIn = async (page: Page, selector: string, rule?: string): Promise<string[]> => {
  await settle(page)
  return await page.evaluate(
    async ([within, runOnly]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      // a third quicker without the results that are not read here
      const options = { resultTypes: ['violations' as const], selectors: false, ...(runOnly && { runOnly }) }
      const { violations } = await axe.run(within, options)
      return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    [selector, rule] as const,
  )
}

/**
 * axe's findings on a page in its current state, or within an element of it, each with the affected elements; on staff
 * pages also the contrast in the dark theme.
 */
export const violationsIn = async (page: Page, selector = 'html'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const findings = await findingsIn(page, selector)
  if ((await page.locator('#staff').count()) === 0) return findings
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findingsIn(page, selector, 'color-contrast')
  await page.emulateMedia({ colorScheme: null })
  return [...findings, ...dark.map((finding) => `dark: ${finding}`)]
}
