import type { Logger } from 'pino'
import type { Bus } from '../events/log/bus.ts'
import { type ConsumerKey, readCheckpoint } from '../events/log/checkpoints.ts'
import type { Sql } from '../events/log/connection.ts'
import { noteHalt } from '../events/log/consumers.ts'
import { runWith, systemContext } from '../events/log/context.ts'
import { KeyStoreError, LogIntegrityError } from '../events/log/errors.ts'
import { type Follower, follow } from '../events/log/follow.ts'
import { KeyError } from '../events/log/key-ring.ts'
import { watch } from './watchdog.ts'

/** After this long without one step that succeeds, the process ends, so that its supervisor starts it again. */
export const PATIENCE_MS = 5 * 60_000

/** What may pass by itself is noted beside the checkpoint only after this long. */
const NOTE_AFTER_MS = 60_000

/** What consumers of the log work with. */
export type Consuming = {
  sql: Sql
  bus: Bus
  logger: Logger
  patienceMs: number
  /** Whether Postgres, Redis and the keys' own database can be reached by connections of their own. */
  areStoresUp: () => Promise<boolean>
  /** Ends the process with this line. */
  giveUp: (line: string) => void
}

/** What does not pass by itself: the log, or a key, has to be put right, or newer code has to come. */
const isForGood = (error: unknown): error is LogIntegrityError | KeyError =>
  error instanceof LogIntegrityError || error instanceof KeyError

/** An error without what may be personal: a database's message can quote a value. */
const reasonOf = (error: unknown) => {
  if (isForGood(error) || error instanceof KeyStoreError) return error.message
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : ''
  return `${error instanceof Error ? error.name : typeof error}${code}`
}

/** Why a consumer does not go on, and what would let it. */
const haltOf = ({ name, version }: ConsumerKey, error: unknown) =>
  error instanceof LogIntegrityError
    ? `${error.message}; version ${version} of ${name} waits here for a worker that keeps this version and gets past it`
    : reasonOf(error)

/** Where a consumer is that the log has something for. Undefined where it has nothing, or cannot be asked. */
const positionBehind = async (sql: Sql, consumer: ConsumerKey): Promise<number | undefined> => {
  const checkpoint = await readCheckpoint(sql, consumer).catch(() => undefined)
  if (!checkpoint) return undefined
  return checkpoint.head > checkpoint.position || !checkpoint.isFilled ? checkpoint.position : undefined
}

/**
 * Keeps a consumer of the log going (`follow`), each step in a context of its own. Every failure is tried again, a
 * LogIntegrityError too: a worker of newer code may move the consumer past it. One that has failed for `patienceMs` without
 * a single success, while the log has something for it, ends the process. So does a step that hangs: one that for as long
 * neither ends nor reports progress (`onProgress`). Time in which Postgres, Redis or the keys' own database is away does
 * not count: then a restart cannot help, it would only stop what still works, again and again.
 */
export const consume = (
  { sql, bus, logger, patienceMs, areStoresUp, giveUp }: Consuming,
  consumer: ConsumerKey,
  step: (signal: AbortSignal, onProgress: () => void) => Promise<boolean>,
): Follower => {
  const { name, version } = consumer
  let failingSince: number | undefined

  const endProcess = (position: number, sinceMs: number, reason: string) =>
    giveUp(
      `${name} (version ${version}) has not come past position ${position} of the log for ${(sinceMs / 60_000).toFixed(1)} minutes: ${reason}`,
    )

  const positionThatCounts = async () => ((await areStoresUp()) ? await positionBehind(sql, consumer) : undefined)

  const watchdog = watch(patienceMs, async (hangingMs, isStillHanging) => {
    logger.error({ consumer: name, version, hangingMs: Math.round(hangingMs) }, 'consumer hangs')
    const position = await positionThatCounts()
    if (position === undefined || !isStillHanging()) return false
    endProcess(position, hangingMs, 'its step hangs')
    return true
  })

  const onFailure = async (error: unknown) => {
    const now = performance.now()
    failingSince ??= now
    const isHalt = isForGood(error)
    const failingMs = now - failingSince
    logger.error(
      { err: error, consumer: name, version },
      isHalt ? 'consumer halted, trying again' : 'consumer failed, trying again',
    )
    if (isHalt || failingMs > NOTE_AFTER_MS) {
      await noteHalt(sql, consumer, haltOf(consumer, error)).catch((failure) =>
        logger.error({ err: failure, consumer: name, version }, 'the halt could not be noted'),
      )
    }
    // an error about the log itself shows that Postgres answers: the rest is asked for once it matters
    if (isHalt && failingMs < patienceMs) return
    const position = await positionThatCounts()
    if (position === undefined) failingSince = undefined
    if (position === undefined || failingMs < patienceMs) return
    endProcess(position, failingMs, haltOf(consumer, error))
  }

  let context = systemContext(name)
  const stepInContext = (signal: AbortSignal) => {
    context = systemContext(name)
    watchdog.begin()
    return runWith(context, () => step(signal, watchdog.progress)).finally(watchdog.end)
  }

  const follower = follow(bus, stepInContext, {
    onFailure: (error) => runWith(context, () => onFailure(error)),
    onSuccess: () => {
      failingSince = undefined
    },
  })
  return {
    stop: () => {
      watchdog.stop()
      return follower.stop()
    },
  }
}
