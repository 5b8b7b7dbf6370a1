import type { Bus } from '../../events/log/bus.ts'

const CHECK_MIN_MS = 10_000
const CHECK_MAX_MS = 25_000
const CHECK_WITHOUT_REDIS_MS = 500
/** After a check that failed: anything between one and three seconds. */
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 3_000

const between = (min: number, max: number) => min + Math.random() * (max - min)

/** The comparing with the log that finds what the bus has lost. */
export type LogChecks = {
  /** Compares now; where that is under way, waits for it. */
  check: () => Promise<void>
  /** Compares no more, and waits for what is under way. */
  close: () => Promise<void>
}

/** Compares at once, on each reconnect, every 10 to 25 s, soon after a failure, and twice a second while Redis is away. */
export const keepChecking = (bus: Bus, compare: () => Promise<void>, onError: (error: unknown) => void): LogChecks => {
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const check = () => {
    checking ??= compare().finally(() => {
      checking = undefined
    })
    return checking
  }

  const schedule = (pause: number) => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(checkNow, pause)
  }
  const rest = () => schedule(bus.isUp ? between(CHECK_MIN_MS, CHECK_MAX_MS) : CHECK_WITHOUT_REDIS_MS)
  const retry = (error: unknown) => {
    onError(error)
    schedule(between(RETRY_MIN_MS, RETRY_MAX_MS))
  }
  const checkNow = () => {
    clearTimeout(timer)
    if (isClosed) return
    check().then(rest, retry)
  }
  bus.onReconnect(checkNow)
  bus.onDisconnect(checkNow)
  checkNow()

  return {
    check,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await checking?.catch(() => {})
    },
  }
}
