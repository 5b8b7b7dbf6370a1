import { expect, test } from 'vitest'
import { findChromium, launchBrowser } from './chromium.ts'

test('opens a page in a browser that npm brought', async () => {
  const { executablePath, version } = await findChromium()
  if (!process.env.CHROMIUM) expect(executablePath).toContain('node_modules')
  expect(version).toMatch(/Chrom/)

  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Hello</h1><script>document.title = String(6 * 7)</script>')
    expect(await page.title()).toBe('42')
    expect((await page.locator('h1').boundingBox())?.height).toBeGreaterThan(10)
  } finally {
    await browser.close()
  }
})
