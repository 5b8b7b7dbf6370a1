import { Queue } from 'bullmq'
import { asConnection, queuePrefix } from '../events/log/queues.ts'
import type { RedisClient } from '../events/log/redis.ts'

const JOBS_PER_CALL = 500

/** The queue's name within the product's prefix. */
export const EMAIL_QUEUE = 'email'

/** How often BullMQ itself tries a job again; what fails for longer is queued again from the deliveries. */
const JOB_ATTEMPTS = 8

/** A job says which event to send, by id: nothing personal stands in Redis. */
export type EmailJob = { eventId: string }

/** Where deliveries are queued. */
export type EmailQueue = {
  /**
   * Queues events for sending, of which all workers together take one at a time; one that is queued already stays queued
   * once. Throws where Redis cannot be reached.
   */
  add: (eventIds: string[]) => Promise<void>
  /** The same for events that are due at once: one that waits in the queue for its next try waits no longer. */
  hurry: (eventIds: string[]) => Promise<void>
  close: () => Promise<void>
}

const jobIdOf = (eventId: string) => `fwd-${eventId}`

/** Opens the queue for adding. `redis` has to fail fast. */
export const openEmailQueue = (
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): EmailQueue => {
  const queue = new Queue<EmailJob>(EMAIL_QUEUE, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    defaultJobOptions: {
      attempts: JOB_ATTEMPTS,
      backoff: { type: 'forward' },
      removeOnComplete: true,
      removeOnFail: true,
    },
  })
  queue.on('error', onError)

  const add = async (eventIds: string[]) => {
    if (eventIds.length > 0) await queue.setGlobalConcurrency(1)
    for (let from = 0; from < eventIds.length; from += JOBS_PER_CALL) {
      const jobs = eventIds.slice(from, from + JOBS_PER_CALL)
      await queue.addBulk(
        jobs.map((eventId) => ({ name: 'forward', data: { eventId }, opts: { jobId: jobIdOf(eventId) } })),
      )
    }
  }

  return {
    add,
    hurry: async (eventIds) => {
      await add(eventIds)
      for (const eventId of eventIds) {
        const job = await queue.getJob(jobIdOf(eventId))
        if (!(await job?.isDelayed())) continue
        await job?.promote().catch(async (error) => {
          if (await job.isDelayed()) throw error // else it has begun meanwhile
        })
      }
    },
    close: () => queue.close(),
  }
}
