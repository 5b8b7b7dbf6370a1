import type { Queue } from 'bullmq'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'

/** Scrapes wait for the other metrics too. */
const TIMEOUT_MS = 2_000

/** BullMQ's score of a job with a priority: the priority, and in these many lower values the order of arrival. */
const SCORES_OF_A_PRIORITY = 0x1_0000_0000

/** BullMQ's highest priority number. */
const MAX_PRIORITY = 2 ** 21

/** The oldest job of a priority that could be done now, and its age in seconds. */
type OldestJob = { queue: string; priority: number; ageS: number }

/**
 * The oldest waiting job of each priority that has one: two short look-ups for each. Jobs with a delay of their own do
 * not count.
 */
const oldestJobs = async (queue: Queue, redis: RedisClient): Promise<OldestJob[]> => {
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

/** The metric that a line of Prometheus's text format belongs to. */
const metricOf = (line: string) => /^(?:# (?:HELP|TYPE) )?([\w:]+)/.exec(line)?.[1] ?? ''

/**
 * Joins BullMQ's exports of several queues. The format wants the lines of a metric together, under one HELP and one
 * TYPE.
 */
export const joinExports = (texts: readonly string[]): string => {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  const byMetric = Map.groupBy(lines, metricOf)
  return [...byMetric.values()].flatMap((each) => [...new Set(each), '']).join('\n')
}

/** BullMQ's metrics of these queues as text, and their oldest jobs; nothing without Redis, rather than old values. */
export const measureQueues = async (
  queues: readonly Queue[],
  redis: RedisClient,
): Promise<{ text: string; oldest: OldestJob[] }> => {
  const work = Promise.all(
    queues.map(async (queue) => ({
      text: await queue.exportPrometheusMetrics(),
      oldest: await oldestJobs(queue, redis),
    })),
  )
  const measured = await withDeadline(work, { deadlineMs: TIMEOUT_MS }).catch(() => [])
  return { text: joinExports(measured.map(({ text }) => text)), oldest: measured.flatMap(({ oldest }) => oldest) }
}
