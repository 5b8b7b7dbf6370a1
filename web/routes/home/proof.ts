const FAST_MS = 2_000
/** The median mobile page, in kB (HTTP Archive, Web Almanac 2024: page weight). */
const TYPICAL_PAGE_KB = 2_311

/** The one script that pages always fetch; any other one is for a form or a chat that the visitor has begun. */
const isOfPage = (address: string) =>
  !address.endsWith('.js') || address.endsWith(document.body.dataset.afterwards as string)

const inWords = (painted: number) => {
  let bytes = 0
  for (const { name, transferSize = 0, encodedBodySize = 0 } of performance.getEntries() as PerformanceResourceTiming[])
    if (isOfPage(name)) bytes += Math.max(transferSize, encodedBodySize)
  const weight = Math.ceil(bytes / 1000)
  if (weight === 0) return null // a browser that reports no sizes
  const seconds = `${Math.max(painted / 1000, 0.1).toFixed(1)} s`
  return painted > FAST_MS
    ? `This page took ${seconds} to reach you. It weighs ${weight} kB: a typical one weighs ${Math.round(TYPICAL_PAGE_KB / weight)} times as much.`
    : `This page reached you in ${painted < 100 ? 'less than ' : ''}${seconds} and weighs ${weight} kB.`
}

/**
 * Shows in the hero the measurements of this page on this device: the time until the first paint, and the size of
 * everything that was fetched for it, as transferred, without the code of an open chat or a form that was begun. It
 * runs once the page has loaded and is visible (pages/boot.ts).
 */
export const proveSpeed = () => {
  const line = document.querySelector('[data-proof]')
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  if (line && paint) line.textContent = inWords(paint.startTime) ?? line.textContent
}
