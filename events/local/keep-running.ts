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

const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 30_000
/** A program that ran this long is well: the next time it ends the back-off begins again. */
const STEADY_AFTER_MS = 60_000

/** Starts something and starts it again whenever it ends by itself, later each time. Throws if the first start fails. */
export async function keepRunning<T extends Running>(
  name: string,
  start: () => Promise<T>,
  print: (line: string) => void,
): Promise<Supervised<T>> {
  let current = await start()
  let startedAt = Date.now()
  let backoffMs = FIRST_BACKOFF_MS
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
  const watch = async () => {
    let how = await current.ended
    while (!isStopping) {
      if (!isRestarting) {
        if (Date.now() - startedAt > STEADY_AFTER_MS) backoffMs = FIRST_BACKOFF_MS
        print(`${name} ended (${how}): starting it again in ${backoffMs / 1000} s`)
        await pause(backoffMs)
        backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS)
      }
      isRestarting = false
      if (isStopping) return
      try {
        current = await start()
        startedAt = Date.now()
        if (isStopping) await current.stop()
        how = await current.ended
      } catch (error) {
        how = error instanceof Error ? error.message : String(error)
      }
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
