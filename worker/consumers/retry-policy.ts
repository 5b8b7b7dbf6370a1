import { type ConsumerKey, readCheckpoint } from '../../events/log/checkpoints.ts'
import { noteHalt } from '../../events/log/consumers.ts'
import { LogIntegrityError } from '../../events/log/errors.ts'
import type { Reading } from './consumer.ts'
import { isForGood, reasonOf } from './reason.ts'
import { retryDelayMs } from './retry.ts'

/** After this long without one step that succeeds, the process ends, so that its supervisor starts it again. */
export const PATIENCE_MS = 5 * 60_000

/** What may pass by itself is noted beside the checkpoint only after this long. */
const NOTE_AFTER_MS = 60_000

/** Why a reader does not go on, and what would let it. */
const haltOf = ({ name, version }: ConsumerKey, error: unknown) =>
  error instanceof LogIntegrityError
    ? `${error.message}; version ${version} of ${name} waits here for a worker that keeps this version and gets past it`
    : reasonOf(error)

/**
 * Keeps count of a reader's failures in a row. The states: it succeeds; it fails, and is tried again after growing pauses;
 * it fails for longer than `patienceMs` at one position, while the stores are there, and ends the process.
 */
export const openPatience = ({ sql, logger, patienceMs, areStoresUp, giveUp }: Reading, key: ConsumerKey) => {
  const { name, version } = key
  let failures = 0
  let retryAt = 0
  /** Since when it has failed without a success, and where. */
  let failing: { since: number; position: number | undefined } | undefined

  const endProcess = (position: number, sinceMs: number, reason: string) =>
    giveUp(
      `${name} (version ${version}) has not come past position ${position} of the log for ${(sinceMs / 60_000).toFixed(1)} minutes: ${reason}`,
    )

  /** The position of the consumer, if the log holds more for it. Undefined if not, or if a store is away. */
  const positionThatCounts = async () => {
    if (!(await areStoresUp())) return undefined
    const checkpoint = await readCheckpoint(sql, key).catch(() => undefined)
    if (!checkpoint) return undefined
    return checkpoint.head > checkpoint.position || !checkpoint.isFilled ? checkpoint.position : undefined
  }

  const failed = async (error: unknown) => {
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

  const succeeded = () => {
    failing = undefined
    failures = 0
    retryAt = 0
  }

  return {
    endProcess,
    positionThatCounts,
    failed,
    succeeded,
    /** Whether it waits after a failure before it is worth another try. */
    get isWaiting() {
      return performance.now() < retryAt
    },
  }
}

export type Patience = ReturnType<typeof openPatience>
