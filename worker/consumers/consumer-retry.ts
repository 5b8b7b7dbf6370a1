import { type Backoff, backoffMs } from '../../events/base/backoff.ts'
import { errorCode } from '../../events/base/error-code.ts'
import { LogIntegrityError } from '../../events/keys/errors.ts'
import { isUnreadable, KeyError } from '../../events/keys/key-ring.ts'
import { type ConsumerKey, readCheckpoint } from '../../events/log/checkpoints.ts'
import { noteHalt } from '../../events/log/consumer-lag.ts'
import type { Consuming } from './consumer.ts'

/** After this long without a successful step, the process ends, so that its supervisor starts it again. */
export const EXIT_AFTER_MS = 5 * 60_000

/** The pauses after failures in a row. */
export const RETRY_PAUSES: Backoff = { firstMs: 500, growth: 2, longestMs: 10_000, random: 1 }

/** A failure that may pass by itself is recorded next to the checkpoint only after this long. */
const NOTE_AFTER_MS = 60_000

/** An error without personal data: a database's message can quote a value. */
export const reasonOf = (error: unknown): string => {
  if (isUnreadable(error)) return error.message
  return [error instanceof Error ? error.name : typeof error, errorCode(error)].filter(Boolean).join(' ')
}

/** `log` and `key` do not pass by themselves: the log or a key has to be repaired, or newer code has to come. */
const classify = (error: unknown) => {
  if (error instanceof LogIntegrityError) return 'log'
  return error instanceof KeyError ? 'key' : 'passing'
}

/**
 * `isFromPostgres`: the error itself shows that Postgres responds, so that the stores are checked only when it matters.
 */
const POLICY = {
  log: { line: 'consumer paused, trying again', noteAfterMs: 0, isFromPostgres: true },
  key: { line: 'consumer paused, trying again', noteAfterMs: 0, isFromPostgres: true },
  passing: { line: 'consumer failed, trying again', noteAfterMs: NOTE_AFTER_MS, isFromPostgres: false },
} as const

/** Failures in a row: since when, and at which position of the log. */
type Series = { since: number; position: number | undefined }

/**
 * Decides what follows from a consumer's failures. Its states: it succeeds; it fails, and is retried after growing
 * pauses; it fails for longer than `exitAfterMs` at one position, while the stores are available, and ends the process.
 */
export class RetryPolicy {
  readonly #consuming: Consuming
  readonly #key: ConsumerKey
  #failures = 0
  #retryAt = 0
  #series: Series | undefined

  constructor(consuming: Consuming, key: ConsumerKey) {
    this.#consuming = consuming
    this.#key = key
  }

  /** Whether it rests after a failure. */
  get isPaused(): boolean {
    return performance.now() < this.#retryAt
  }

  succeeded(): void {
    this.#series = undefined
    this.#failures = 0
    this.#retryAt = 0
  }

  async failed(error: unknown): Promise<void> {
    const { logger, exitAfterMs } = this.#consuming
    const { line, noteAfterMs, isFromPostgres } = POLICY[classify(error)]
    const now = performance.now()
    this.#series ??= { since: now, position: undefined }
    const series = this.#series
    this.#failures += 1
    this.#retryAt = now + backoffMs(RETRY_PAUSES, this.#failures)
    const failingMs = now - series.since
    logger.error({ err: error, consumer: this.#key.name, version: this.#key.version }, line)
    if (failingMs >= noteAfterMs) await this.#note(error)
    if (isFromPostgres && series.position !== undefined && failingMs < exitAfterMs) return
    const position = await this.pendingPosition()
    if (position === undefined || position !== (series.position ?? position)) this.#series = undefined
    else {
      series.position = position
      if (failingMs >= exitAfterMs) this.logAndExit(position, failingMs, this.#haltReason(error))
    }
  }

  /** The position of the consumer, if the log holds more for it. Undefined if not, or if a store is away. */
  async pendingPosition(): Promise<number | undefined> {
    const { sql, areStoresUp } = this.#consuming
    if (!(await areStoresUp())) return undefined
    const checkpoint = await readCheckpoint(sql, this.#key).catch(() => undefined)
    if (!checkpoint) return undefined
    return checkpoint.head > checkpoint.position || !checkpoint.isFilled ? checkpoint.position : undefined
  }

  logAndExit(position: number, sinceMs: number, reason: string): void {
    const { name, version } = this.#key
    this.#consuming.exit(
      `${name} (version ${version}) has not come past position ${position} of the log for ${(sinceMs / 60_000).toFixed(1)} minutes: ${reason}`,
    )
  }

  async #note(error: unknown) {
    const { sql, logger } = this.#consuming
    const { name, version } = this.#key
    await noteHalt(sql, this.#key, this.#haltReason(error)).catch((failure) =>
      logger.error({ err: failure, consumer: name, version }, 'the pause could not be recorded'),
    )
  }

  #haltReason(error: unknown) {
    const { name, version } = this.#key
    return error instanceof LogIntegrityError
      ? `${error.message}; version ${version} of ${name} waits here for a worker that keeps this version and gets past it`
      : reasonOf(error)
  }
}
