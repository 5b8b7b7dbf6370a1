import { Worker } from 'bullmq'
import { asConnection, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import { EMAIL_QUEUE, type EmailJob } from '../queue.ts'
import { backoffMs } from './attempt.ts'
import { type Forwarding, forward, RetrySoon } from './forward.ts'

/** The service refuses bursts: one e-mail at a time over all workers (the queue sees to that), and a gap between them. */
const GAP_MS = 1_000

/** Forwards. BullMQ keeps the message of an error in Redis, and a message can quote what people typed: it stays in the log. */
const forwardWithoutWords = async (forwarding: Forwarding, eventId: string) => {
  try {
    await forward(forwarding, eventId)
  } catch (error) {
    throw error instanceof RetrySoon ? error : new Error('forwarding failed')
  }
}

/** Takes jobs off the queue and forwards them. `redis` must wait for Redis however long it is away. */
export const startSender = (forwarding: Forwarding, redis: RedisClient, prefix: string) => {
  const { config, logger } = forwarding
  const worker = new Worker<EmailJob>(EMAIL_QUEUE, ({ data }) => forwardWithoutWords(forwarding, data.eventId), {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    concurrency: 1,
    ...(config.emailForwardUrl && { limiter: { max: 1, duration: GAP_MS } }),
    settings: {
      backoffStrategy: (attempts, _type, error) =>
        error instanceof RetrySoon ? error.retryAfterMs : backoffMs(attempts, Math.random()),
    },
  })
  worker.on('error', (error) => logger.warn({ err: error.message }, 'queue'))
  worker.on('stalled', (jobId) => logger.warn({ jobId }, 'a job stalled'))
  return worker
}
