const FIRST_DELAY_MS = 1_000
const GROWTH = 3
const MAX_DELAY_MS = 20_000

/**
 * The delay before the next try after this many failures, in milliseconds: up to 1 s at first, three times as much
 * after each failure, at most 20 s. The whole delay is random (`random`, 0 to 1), because clients that lost something
 * together must not return together.
 */
export const growingDelay = (failures: number, random = Math.random()) =>
  random * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * GROWTH ** failures)
