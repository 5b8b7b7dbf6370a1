import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

/** The sample sites: one page each, with its own display face from the file `source`. */
const SAMPLES = [
  {
    name: 'bakery',
    family: 'Fraunces',
    weight: 900,
    source: '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2',
    axes: { wght: 900 },
  },
  {
    name: 'plumber',
    family: 'Archivo Black',
    weight: 400,
    source: '@fontsource/archivo-black/files/archivo-black-latin-400-normal.woff2',
    axes: undefined,
  },
  {
    name: 'guesthouse',
    family: 'Cormorant Garamond',
    weight: 500,
    source: '@fontsource/cormorant-garamond/files/cormorant-garamond-latin-500-normal.woff2',
    axes: undefined,
  },
] as const

/** The sample sites as served: pages by path, and their fonts. */
export type SampleSites = { pages: Record<string, string>; fonts: { path: string; file: Buffer }[] }

/** The font is there before anything shows, or not at all: nothing moves. */
const fontHead = (family: string, weight: number, path: string) =>
  `@font-face{font-family:"${family}";src:url(${path}) format("woff2");font-weight:${weight};font-display:optional}`

const withoutIndents = (html: string) => html.replace(/\n\s*/g, '\n').replace(/\}\n/g, '}')

/** Reads the sample sites, and cuts each one's display face down to the characters that its page has: 5 to 12 kB. */
export const readSamples = async (): Promise<SampleSites> => {
  const pages: Record<string, string> = {}
  const fonts: SampleSites['fonts'] = []
  for (const { name, family, weight, source, axes } of SAMPLES) {
    const html = await readFile(new URL(`${name}.html`, import.meta.url), 'utf8')
    const visible = html.replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    const text = [...new Set(visible + visible.toUpperCase())].join('')
    const face = await readFile(createRequire(import.meta.url).resolve(source))
    const file = await subsetFont(face, text, { targetFormat: 'woff2', ...(axes && { variationAxes: axes }) })
    const path = `/assets/${name}-${createHash('sha256').update(file).digest('base64url').slice(0, 8)}.woff2`
    fonts.push({ path, file })
    const preload = `<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>`
    pages[`/work/${name}`] = withoutIndents(
      html.replace('/* FONT */', fontHead(family, weight, path)).replace('<style>', `${preload}\n<style>`),
    )
  }
  return { pages, fonts }
}
