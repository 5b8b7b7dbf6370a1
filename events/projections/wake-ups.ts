import { type JobsOptions, Queue } from 'bullmq'
import type { LogConsumer } from '../log/acting-consumers.ts'
import type { ConsumerKey } from '../log/checkpoints.ts'
import { asConnection, QUEUES, queuePrefix } from '../log/queues.ts'
import type { RedisClient } from '../log/redis.ts'
import { CONSUMERS } from './registry.ts'

/** How often BullMQ tries a job again, later each time. Then it counts as failed, and the next wake-up adds another. */
const READ_ATTEMPTS = 10
const REBUILD_ATTEMPTS = 100
/** How many jobs that ended are kept for operators to look at. */
const KEPT_FAILED = 50
const KEPT_REBUILDS = 20
/** BullMQ's own events: nobody follows them for long. */
const KEPT_EVENTS = 500

/**
 * Has a reader of the log read on, or a view rebuilt (`onlyMissing`: unless it is filled by then). Nothing personal is
 * in it.
 */
export type ReaderJob = ConsumerKey & { onlyMissing?: boolean }

/** The name of jobs that rebuild a view; those that have a reader read on carry the reader's name. */
export const REBUILD_JOB = 'rebuild'

/** The name of the job that wakes all readers, each second. */
export const TICK_JOB = 'tick'

/** The queue `projections`. */
export type ReaderQueue = Queue<ReaderJob>

/** Opens the queue of the log's readers for adding. `redis` has to fail fast. */
export const openReaderQueue = (
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): ReaderQueue => {
  const queue: ReaderQueue = new Queue(QUEUES.projections, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    streams: { events: { maxLen: KEPT_EVENTS } },
    defaultJobOptions: {
      attempts: READ_ATTEMPTS,
      backoff: { type: 'later' },
      stackTraceLimit: 0,
      removeOnComplete: true,
      removeOnFail: { count: KEPT_FAILED },
    },
  })
  queue.on('error', onError)
  return queue
}

/**
 * A job that has a reader read on. At most one of a reader runs and one waits: a wake-up that comes while one runs leads to
 * another after it, and one that comes while one waits is part of that.
 */
const readJob = ({ name, version }: ConsumerKey) => ({
  name,
  data: { name, version },
  opts: { deduplication: { id: `${name}-${version}`, keepLastIfActive: true } } satisfies JobsOptions,
})

/** Wakes all readers of the log. Throws where Redis cannot be reached. */
export const wakeAll = async (queue: ReaderQueue): Promise<void> => {
  await queue.addBulk(CONSUMERS.map(readJob))
}

/**
 * Asks for a rebuild of a view, by a worker that keeps this version of it. One that waits or runs already is the one that
 * is answered. Throws where Redis cannot be reached.
 */
export const askForRebuild = (queue: ReaderQueue, { name, version }: ConsumerKey, { onlyMissing = false } = {}) =>
  queue.add(
    REBUILD_JOB,
    { name, version, onlyMissing },
    {
      attempts: REBUILD_ATTEMPTS,
      removeOnComplete: { count: KEPT_REBUILDS },
      deduplication: { id: `${REBUILD_JOB}-${name}-${version}` },
    },
  )

/** Wakes the readers of the log after a commit. */
export type Waker = {
  /** Wakes those that have something to do for events of these types. Returns at once, and never throws. */
  wake: (types: Iterable<string>) => void
}

/**
 * Wakes readers by jobs, with at most one call under way: what comes meanwhile goes out with the next one, once. So does
 * what comes sooner than a reader wants to be woken again. A wake-up that Redis does not take is dropped: readers look by
 * themselves each second.
 */
export const openWaker = (queue: ReaderQueue): Waker => {
  const readersOf = new Map<string, LogConsumer[]>()
  for (const reader of CONSUMERS) {
    for (const type of reader.types) readersOf.set(type, [...(readersOf.get(type) ?? []), reader])
  }
  const wanted = new Set<LogConsumer>()
  const wokenAt = new Map<LogConsumer, number>()
  let isAdding = false
  let timer: NodeJS.Timeout | undefined

  /** For how long a reader is left alone yet. */
  const pauseOf = (reader: LogConsumer) =>
    (wokenAt.get(reader) ?? Number.NEGATIVE_INFINITY) + (reader.wakeEveryMs ?? 0) - performance.now()

  const add = async () => {
    clearTimeout(timer)
    isAdding = true
    for (;;) {
      const due = [...wanted].filter((reader) => pauseOf(reader) <= 0)
      if (due.length === 0) break
      for (const reader of due) {
        wanted.delete(reader)
        wokenAt.set(reader, performance.now())
      }
      await queue.addBulk(due.map(readJob)).catch(() => {}) // the connection tells its errors itself
    }
    isAdding = false
    if (wanted.size > 0) timer = setTimeout(add, Math.max(1, Math.min(...[...wanted].map(pauseOf)))).unref()
  }

  return {
    wake: (types) => {
      for (const type of types) for (const reader of readersOf.get(type) ?? []) wanted.add(reader)
      if (!isAdding && wanted.size > 0) add()
    },
  }
}
