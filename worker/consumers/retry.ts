const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

/**
 * How long to wait after the nth failure in a row, in milliseconds: up to 500 ms at first, doubling up to 10 s, all of it
 * by chance (`random`, 0 to 1), so that workers that fail together do not try again together.
 */
export const retryDelayMs = (failures: number, random: number): number =>
  random * Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1))
