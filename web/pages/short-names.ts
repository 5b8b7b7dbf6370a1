const ISLAND = /<div [^>]*data-island=/g
const DIV = /<(\/?)div[ >]/g
const CLASS = /css-([a-z0-9]+)/g

/** The parts of a page that come alive: from the start of an island's element to its end. React closes what it opens. */
const islandsOf = (html: string) =>
  [...html.matchAll(ISLAND)].map(({ index }) => {
    let depth = 0
    for (const { 1: closes, index: at } of html.slice(index).matchAll(DIV)) {
      depth += closes ? -1 : 1
      if (depth === 0) return html.slice(index, index + at)
    }
    throw new Error('An island of the page has no end')
  })

/**
 * Gives the classes that only the still part of a page uses names of one to three characters, in place of Emotion's, which
 * hardly compress. What comes alive keeps Emotion's names: its code works them out again, and finds its styles by them.
 */
export const shortenNames = ({ html, css, cssNames }: { html: string; css: string; cssNames: string[] }) => {
  const alive = new Set(islandsOf(html).flatMap((island) => [...island.matchAll(CLASS)].map(([, name]) => name)))
  const still = cssNames.filter((name) => css.includes(`.css-${name}`) && !alive.has(name))
  const short = new Map(still.map((name, index) => [name, `_${index.toString(36)}`]))
  const shorten = (text: string) => text.replace(CLASS, (whole, name) => short.get(name) ?? whole)
  return { html: shorten(html), css: shorten(css), cssNames: cssNames.filter((name) => !short.has(name)) }
}
