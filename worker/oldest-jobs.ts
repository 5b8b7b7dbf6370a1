import type { Queue } from 'bullmq'
import type { RedisClient } from '../events/log/redis.ts'

/** BullMQ's score of a job with a priority: the priority, and in these many lower values the order of arrival. */
const SCORES_OF_A_PRIORITY = 0x1_0000_0000

/** BullMQ's highest priority number. */
const MAX_PRIORITY = 2 ** 21

/** The oldest job of a priority that could be done now, and its age in seconds. */
export type OldestJob = { queue: string; priority: number; ageS: number }

/**
 * The oldest job that waits, of each priority that has one: two short look-ups for each. Jobs that wait for a time of their
 * own do not count.
 */
export const oldestJobs = async (queue: Queue, redis: RedisClient): Promise<OldestJob[]> => {
  const now = Date.now()
  const asOldest = (priority: number, timestamp: number): OldestJob => ({
    queue: queue.name,
    priority,
    ageS: Math.max(0, now - timestamp) / 1000,
  })
  const [waiting] = await queue.getJobs(['waiting'], 0, 0, true)
  const found = waiting ? [asOldest(0, waiting.timestamp)] : []
  for (let priority = 1; priority <= MAX_PRIORITY; priority += 1) {
    const from = priority * SCORES_OF_A_PRIORITY
    const [id, score] = await redis.zrangebyscore(queue.toKey('prioritized'), from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
    if (id === undefined) break
    priority = Math.floor(Number(score) / SCORES_OF_A_PRIORITY)
    const job = await queue.getJob(id)
    if (job) found.push(asOldest(priority, job.timestamp))
  }
  return found
}
