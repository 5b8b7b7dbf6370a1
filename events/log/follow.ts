import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from './bus.ts'
import { LogIntegrityError } from './read.ts'

/** The channel on which each node tells that the log has grown; the message is the last position. */
export const LOG_CHANNEL = 'log'

const POLL_MS = 1_000
const ERROR_PAUSE_MS = 500

/** A consumer of the log at work. */
export type Follower = {
  /** Stops after the step under way. */
  stop: () => Promise<void>
}

/**
 * Keeps a consumer of the log up to date: calls `step` (which processes one batch and answers whether there may be more)
 * whenever the bus says that the log has grown, and every second in case it said so to nobody. A step that throws is
 * tried again; a LogIntegrityError halts this consumer for good.
 */
export const follow = (
  bus: Bus,
  step: () => Promise<boolean>,
  { onError, onHalt }: { onError: (error: unknown) => void; onHalt: (error: LogIntegrityError) => void },
): Follower => {
  const stopping = new AbortController()
  let wake = () => {}
  let hasGrown = false

  const onGrowth = () => {
    hasGrown = true
    wake()
  }

  const rest = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, POLL_MS)
    if (!hasGrown && !stopping.signal.aborted) await promise
    clearTimeout(timer)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      hasGrown = false
      try {
        while ((await step()) && !stopping.signal.aborted);
      } catch (error) {
        if (error instanceof LogIntegrityError) {
          onHalt(error)
          return
        }
        onError(error)
        await delay(ERROR_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
      await rest()
    }
  }

  bus.subscribe(LOG_CHANNEL, onGrowth)
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      wake()
      bus.unsubscribe(LOG_CHANNEL, onGrowth)
      await running
    },
  }
}
