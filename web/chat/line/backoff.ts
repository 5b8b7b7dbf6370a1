import { growingDelay } from '../../../events/base/backoff.ts'

/** Repeats a request that was refused for now, later each time, on the connection as it is. */
export const openRepeat = (ask: () => void) => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    /** Asks again in a while; not within `afterS` seconds, where the server has said so. */
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
