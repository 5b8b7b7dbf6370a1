import type { Logger } from 'pino'
import type { ConsumerKey } from '../../events/log/checkpoints.ts'
import type { Sql } from '../../events/log/connection.ts'
import { runWith, systemContext } from '../../events/log/context.ts'
import { reasonOf } from './reason.ts'
import { openPatience, type Patience } from './retry-policy.ts'

/** What readers of the log work with. */
export type Reading = {
  sql: Sql
  logger: Logger
  /** Aborted when the process is asked to end. */
  signal: AbortSignal
  patienceMs: number
  /** Whether Postgres, Redis and the keys' own database can be reached by connections of their own. */
  areStoresUp: () => Promise<boolean>
  /** Ends the process with this line. */
  giveUp: (line: string) => void
}

/** A piece of a reader's work. It calls `onAlive` while it goes on. */
export type Work<T> = (signal: AbortSignal, onAlive: () => void) => Promise<T>

/**
 * What came of a step: there may be more, there is no more, or nothing can be done here until somebody else has done
 * something, which counts as neither success nor failure.
 */
export type StepOutcome = 'more' | 'done' | 'blocked'

/** A reader of the log in this process. */
export type Reader = ConsumerKey & {
  /**
   * Reads on until the log has nothing more. One call at a time reads; the next one begins after it. Throws what stopped
   * it, without what may be personal, once it is logged and noted.
   */
  read: () => Promise<void>
  /** Does other work on what this reader keeps, and counts it as the reader's own: a rebuild. Throws as `read` does. */
  attempt: <T>(work: Work<T>) => Promise<T>
  /** Whether it is at work, or waits after a failure before it is worth another try. */
  readonly isBusy: boolean
  /** Looks whether its work hangs, and ends the process if that helps. */
  look: () => Promise<void>
}

/** One piece of work that is under way, and when it last said that it is alive. */
type UnderWay = { aliveAt: number }

/** Looks for work that hangs: it has said nothing for `patienceMs`, while the log has something for it. */
const lookForHanging = async (
  underWay: ReadonlySet<UnderWay>,
  { logger, patienceMs }: Reading,
  { name, version, patience }: ConsumerKey & { patience: Patience },
) => {
  for (const own of underWay) {
    const begun = own.aliveAt
    const hangingMs = performance.now() - begun
    if (hangingMs < patienceMs) continue
    logger.error({ consumer: name, version, hangingMs: Math.round(hangingMs) }, 'consumer hangs')
    const position = await patience.positionThatCounts()
    if (own.aliveAt !== begun || !underWay.has(own)) continue
    if (position === undefined) own.aliveAt = performance.now()
    else {
      own.aliveAt = Number.POSITIVE_INFINITY
      patience.endProcess(position, hangingMs, 'its step hangs')
    }
  }
}

/**
 * Opens a reader. `step` processes one batch. Every failure is meant to be tried
 * again, a LogIntegrityError too: a worker of newer code may move the reader past it. A reader that has failed for
 * `patienceMs` without a single success, and without coming further, while the log has something for it, ends the process.
 * So does work that hangs: for as long it neither ends nor calls `onAlive`. Time in which Postgres, Redis or the keys' own
 * database is away does not count: then a restart cannot help, it would only stop what still works, again and again.
 */
export const openReader = (reading: Reading, { name, version }: ConsumerKey, step: Work<StepOutcome>): Reader => {
  const key = { name, version }
  const { signal } = reading
  const patience = openPatience(reading, key)
  const underWay = new Set<UnderWay>()
  let current: Promise<void> | undefined
  let isLooking = false

  const run = <T>(work: Work<T>) =>
    runWith(systemContext(name), async () => {
      const own = { aliveAt: performance.now() }
      const onAlive = () => {
        own.aliveAt = performance.now()
      }
      underWay.add(own)
      try {
        return await work(signal, onAlive)
      } catch (error) {
        underWay.delete(own) // else what follows could count as hanging
        if (!signal.aborted) await patience.failed(error)
        throw new Error(reasonOf(error))
      } finally {
        underWay.delete(own)
      }
    })

  const readOn = async () => {
    let outcome: StepOutcome = 'more'
    while (outcome === 'more' && !signal.aborted) {
      outcome = await run(step)
      if (outcome !== 'blocked') patience.succeeded()
    }
  }

  return {
    ...key,
    attempt: async (work) => {
      const result = await run(work)
      patience.succeeded()
      return result
    },
    read: async () => {
      while (current) await current.catch(() => {})
      current = readOn().finally(() => {
        current = undefined
      })
      await current
    },
    get isBusy() {
      return current !== undefined || patience.isWaiting
    },
    look: async () => {
      if (isLooking) return
      isLooking = true
      await lookForHanging(underWay, reading, { ...key, patience })
      isLooking = false
    },
  }
}
