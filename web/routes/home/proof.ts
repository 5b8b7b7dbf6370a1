const FAST_MS = 2_000
/** The median mobile page, in kB (HTTP Archive, Web Almanac 2024: page weight). */
const TYPICAL_PAGE_KB = 2_311

/** The one script that pages fetch by themselves; any other one is for a form or a chat that the visitor has begun. */
const isOfPage = (address: string) =>
  !address.endsWith('.js') || address.endsWith(document.body.dataset.afterwards as string)

const inWords = (painted: number) => {
  let bytes = 0
  for (const { name, transferSize = 0, encodedBodySize = 0 } of performance.getEntries() as PerformanceResourceTiming[])
    if (isOfPage(name)) bytes += Math.max(transferSize, encodedBodySize)
  const weight = Math.ceil(bytes / 1000)
  if (weight === 0) return null // a browser that tells no sizes
  const seconds = `${Math.max(painted / 1000, 0.1).toFixed(1)} s`
  return painted > FAST_MS
    ? `This page took ${seconds} to reach you. It weighs ${weight} kB: a typical one weighs ${Math.round(TYPICAL_PAGE_KB / weight)} times as much.`
    : `This page reached you in ${painted < 100 ? 'less than ' : ''}${seconds} and weighs ${weight} kB.`
}

/**
 * Says in the hero what this very page took on this very device: until something was painted, and everything that was
 * fetched for it, as it came over the wire: no more than that where a chat is open, or a form half filled in. It is asked
 * for once the page has loaded and shows (pages/boot.ts).
 */
export const proveSpeed = () => {
  const line = document.querySelector('[data-proof]')
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  if (line && paint) line.textContent = inWords(paint.startTime) ?? line.textContent
}
