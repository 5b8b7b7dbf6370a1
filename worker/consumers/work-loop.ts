/**
 * How work begins in a worker.
 *
 * BullMQ wakes and schedules it, by one queue for all workers: a node adds a job for each consumer that handles the
 * stored events (events/consumers/wake-ups.ts), and each sweep has a schedule. Redis may lose both at any time. So each
 * worker has one timer, which every second
 * - looks in Postgres for consumers that an event waits for, and wakes them again; it runs those here that no job has
 *   begun for 3 s, and all of them while Redis is away;
 * - makes missing schedules again, every 5 s;
 * - runs sweeps that are due by the clock of this process, while Redis is away.
 *
 * Two workers may do the same at once: a checkpoint is moved once, and sweeps are idempotent.
 */

import { type Job, type Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { backoffMs } from '../../events/base/backoff.ts'
import { SECOND_MS } from '../../events/base/time.ts'
import { wakeConsumers } from '../../events/consumers/wake-ups.ts'
import { readConsumers } from '../../events/log/consumer-lag.ts'
import { runWith, systemContext } from '../../events/process/context.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import { asConnection, JOB_METRICS, QUEUES, queuePrefix } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import type { Consumer } from './consumer.ts'
import { RETRY_PAUSES, reasonOf } from './consumer-retry.ts'

const LOOK_EVERY_MS = 1_000
const LOOK_AT_REDIS_EVERY_MS = 5_000
const REDIS_DEADLINE_MS = 4_000

/** An event that has waited for less is about to be read: a consumer is woken each 250 ms at the latest. */
const EXPECTED_MS = 300

/** An event that has waited for so long was not announced: its job is lost, or held by a dead worker. */
const UNANNOUNCED_MS = 3_000

/** A schedule whose next job is this late has lost it, or no worker takes its jobs: it is made again. */
const LOST_AFTER_MS = 15_000

/**
 * A job of a worker that was killed goes to another one after the first of these at the earliest, and after both together
 * at the latest. A lock that runs out under a worker that lives does no harm.
 */
const LOCK_MS = 10_000
const LOOK_FOR_STALLED_MS = 5_000
const MAX_STALLS = 20

/** Work that is done again and again, by one worker for all. Doing it twice changes nothing. */
export type Sweep = { name: string; everyMs: number; run: () => Promise<unknown> }

/** The work of a worker. `onRedis` is called each time Redis was found to be there. */
type Work = {
  sql: Sql
  logger: Pick<Logger, 'warn' | 'error'>
  consumers: readonly Consumer[]
  sweeps: readonly Sweep[]
  /** Its connection has to fail fast. */
  queue: Queue
  onRedis?: () => Promise<void>
}

/**
 * Begins the work of one worker, from its construction until `stop`. Its states: Redis is up, or down since the last
 * check.
 */
export class WorkLoop {
  readonly #work: Work
  readonly #worker: Worker
  readonly #timer: NodeJS.Timeout
  #redis: 'up' | 'down' = 'up'
  #lookAtRedisAt = 0
  /** The checks, reads and sweeps that this process has begun, by name. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  readonly #sweptAt = new Map<string, number>()

  /** `redis` must wait for Redis however long it is away. */
  constructor(
    work: Work,
    redis: RedisClient,
    { prefix, onError }: { prefix: string; onError: (error: Error) => void },
  ) {
    this.#work = work
    this.#worker = new Worker(QUEUES.work, (job) => this.#carryOut(job), {
      connection: asConnection(redis),
      prefix: queuePrefix(prefix),
      concurrency: work.consumers.length + work.sweeps.length,
      metrics: JOB_METRICS,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_FOR_STALLED_MS,
      maxStalledCount: MAX_STALLS,
      settings: { backoffStrategy: (attempts = 1) => backoffMs(RETRY_PAUSES, attempts) },
    })
    this.#worker.on('error', onError)
    this.#look()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#worker.close()
    await Promise.allSettled(this.#underWay.values())
  }

  /**
   * A job of a version that this code does not maintain is dropped: the workers that maintain it look by themselves.
   */
  async #carryOut({ name, data }: Job) {
    const { consumers, sweeps } = this.#work
    const sweep = sweeps.find((each) => each.name === name)
    if (sweep) await this.#once(name, () => this.#sweep(sweep))
    else await consumers.find((each) => each.name === name && each.version === data.version)?.read()
  }

  #look() {
    const now = performance.now()
    for (const consumer of this.#work.consumers) consumer.look()
    this.#runSilently('look at the log', () => this.#wakeWaiting())
    if (now >= this.#lookAtRedisAt) {
      this.#lookAtRedisAt = now + LOOK_AT_REDIS_EVERY_MS
      this.#runSilently('look at Redis', () => this.#lookAtRedis())
    }
    if (this.#redis === 'up') return
    for (const sweep of this.#work.sweeps) {
      const isDue = now - (this.#sweptAt.get(sweep.name) ?? Number.NEGATIVE_INFINITY) >= sweep.everyMs
      if (isDue) this.#runSilently(sweep.name, () => this.#sweep(sweep))
    }
  }

  /** Begins work unless this process is at it: work that hangs must not have more and more behind it. */
  async #once(name: string, work: () => Promise<unknown>) {
    if (this.#underWay.has(name)) return
    const running = work().finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, running)
    await running
  }

  /** The same for work that has reported its failure itself. */
  #runSilently(name: string, work: () => Promise<unknown>) {
    this.#once(name, work).catch(() => {})
  }

  /** How long an event has waited for each consumer. If Postgres cannot say, all are due: they report why. */
  async #waiting() {
    const read = await readConsumers(this.#work.sql).catch(() => undefined)
    return this.#work.consumers.map((consumer) => {
      const known = read?.consumers.find(({ name, version }) => name === consumer.name && version === consumer.version)
      if (read && !known) return { consumer, waitingMs: 0 }
      const isDue = !known?.isFilled || !known.isSameLog
      return { consumer, waitingMs: isDue ? Number.POSITIVE_INFINITY : known.waitingMs }
    })
  }

  async #wakeWaiting() {
    const [expectedMs, allowedMs] = this.#redis === 'up' ? [EXPECTED_MS, UNANNOUNCED_MS] : [0, 0]
    const waiting = (await this.#waiting()).filter(({ waitingMs }) => waitingMs > expectedMs)
    const overdue = waiting.filter(({ waitingMs }) => waitingMs > allowedMs)
    for (const { consumer } of overdue) if (!consumer.isBusy) this.#runSilently(consumer.name, () => consumer.read())
    const others = waiting.filter((each) => !overdue.includes(each)).map(({ consumer }) => consumer)
    if (others.length > 0) await wakeConsumers(this.#work.queue, others)
  }

  async #lookAtRedis() {
    const { sweeps, logger, onRedis } = this.#work
    const now = Date.now()
    // sweeps that begin together would keep consumers waiting: each has its own part of a second
    const startOf = (index: number) => now + Math.floor(((index + 1) * SECOND_MS) / sweeps.length)
    try {
      await withDeadline(Promise.all(sweeps.map((sweep, index) => this.#ensureSchedule(sweep, startOf(index)))), {
        deadlineMs: REDIS_DEADLINE_MS,
      })
      this.#redis = 'up'
      await onRedis?.()
    } catch (error) {
      if (this.#redis === 'up') logger.warn({ err: error }, 'Redis is away: this worker works by its own clock')
      this.#redis = 'down'
    }
  }

  async #ensureSchedule({ name, everyMs }: Sweep, startDate: number) {
    const { queue } = this.#work
    const known = await queue.getJobScheduler(name)
    if (known?.every === everyMs && (known.next ?? 0) > Date.now() - LOST_AFTER_MS) return
    const opts = { attempts: 1, removeOnComplete: true }
    await queue.upsertJobScheduler(name, { every: everyMs, startDate }, { name, data: {}, opts })
  }

  #sweep(sweep: Sweep) {
    this.#sweptAt.set(sweep.name, performance.now())
    return runWith(systemContext(sweep.name), async () => {
      try {
        await sweep.run()
      } catch (error) {
        this.#work.logger.error({ err: error, sweep: sweep.name }, 'a sweep failed, trying again')
        throw new Error(reasonOf(error)) // BullMQ stores the message
      }
    })
  }
}
