import { setTimeout as delay } from 'node:timers/promises'
import { type JobsOptions, Queue } from 'bullmq'
import type { ConsumerKey } from '../log/checkpoints.ts'
import { asConnection, QUEUES, queuePrefix } from '../stores/redis/queues.ts'
import type { RedisClient } from '../stores/redis/redis.ts'
import type { LogConsumer } from './acting-consumers.ts'
import { CONSUMERS } from './registry.ts'

/** How often BullMQ tries a job again, later each time. Then it counts as failed, and the next wake-up adds another. */
const ATTEMPTS = 10
/** How many failed jobs are stored for operators, and how many of BullMQ's own events. */
const MAX_FAILED_JOBS = 50
const MAX_QUEUE_EVENTS = 500

/** Opens the queue of the workers' work for adding. `redis` has to fail fast. */
export const openWorkQueue = (
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): Queue => {
  const queue = new Queue(QUEUES.work, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    streams: { events: { maxLen: MAX_QUEUE_EVENTS } },
    defaultJobOptions: {
      attempts: ATTEMPTS,
      backoff: { type: 'later' },
      stackTraceLimit: 0,
      removeOnComplete: true,
      removeOnFail: { count: MAX_FAILED_JOBS },
    },
  })
  queue.on('error', onError)
  return queue
}

/**
 * Wakes consumers of the log by jobs, which hold nothing personal. At most one job per consumer runs and one waits: a
 * wake-up during a run leads to another run after it, and one while a job waits is merged into that. Throws if Redis
 * cannot be reached.
 */
export const wakeConsumers = async (queue: Queue, consumers: readonly ConsumerKey[]): Promise<void> => {
  await queue.addBulk(
    consumers.map(({ name, version }) => ({
      name,
      data: { version },
      opts: { deduplication: { id: `${name}-${version}`, keepLastIfActive: true } } satisfies JobsOptions,
    })),
  )
}

/** Wakes the consumers of the log after a commit. */
export type Waker = {
  /** Wakes the consumers that handle events of these types. Returns immediately, and never throws. */
  wake: (types: Iterable<string>) => void
}

/** A node rests nine times as long as a call took: wake-ups take at most a tenth of its time. Views wait for the rest. */
const REST_PER_CALL = 9
const MAX_REST_MS = 8

/**
 * Wakes consumers with one call at a time: wake-ups during it, and in the rest after it, are sent with the next one,
 * once. So are those that come sooner than a consumer's minimum time between wake-ups. A wake-up that Redis does not
 * take is dropped: workers check Postgres every second.
 */
export const openWaker = (queue: Queue): Waker => {
  const consumersOf = new Map<string, LogConsumer[]>()
  for (const consumer of CONSUMERS) {
    for (const type of consumer.types) consumersOf.set(type, [...(consumersOf.get(type) ?? []), consumer])
  }
  const wanted = new Set<LogConsumer>()
  const wokenAt = new Map<LogConsumer, number>()
  let isAdding = false
  let timer: NodeJS.Timeout | undefined

  /** For how long a consumer is left alone yet. */
  const pauseOf = (consumer: LogConsumer) =>
    (wokenAt.get(consumer) ?? Number.NEGATIVE_INFINITY) + (consumer.wakeEveryMs ?? 0) - performance.now()

  const add = async () => {
    clearTimeout(timer)
    isAdding = true
    for (;;) {
      const due = [...wanted].filter((consumer) => pauseOf(consumer) <= 0)
      if (due.length === 0) break
      const begun = performance.now()
      for (const consumer of due) {
        wanted.delete(consumer)
        wokenAt.set(consumer, begun)
      }
      await wakeConsumers(queue, due).catch(() => {}) // the connection reports its errors itself
      const restMs = Math.min(REST_PER_CALL * (performance.now() - begun), MAX_REST_MS)
      await delay(restMs, undefined, { ref: false })
    }
    isAdding = false
    if (wanted.size > 0) timer = setTimeout(add, Math.max(1, Math.min(...[...wanted].map(pauseOf)))).unref()
  }

  return {
    wake: (types) => {
      for (const type of types) for (const consumer of consumersOf.get(type) ?? []) wanted.add(consumer)
      if (!isAdding && wanted.size > 0) add()
    },
  }
}
