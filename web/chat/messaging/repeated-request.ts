import { growingDelay } from '../../../events/base/backoff.ts'

/** Repeats a request that was refused for now, after growing delays, on the same connection. */
export const openRepeat = (request: () => void) => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    /** Repeats the request after a delay of at least `afterS` seconds, if the server has sent one. */
    later: (afterS = 0) => {
      stop()
      timer = setTimeout(request, afterS * 1_000 + growingDelay(failures))
      failures += 1
    },
    succeeded: () => {
      stop()
      failures = 0
    },
    stop,
  }
}
