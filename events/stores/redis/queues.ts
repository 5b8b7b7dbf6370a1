import { type ConnectionOptions, MetricsTime } from 'bullmq'
import type { RedisClient } from './redis.ts'

/**
 * The names of BullMQ's queues within the product's prefix. Redis may lose each of them at any time: the log and the
 * tables decide which work is left.
 */
export const QUEUES = {
  /** One job per consumer of the log, and the sweeps that a schedule repeats. */
  work: 'work',
  /** Email through the form-to-email service. */
  emailService: 'email-service',
  /** Email through SMTP. */
  emailSmtp: 'email-smtp',
  /** Messages to other programs. */
  webhooks: 'webhooks',
} as const

/** The metrics that BullMQ counts of a queue for workers: its finished and failed jobs of each minute of a week. */
export const JOB_METRICS = { maxDataPoints: MetricsTime.ONE_WEEK }

/** BullMQ's own names begin with the product's prefix (`redisPrefix`), without its colon. */
export const queuePrefix = (prefix: string): string => prefix.replace(/:$/, '')

/** ioredis 6 is newer than the client type that BullMQ declares; BullMQ is tested with this client. */
export const asConnection = (redis: RedisClient): ConnectionOptions => redis as unknown as ConnectionOptions
