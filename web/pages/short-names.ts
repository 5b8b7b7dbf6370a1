const ISLAND = /<div [^>]*data-island=/g
const DIV = /<(\/?)div[ >]/g
const CLASS = /css-([a-z0-9]+)/g
const KEYFRAMES = /@keyframes animation-([a-z0-9]+)/g
const ANIMATION = /animation-([a-z0-9]+)\b/g
const CLASS_OF_RULE = /\.css-([a-z0-9]+)/
const MEDIA = /^@media ([^{]*)\{(.*)\}$/s

/** The islands of a page, from the start tag to the end tag. React closes all elements that it opens. */
export const islandsOf = (html: string) =>
  [...html.matchAll(ISLAND)].map(({ index }) => {
    let depth = 0
    for (const { 1: closes, index: at } of html.slice(index).matchAll(DIV)) {
      depth += closes ? -1 : 1
      if (depth === 0) return html.slice(index, index + at)
    }
    throw new Error('An island of the page has no end')
  })

const matchesIn = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name = '']) => name))

const namesIn = (html: string) => matchesIn(html, CLASS)

/** New names for the `names` that are not in `kept`: the prefix and one to three characters. */
const shortFor = (names: Set<string>, reserved: Set<string>, prefix: string) =>
  new Map([...names].filter((name) => !reserved.has(name)).map((name, index) => [name, prefix + index.toString(36)]))

/** The rules of a style sheet, each with all that is nested in it. */
const rulesOf = (css: string) => {
  const rules: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth > 0) continue
    rules.push(css.slice(start, index + 1))
    start = index + 1
  }
  return rules
}

const appendTo = (map: Map<string, string>, key: string, text: string) => map.set(key, (map.get(key) ?? '') + text)

/**
 * Sorts the rules of each class, similar ones together, because that compresses better; rules without a class first,
 * media queries last, grouped by window. A class with several media queries must name them in the same order as every
 * other class: smallest first.
 */
const arranged = (rules: string[]) => {
  const byClass = new Map<string, string>()
  const byWindow = new Map<string, string>()
  for (const rule of rules) {
    const name = CLASS_OF_RULE.exec(rule)?.[1] ?? ''
    const [, window, inside] = (name && MEDIA.exec(rule)) || []
    if (window && inside) appendTo(byWindow, window, inside)
    else appendTo(byClass, name, rule)
  }
  const { '': general = '', ...classes } = Object.fromEntries(byClass)
  const inOrder = Object.entries(classes).map(([name, css]) => ({ css, like: css.replaceAll(name, '') }))
  inOrder.sort((a, b) => (a.like < b.like ? -1 : 1))
  // By the name: `max-…` before `min-width: 48rem` before `min-width: 64rem`, whichever class names one first.
  const windows = [...byWindow].sort(([a], [b]) => (a < b ? -1 : 1))
  return general + inOrder.map(({ css }) => css).join('') + windows.map(([at, css]) => `@media ${at}{${css}}`).join('')
}

/** Removes characters that browsers do not need. */
const tightened = (css: string) =>
  css
    .replaceAll(';}', '}')
    .replace(/(?<![\w.])0\.(?=\d)/g, '.')
    .replace(/#(\w)\1(\w)\2(\w)\3\b/g, '#$1$2$3')
    .replaceAll(', ', ',')
    .replaceAll('*::', '::')
    .replace(/(?<=@media[^{]*\([a-z-]+): /g, ':')

/**
 * Shortens Emotion's class names and styles. Classes and animations that only static parts use get names of one to
 * three characters; unused classes are removed. Islands keep Emotion's names, because their code computes them again.
 * An element has at most one Emotion class, so the order of classes does not matter.
 */
export const shortenNames = ({ html, css }: { html: string; css: string }) => {
  const used = namesIn(html)
  const alive = namesIn(islandsOf(html).join(''))
  const isUnused = (name: string) => css.includes(`.css-${name}`) && !used.has(name)
  const rules = rulesOf(css).filter((rule) => {
    const name = CLASS_OF_RULE.exec(rule)?.[1]
    return !name || !isUnused(name)
  })
  const classOf = (rule: string) => CLASS_OF_RULE.exec(rule)?.[1] ?? ''
  const aliveRules = rules.filter((rule) => alive.has(classOf(rule))).join('')
  const short = shortFor(used, alive, '_')
  const animations = shortFor(matchesIn(rules.join(''), KEYFRAMES), matchesIn(aliveRules, ANIMATION), 'a')
  const shorten = (text: string) => text.replace(CLASS, (whole, name) => short.get(name) ?? whole)
  const rename = (text: string) => text.replace(ANIMATION, (whole, name) => animations.get(name) ?? whole)
  return { html: shorten(html), css: tightened(rename(shorten(arranged(rules)))) }
}
