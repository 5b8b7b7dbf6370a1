import type { Logger } from 'pino'
import type { ConsumerKey } from '../../events/log/checkpoints.ts'
import { runWith, systemContext } from '../../events/process/context.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { RetryPolicy, reasonOf } from './consumer-retry.ts'

/** The dependencies of consumers of the log. */
export type Consuming = {
  sql: Sql
  logger: Logger
  /** Aborted when the process is asked to end. */
  signal: AbortSignal
  exitAfterMs: number
  /** Whether Postgres, Redis and the keys' own database can be reached by new connections. */
  areStoresUp: () => Promise<boolean>
  /** Ends the process with this line. */
  exit: (line: string) => void
}

/**
 * The result of a step: there may be more, there is no more, or nothing can be done here until another worker has done
 * something, which counts as neither success nor failure.
 */
export type StepOutcome = 'more' | 'done' | 'blocked'

/** Processes one batch. It calls `onAlive` while it works. */
export type Step = (signal: AbortSignal, onAlive: () => void) => Promise<StepOutcome>

/**
 * A consumer of the log in this process. Its states: idle; reading, one call at a time; resting after a failure.
 *
 * Every failure is retried, also a LogIntegrityError: a worker of newer code may move the consumer past it. A consumer
 * that has failed for `exitAfterMs` without a success or any progress, while the log has events for it, ends the
 * process. So does a step that hangs: one that neither ends nor calls `onAlive` for as long. The time in which
 * Postgres, Redis or the keys' own database is away does not count: a restart cannot help then, it would only stop the
 * parts that still work.
 */
export class Consumer {
  readonly name: string
  readonly version: number
  readonly #consuming: Consuming
  readonly #step: Step
  readonly #retries: RetryPolicy
  /** The current read, and when its step last showed that it is alive. */
  #reading: Promise<void> | undefined
  #aliveAt: number | undefined
  #isLooking = false

  constructor(consuming: Consuming, { name, version }: ConsumerKey, step: Step) {
    this.name = name
    this.version = version
    this.#consuming = consuming
    this.#step = step
    this.#retries = new RetryPolicy(consuming, { name, version })
  }

  /** Whether it is reading, or rests after a failure. */
  get isBusy(): boolean {
    return this.#reading !== undefined || this.#retries.isPaused
  }

  /**
   * Reads until the log has nothing more. One call at a time reads; the next one begins after it. Throws the error that
   * stopped it, without personal data, once it is logged and noted.
   */
  async read(): Promise<void> {
    while (this.#reading) await this.#reading.catch(() => {})
    this.#reading = this.#readOn().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  /** Checks whether its step hangs, and ends the process if that helps. */
  async look(): Promise<void> {
    const startedAt = this.#aliveAt
    if (this.#isLooking || startedAt === undefined) return
    const { logger, exitAfterMs } = this.#consuming
    const hangingMs = performance.now() - startedAt
    if (hangingMs < exitAfterMs) return
    this.#isLooking = true
    logger.error({ consumer: this.name, version: this.version, hangingMs: Math.round(hangingMs) }, 'consumer hangs')
    const position = await this.#retries.pendingPosition()
    if (this.#aliveAt === startedAt) {
      this.#aliveAt = position === undefined ? performance.now() : Number.POSITIVE_INFINITY
      if (position !== undefined) this.#retries.logAndExit(position, hangingMs, 'its step hangs')
    }
    this.#isLooking = false
  }

  async #readOn() {
    let outcome: StepOutcome = 'more'
    while (outcome === 'more' && !this.#consuming.signal.aborted) {
      outcome = await runWith(systemContext(this.name), () => this.runStep())
      if (outcome !== 'blocked') this.#retries.succeeded()
    }
  }

  async runStep() {
    const { signal } = this.#consuming
    const onAlive = () => {
      this.#aliveAt = performance.now()
    }
    onAlive()
    try {
      return await this.#step(signal, onAlive)
    } catch (error) {
      this.#aliveAt = undefined // the rest must not count as hanging
      if (!signal.aborted) await this.#retries.failed(error)
      throw new Error(reasonOf(error))
    } finally {
      this.#aliveAt = undefined
    }
  }
}
