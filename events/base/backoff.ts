const FIRST_DELAY_MS = 1_000
const GROWTH = 3
const MAX_DELAY_MS = 20_000

/**
 * How long to wait before the try after this many failed ones, in milliseconds: anything up to 1 s at first, up to three
 * times as much each time, at most 20 s. All of it is by chance (`random`, 0 to 1), so that clients which lost something
 * together do not come back together.
 */
export const growingDelay = (failures: number, random = Math.random()) =>
  random * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * GROWTH ** failures)
