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

/** Repeats a request that was refused for now, later each time, on the connection as it is. */
export const openRepeat = (ask: () => void) => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    /** Asks once more in a while; not within `afterS` seconds, where the server has said so. */
    later: (afterS = 0) => {
      stop()
      timer = setTimeout(ask, afterS * 1_000 + growingDelay(failures))
      failures += 1
    },
    succeeded: () => {
      stop()
      failures = 0
    },
    stop,
  }
}
