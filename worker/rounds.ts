import { type Job, Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { runWith, systemContext } from '../events/log/context.ts'
import { asConnection, JOB_METRICS, QUEUES, queuePrefix } from '../events/log/queues.ts'
import type { RedisClient } from '../events/log/redis.ts'
import { reasonOf } from './reason.ts'

const LOOK_EVERY_MS = 250

/** How many rounds that failed are kept for operators to look at, and BullMQ's own events. */
const KEPT_FAILED = 20
const KEPT_EVENTS = 200

/**
 * Work that is done again and again, by one worker for all, and by each while Redis is away. Two may do it at once, and
 * doing it twice changes nothing.
 */
export type Round = {
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
 * Carries out rounds as BullMQ's schedules ask for them (`keepSchedules`), and by the clock of this process while Redis is
 * away. A round that fails is done again at its next time. `redis` must wait for Redis however long it is away.
 */
export const startRounds = (
  { rounds, logger, isRedisUp }: { rounds: readonly Round[]; logger: Pick<Logger, 'error'>; isRedisUp: () => boolean },
  redis: RedisClient,
  { prefix, onError }: RedisNames,
): { stop: () => Promise<void> } => {
  const atWork = new Map<Round, Promise<void>>()
  const begunAt = new Map<Round, number>()

  const carryOut = (round: Round) =>
    runWith(systemContext(round.name), async () => {
      try {
        await round.run()
      } catch (error) {
        logger.error({ err: error, round: round.name }, 'a round failed, trying again')
        throw new Error(reasonOf(error)) // BullMQ keeps the message
      }
    })

  /** Not twice at once in one process: a round that hangs must not have more and more behind it. */
  const begin = async (round: Round) => {
    if (atWork.has(round)) return
    begunAt.set(round, performance.now())
    const work = carryOut(round).finally(() => atWork.delete(round))
    atWork.set(round, work)
    await work
  }

  const worker = new Worker(
    QUEUES.upkeep,
    async ({ name }: Job) => {
      const round = rounds.find((each) => each.name === name)
      if (round) await begin(round)
    },
    {
      connection: asConnection(redis),
      prefix: queuePrefix(prefix),
      concurrency: rounds.length + 1,
      metrics: JOB_METRICS,
    },
  )
  worker.on('error', onError)

  const goOnWithoutRedis = () => {
    if (isRedisUp()) return
    const now = performance.now()
    for (const round of rounds) {
      const isDue = now - (begunAt.get(round) ?? Number.NEGATIVE_INFINITY) >= round.everyMs
      if (isDue) begin(round).catch(() => {})
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
