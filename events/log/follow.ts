import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from './bus.ts'

/** The channel on which each node tells that the log has grown; the message is the last position. */
export const LOG_CHANNEL = 'log'

const POLL_MS = 1_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

/** A consumer of the log at work. */
export type Follower = {
  /** Stops after the step under way, whose signal is aborted. */
  stop: () => Promise<void>
}

/**
 * How long to wait after the nth failure in a row, in milliseconds: up to 500 ms at first, doubling up to 10 s, all of it
 * by chance (`random`, 0 to 1), so that workers that fail together do not try again together.
 */
export const retryDelayMs = (failures: number, random: number): number =>
  random * Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1))

/**
 * Keeps a consumer of the log up to date: calls `step` (which processes one batch and answers whether there may be more)
 * whenever the bus says that the log has grown, and every second in case it told nobody. A step that throws, whatever
 * it throws, is tried again, later each time.
 */
export const follow = (
  bus: Bus,
  step: (signal: AbortSignal) => Promise<boolean>,
  { onFailure, onSuccess = () => {} }: { onFailure: (error: unknown) => unknown; onSuccess?: () => void },
): Follower => {
  const stopping = new AbortController()
  const { signal } = stopping
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
    if (!hasGrown && !signal.aborted) await promise
    clearTimeout(timer)
  }

  const run = async () => {
    let failures = 0
    while (!signal.aborted) {
      hasGrown = false
      try {
        let hasMore = true
        while (hasMore && !signal.aborted) {
          hasMore = await step(signal)
          failures = 0
          onSuccess()
        }
        await rest()
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        await onFailure(error)
        await delay(retryDelayMs(failures, Math.random()), undefined, { signal }).catch(() => {})
      }
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
