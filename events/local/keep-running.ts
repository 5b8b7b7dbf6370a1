import { type Backoff, backoffMs } from '../base/backoff.ts'

/** Something that runs: a process, or a server. */
export type Running = {
  /** Settles with the reason once it has ended, by `stop` or by itself. */
  ended: Promise<string>
  stop: () => Promise<void>
}

export type Supervised<T extends Running> = {
  /** The one that runs now, or ran last. */
  current: () => T
  /** Stops it and starts it again, as after a change of its source. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

const PAUSES: Backoff = { firstMs: 500, growth: 2, longestMs: 30_000, random: 0 }
/** A program that ran this long is well: the next time it ends the pauses begin again. */
const STEADY_AFTER_MS = 60_000

/** Starts something and starts it again whenever it ends by itself, later each time. Throws if the first start fails. */
export async function keepRunning<T extends Running>(
  name: string,
  start: () => Promise<T>,
  print: (line: string) => void,
): Promise<Supervised<T>> {
  let current = await start()
  let startedAt = Date.now()
  let failures = 0
  let isStopping = false
  let isRestarting = false
  let wake = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const pauseAfter = async (how: string) => {
    failures = Date.now() - startedAt > STEADY_AFTER_MS ? 1 : failures + 1
    const pauseMs = backoffMs(PAUSES, failures)
    print(`${name} ended (${how}): starting it again in ${pauseMs / 1000} s`)
    await pause(pauseMs)
  }
  /** Starts it and waits for its end. Returns the reason. */
  const startAgain = async () => {
    startedAt = Date.now()
    try {
      current = await start()
      if (isStopping) await current.stop()
      return await current.ended
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const watch = async () => {
    let how = await current.ended
    while (!isStopping) {
      if (!isRestarting) await pauseAfter(how)
      isRestarting = false
      if (!isStopping) how = await startAgain()
    }
  }
  const watching = watch()

  return {
    current: () => current,
    restart: async () => {
      isRestarting = true
      wake()
      await current.stop()
    },
    stop: async () => {
      isStopping = true
      wake()
      await current.stop()
      await watching
    },
  }
}
