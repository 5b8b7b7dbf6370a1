import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createFontStack } from '@capsizecss/core'
import besley from '@capsizecss/metrics/besley'
import georgia from '@capsizecss/metrics/georgia'
import notoSerif from '@capsizecss/metrics/notoSerif'
import subsetFont from 'subset-font'
import { font } from '../ui/theme.ts'

const SOURCE = '@fontsource-variable/besley/files/besley-latin-wght-normal.woff2'
const WEIGHT = 700

/** Printable ASCII and the other characters of English headings and South African names. */
const CHARACTERS = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')}–—‘’“”·…éèëêïôöû`

/** The bold of a system's face, by the two names that systems know it by. */
const bold = <Metrics extends { familyName: string; postscriptName: string }>(
  metrics: Metrics,
  postscriptName: string,
) => ({
  ...metrics,
  fullName: `${metrics.familyName} Bold`,
  postscriptName,
})

/** Names the fallbacks in one word, such as `Besley-NotoSerif`: every page says them, in its first packets. */
const plainlyNamed = (css: string) =>
  css.replace(
    /"(\w+) Fallback: ([\w ]+)"/g,
    (_, face: string, fallback: string) => `${face}-${fallback.replaceAll(' ', '')}`,
  )

/** The display face: its file under a name that changes with its contents, and the `@font-face` rules that go with it. */
export type DisplayFont = { path: string; file: Buffer; css: string }

/**
 * Cuts the display face (Besley, OFL) down to one weight and the characters of headings, about 13 kB. The fallback
 * fonts of the system are stretched to its measures, so nothing moves when it loads.
 *
 * @throws if `font.display` does not name these fallbacks.
 */
export const displayFont = async (): Promise<DisplayFont> => {
  const source = await readFile(createRequire(import.meta.url).resolve(SOURCE))
  const file = await subsetFont(source, CHARACTERS, { targetFormat: 'woff2', variationAxes: { wght: WEIGHT } })
  const path = `/assets/besley-${createHash('sha256').update(file).digest('base64url').slice(0, 8)}.woff2`
  const { fontFamily, fontFaces } = createFontStack(
    [besley, bold(georgia, 'Georgia-Bold'), bold(notoSerif, 'NotoSerif-Bold')],
    { fontFaceProperties: { fontWeight: WEIGHT }, fontFaceFormat: 'styleString' },
  )
  const fallbacks = plainlyNamed(fontFamily).split(', ').slice(0, 3).join(', ')
  if (!font.display.startsWith(fallbacks)) throw new Error(`font.display of the theme has to begin with ${fallbacks}`)
  const own = `@font-face{font-family:Besley;src:url(${path});font-weight:${WEIGHT};font-display:optional}`
  return {
    path,
    file,
    css:
      own +
      plainlyNamed(fontFaces)
        .replace(/\s*([\n{:;,])\s*/g, (_, sign) => sign.trim())
        .replaceAll(';}', '}'),
  }
}
