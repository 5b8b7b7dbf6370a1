import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import process from 'node:process'
import { launchBrowser } from './chromium.ts'

const DISPLAY_FACE = '@fontsource-variable/besley/files/besley-latin-wght-normal.woff2'

/** The website's display face, which no machine has by itself. */
const displayFace = async () => {
  const file = await readFile(createRequire(import.meta.url).resolve(DISPLAY_FACE))
  return `@font-face{font-family:Besley;src:url(data:font/woff2;base64,${file.toString('base64')});font-weight:400 900}`
}

/**
 * Draws an SVG file as a PNG of a width in pixels: the pictures in `web/public` are made once with it and committed,
 * since the look of text depends on the machine's fonts.
 *
 *     node events/local/draw.cli.ts web/pages/og.svg 1200 web/public/og.png
 *     for size in 180 192 512; do node events/local/draw.cli.ts web/public/favicon.svg $size web/public/icon-$size.png; done
 */
const draw = async ([source, width, target]: string[]) => {
  if (!source || !target || !(Number(width) > 0)) throw new Error('Usage: draw.cli.ts SOURCE.svg WIDTH TARGET.png')
  const svg = await readFile(source, 'utf8')
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent(
      `<style>${await displayFace()}body{margin:0}svg{display:block;width:${width}px;height:auto}</style>${svg}`,
    )
    await page.evaluate('document.fonts.ready')
    await page.locator('svg').screenshot({ path: target, omitBackground: true })
  } finally {
    await browser.close()
  }
}

await draw(process.argv.slice(2))
