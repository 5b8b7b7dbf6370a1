import { Queue } from 'bullmq'
import type { Sql } from '../../events/log/connection.ts'
import { asConnection, QUEUES, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import { dueWebhookDeliveries } from '../../events/projections/webhook-deliveries.ts'

/** A job says which delivery to send, by id: nothing personal is in Redis. */
export type WebhookJob = { deliveryId: string }

/**
 * Where deliveries to webhooks are queued. The table decides what is sent: a job that comes too early, or twice, does
 * nothing.
 */
export type WebhookQueue = { addDue: () => Promise<void>; close: () => Promise<void> }

/** Opens the queue of webhooks for adding. `redis` has to fail fast. */
export const openWebhookQueue = (
  sql: Sql,
  redis: RedisClient,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): WebhookQueue => {
  const queue = new Queue<WebhookJob>(QUEUES.webhooks, {
    connection: asConnection(redis),
    prefix: queuePrefix(prefix),
    defaultJobOptions: { stackTraceLimit: 0, removeOnComplete: true, removeOnFail: true },
  })
  queue.on('error', onError)
  return {
    addDue: async () => {
      const ids = await dueWebhookDeliveries(sql)
      if (ids.length === 0) return
      await queue
        .addBulk(
          ids.map((deliveryId) => ({ name: 'send', data: { deliveryId }, opts: { jobId: `hook-${deliveryId}` } })),
        )
        .catch(() => {}) // the connection tells its errors itself, and what is due stays due
    },
    close: () => queue.close(),
  }
}
