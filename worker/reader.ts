import type { Logger } from 'pino'
import { type ConsumerKey, readCheckpoint } from '../events/log/checkpoints.ts'
import type { Sql } from '../events/log/connection.ts'
import { noteHalt } from '../events/log/consumers.ts'
import { runWith, systemContext } from '../events/log/context.ts'
import { LogIntegrityError } from '../events/log/errors.ts'
import { isForGood, reasonOf } from './reason.ts'
import { retryDelayMs } from './retry.ts'

/** After this long without one step that succeeds, the process ends, so that its supervisor starts it again. */
export const PATIENCE_MS = 5 * 60_000

/** What may pass by itself is noted beside the checkpoint only after this long. */
const NOTE_AFTER_MS = 60_000

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

/** Why a reader does not go on, and what would let it. */
const haltOf = ({ name, version }: ConsumerKey, error: unknown) =>
  error instanceof LogIntegrityError
    ? `${error.message}; version ${version} of ${name} waits here for a worker that keeps this version and gets past it`
    : reasonOf(error)

/**
 * Opens a reader. `step` processes one batch. Every failure is meant to be tried
 * again, a LogIntegrityError too: a worker of newer code may move the reader past it. A reader that has failed for
 * `patienceMs` without a single success, and without coming further, while the log has something for it, ends the process.
 * So does work that hangs: for as long it neither ends nor calls `onAlive`. Time in which Postgres, Redis or the keys' own
 * database is away does not count: then a restart cannot help, it would only stop what still works, again and again.
 */
export const openReader = (
  { sql, logger, signal, patienceMs, areStoresUp, giveUp }: Reading,
  { name, version }: ConsumerKey,
  step: Work<StepOutcome>,
): Reader => {
  const key = { name, version }
  const underWay = new Set<{ aliveAt: number }>()
  let failures = 0
  let retryAt = 0
  /** Since when it has failed without a success, and where. */
  let failing: { since: number; position: number | undefined } | undefined
  let reading: Promise<void> | undefined
  let isLooking = false

  const endProcess = (position: number, sinceMs: number, reason: string) =>
    giveUp(
      `${name} (version ${version}) has not come past position ${position} of the log for ${(sinceMs / 60_000).toFixed(1)} minutes: ${reason}`,
    )

  /** Where it is that the log has something for it. Undefined where that is not so, or a store is away. */
  const positionThatCounts = async () => {
    if (!(await areStoresUp())) return undefined
    const checkpoint = await readCheckpoint(sql, key).catch(() => undefined)
    if (!checkpoint) return undefined
    return checkpoint.head > checkpoint.position || !checkpoint.isFilled ? checkpoint.position : undefined
  }

  const onFailure = async (error: unknown) => {
    const now = performance.now()
    const isHalt = isForGood(error)
    failing ??= { since: now, position: undefined }
    const series = failing
    failures += 1
    retryAt = now + retryDelayMs(failures, Math.random())
    const failingMs = now - series.since
    logger.error(
      { err: error, consumer: name, version },
      isHalt ? 'consumer paused, trying again' : 'consumer failed, trying again',
    )
    if (isHalt || failingMs > NOTE_AFTER_MS) {
      await noteHalt(sql, key, haltOf(key, error)).catch((failure) =>
        logger.error({ err: failure, consumer: name, version }, 'the pause could not be noted'),
      )
    }
    // an error about the log itself shows that Postgres answers: the rest is asked for once it matters
    if (isHalt && series.position !== undefined && failingMs < patienceMs) return
    const position = await positionThatCounts()
    if (position === undefined || position !== (series.position ?? position)) failing = undefined
    else {
      series.position = position
      if (failingMs >= patienceMs) endProcess(position, failingMs, haltOf(key, error))
    }
  }

  const onSuccess = () => {
    failing = undefined
    failures = 0
    retryAt = 0
  }

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
        if (!signal.aborted) await onFailure(error)
        throw new Error(reasonOf(error))
      } finally {
        underWay.delete(own)
      }
    })

  const readOn = async () => {
    let outcome: StepOutcome = 'more'
    while (outcome === 'more' && !signal.aborted) {
      outcome = await run(step)
      if (outcome !== 'blocked') onSuccess()
    }
  }

  return {
    ...key,
    attempt: async (work) => {
      const result = await run(work)
      onSuccess()
      return result
    },
    read: async () => {
      while (reading) await reading.catch(() => {})
      reading = readOn().finally(() => {
        reading = undefined
      })
      await reading
    },
    get isBusy() {
      return reading !== undefined || performance.now() < retryAt
    },
    look: async () => {
      if (isLooking) return
      isLooking = true
      for (const own of underWay) {
        const begun = own.aliveAt
        const hangingMs = performance.now() - begun
        if (hangingMs < patienceMs) continue
        logger.error({ consumer: name, version, hangingMs: Math.round(hangingMs) }, 'consumer hangs')
        const position = await positionThatCounts()
        if (own.aliveAt !== begun || !underWay.has(own)) continue
        if (position === undefined) own.aliveAt = performance.now()
        else {
          own.aliveAt = Number.POSITIVE_INFINITY
          endProcess(position, hangingMs, 'its step hangs')
        }
      }
      isLooking = false
    },
  }
}
