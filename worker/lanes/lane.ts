/**
 * How messages leave a worker: email by two lanes, webhooks by one. Rows in Postgres decide what is sent and when. A
 * lane is a queue of the ids of due rows; any worker takes one off and sends it: claim, attempt, record. A job for a
 * row that is not due, or that another worker has claimed, does nothing. Redis may lose jobs at any time: sweeps look
 * for due rows and queue them again.
 */

import { type Job, Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { MINUTE_MS } from '../../events/base/time.ts'
import { asConnection, JOB_METRICS, queuePrefix } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'

const JOBS_PER_CALL = 500

/** A row that is due. Those with priority 0 go first, then those with none, then 1, 2 and so on. */
export type DueMessage = { id: string; priority?: number }

/** A queue of due messages. */
export type Lane = {
  /** Queues messages, each once. Throws if Redis cannot be reached. */
  add: (due: readonly DueMessage[]) => Promise<void>
  close: () => Promise<void>
}

/** A call on a job that was taken off the queue by then does nothing. */
const unlessRemoved = async (call: Promise<unknown>, job: Job) => {
  await call.catch(async (error) => {
    if ((await job.getState()) === 'prioritized') throw error
  })
}

/**
 * Opens a lane for adding. All workers together send `concurrency` messages at once. `redis` has to fail fast. A job
 * holds only an id, so that Redis has no personal data.
 */
export const openLane = (
  { name, concurrency }: { name: string; concurrency: number },
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): Lane => {
  const queue = new Queue(name, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    defaultJobOptions: { stackTraceLimit: 0, removeOnComplete: true, removeOnFail: true },
  })
  queue.on('error', onError)

  /** A message that was queued behind others may have become urgent. */
  const raisePriority = (jobs: Job[]) =>
    Promise.all(
      jobs
        .filter(({ opts }) => opts.priority === 0)
        .map((job) => unlessRemoved(job.changePriority({ priority: 0 }), job)),
    )

  return {
    add: async (due) => {
      await queue.setGlobalConcurrency(concurrency) // Redis may have been emptied, and with it the queue's own settings
      for (let from = 0; from < due.length; from += JOBS_PER_CALL) {
        const part = due.slice(from, from + JOBS_PER_CALL)
        const jobs = part.map(({ id, ...priority }) => ({
          name: 'send',
          data: { id },
          opts: { jobId: id, ...priority },
        }))
        await raisePriority(await queue.addBulk(jobs))
      }
    },
    close: () => queue.close(),
  }
}

/**
 * Takes messages off a lane and sends them; all workers together begin `perMinute`, if it is given. A message whose
 * `send` throws is due again by its row. `redis` must wait for Redis however long it is away.
 */
export const startLane = (
  { name, concurrency, perMinute }: { name: string; concurrency: number; perMinute?: number | undefined },
  send: (id: string) => Promise<void>,
  { redis, prefix, logger }: { redis: RedisClient; prefix: string; logger: Pick<Logger, 'warn'> },
): { close: () => Promise<void> } => {
  const carryOut = async ({ data }: Job<{ id: string }>) => {
    try {
      await send(data.id)
    } catch (error) {
      logger.warn({ err: error, id: data.id, lane: name }, 'a message could not be sent, it is tried again')
      throw new Error('sending failed') // Redis gets this message; the other one can quote typed text
    }
  }
  const worker = new Worker<{ id: string }>(name, carryOut, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    concurrency,
    ...(perMinute && { limiter: { max: 1, duration: Math.ceil(MINUTE_MS / perMinute) } }),
    metrics: JOB_METRICS,
  })
  worker.on('error', (error) => logger.warn({ err: error.message, lane: name }, 'queue'))
  worker.on('stalled', (id) => logger.warn({ id, lane: name }, 'a job stalled'))
  return { close: () => worker.close() }
}
