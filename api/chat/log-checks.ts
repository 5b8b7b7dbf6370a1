import type { Bus } from '../../events/log/bus.ts'

const CHECK_MIN_MS = 10_000
const CHECK_MAX_MS = 25_000
const CHECK_WITHOUT_REDIS_MS = 500

/** The comparing with the log that finds what the bus has lost. */
export type LogChecks = {
  /** Compares now; where that is under way, waits for it. */
  check: () => Promise<void>
  /** Compares no more, and waits for what is under way. */
  close: () => Promise<void>
}

/** Compares at once, on each reconnect, every 10 to 25 s, and twice a second while Redis is away. */
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

  const schedule = () => {
    clearTimeout(timer)
    if (isClosed) return
    const pause = bus.isUp ? CHECK_MIN_MS + Math.random() * (CHECK_MAX_MS - CHECK_MIN_MS) : CHECK_WITHOUT_REDIS_MS
    timer = setTimeout(checkNow, pause)
  }
  const checkNow = () => {
    clearTimeout(timer)
    if (isClosed) return
    check().catch(onError).finally(schedule)
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
