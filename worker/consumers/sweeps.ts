import { type Job, Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { runWith, systemContext } from '../../events/log/context.ts'
import { asConnection, JOB_METRICS, QUEUES, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import { reasonOf } from './reason.ts'

const LOOK_EVERY_MS = 250

/** How many sweeps that failed are kept for operators to look at, and BullMQ's own events. */
const KEPT_FAILED = 20
const KEPT_EVENTS = 200

/**
 * Work that is done again and again, by one worker for all, and by each while Redis is away. Two may do it at once, and
 * doing it twice changes nothing.
 */
export type Sweep = {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

type RedisNames = { prefix: string; onError: (error: Error) => void }

/** Opens the queue `upkeep` for adding. `redis` has to fail fast. */
export const openUpkeepQueue = (redis: RedisClient, { prefix, onError }: RedisNames): Queue => {
  const queue = new Queue(QUEUES.upkeep, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    streams: { events: { maxLen: KEPT_EVENTS } },
    defaultJobOptions: { stackTraceLimit: 0, removeOnComplete: true, removeOnFail: { count: KEPT_FAILED } },
  })
  queue.on('error', onError)
  return queue
}

/**
 * Carries out sweeps as BullMQ's schedules ask for them (`keepSchedules`), and by the clock of this process while Redis is
 * away. A sweep that fails is done again at its next time. `redis` must wait for Redis however long it is away.
 */
export const startSweeps = (
  { sweeps, logger, isRedisUp }: { sweeps: readonly Sweep[]; logger: Pick<Logger, 'error'>; isRedisUp: () => boolean },
  redis: RedisClient,
  { prefix, onError }: RedisNames,
): { stop: () => Promise<void> } => {
  const atWork = new Map<Sweep, Promise<void>>()
  const begunAt = new Map<Sweep, number>()

  const carryOut = (sweep: Sweep) =>
    runWith(systemContext(sweep.name), async () => {
      try {
        await sweep.run()
      } catch (error) {
        logger.error({ err: error, sweep: sweep.name }, 'a sweep failed, trying again')
        throw new Error(reasonOf(error)) // BullMQ keeps the message
      }
    })

  /** Not twice at once in one process: a sweep that hangs must not have more and more behind it. */
  const begin = async (sweep: Sweep) => {
    if (atWork.has(sweep)) return
    begunAt.set(sweep, performance.now())
    const work = carryOut(sweep).finally(() => atWork.delete(sweep))
    atWork.set(sweep, work)
    await work
  }

  const worker = new Worker(
    QUEUES.upkeep,
    async ({ name }: Job) => {
      const sweep = sweeps.find((each) => each.name === name)
      if (sweep) await begin(sweep)
    },
    {
      connection: asConnection(redis),
      prefix: queuePrefix(prefix),
      concurrency: sweeps.length + 1,
      metrics: JOB_METRICS,
    },
  )
  worker.on('error', onError)

  const goOnWithoutRedis = () => {
    if (isRedisUp()) return
    const now = performance.now()
    for (const sweep of sweeps) {
      const isDue = now - (begunAt.get(sweep) ?? Number.NEGATIVE_INFINITY) >= sweep.everyMs
      if (isDue) begin(sweep).catch(() => {})
    }
  }
  const timer = setInterval(goOnWithoutRedis, LOOK_EVERY_MS)

  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all([worker.close(), Promise.allSettled(atWork.values())])
    },
  }
}
