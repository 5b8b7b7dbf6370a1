import { islandsOf } from './short-names.ts'

const COMMENT = /<!--[^>]*-->/g
const EMPTY_SHAPE = /><\/(?:circle|ellipse|line|path|polygon|rect|use)>/g
const EMPTY_VALUE = /(?<=<[^<>]*) ([a-z-]+)=""(?=[ >/])/g

const withoutComments = (html: string) => html.replace(COMMENT, '')

/**
 * Shortens the page for its first packets: plain apostrophes, no empty attribute values, no closing tags of shapes, no
 * React comments. Comments within islands stay, because React finds its texts by them.
 */
export const lightHtml = (html: string) => {
  let still = html
  let light = ''
  for (const island of islandsOf(html)) {
    const at = still.indexOf(island)
    if (at < 0) continue // within the one before
    light += withoutComments(still.slice(0, at)) + island
    still = still.slice(at + island.length)
  }
  return (light + withoutComments(still))
    .replaceAll('&#x27;', "'")
    .replace(EMPTY_SHAPE, '/>')
    .replace(EMPTY_VALUE, ' $1')
}
