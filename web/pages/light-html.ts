import { islandsOf } from './short-names.ts'

const COMMENT = /<!--[^>]*-->/g
const EMPTY_SHAPE = /><\/(?:circle|ellipse|line|path|polygon|rect|use)>/g
const EMPTY_VALUE = /(?<=<[^<>]*) ([a-z-]+)=""(?=[ >/])/g

const withoutComments = (html: string) => html.replace(COMMENT, '')

/**
 * The same page in fewer characters, for its first packets: apostrophes as they are, attributes without the empty value
 * that they have anyway, shapes without an end of their own, and no comments of React's. Those in what comes alive
 * stay, since React finds its texts by them.
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
