import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import sharp from 'sharp'
import { launchBrowser } from './chromium.ts'

// Takes the picture of a page's first screen, as the portfolio shows it, while the product runs:
//   node events/local/photograph.cli.ts http://localhost:3000/work/bakery web/public/work/bakery.avif

const WINDOW = { width: 1200, height: 900 }
/** A card is at most 400 px wide; many screens show it with two pixels for one. */
const WIDTH_PX = 720
const MAX_BYTES = 12_000
const FIRST_QUALITY = 62
const QUALITY_STEP = 4

/** The best picture that is not too heavy. */
const encode = async (screenshot: Buffer): Promise<Buffer> => {
  for (let quality = FIRST_QUALITY; quality > 0; quality -= QUALITY_STEP) {
    const picture = await sharp(screenshot).resize(WIDTH_PX).avif({ quality, effort: 9 }).toBuffer()
    if (picture.length <= MAX_BYTES) return picture
  }
  throw new Error(`No picture of this page is smaller than ${MAX_BYTES} bytes`)
}

const [address, file] = process.argv.slice(2)
if (!address || !file) throw new Error('Name the address of a page, and the file to write')
const browser = await launchBrowser()
const page = await browser.newPage({ viewport: WINDOW, reducedMotion: 'reduce' })
await page.goto(address)
await page.evaluate('document.fonts.ready')
const picture = await encode(await page.screenshot())
await writeFile(file, picture)
process.stdout.write(`${file}: ${(picture.length / 1000).toFixed(1)} kB\n`)
await browser.close()
