import { type Job, Worker } from 'bullmq'
import { asConnection, JOB_METRICS, QUEUES, queuePrefix } from '../../events/log/queues.ts'
import type { RedisClient } from '../../events/log/redis.ts'
import { MAX_WEBHOOKS } from '../../events/log/webhooks.ts'
import { AT_ONCE } from '../../events/projections/webhook-deliveries.ts'
import type { Telling } from './outcome.ts'
import type { WebhookJob, WebhookQueue } from './queue.ts'
import { tell } from './send.ts'

/** BullMQ keeps the message of an error in Redis, and a message can quote what people typed: it stays in the log. */
const tellWithoutWords = async (telling: Telling, deliveryId: string) => {
  try {
    await tell(telling, deliveryId)
  } catch (error) {
    telling.logger.warn({ err: error, deliveryId }, 'a webhook could not be told, it is tried again')
    throw new Error('telling a webhook failed')
  }
}

/**
 * Takes jobs off the queue and sends them; after each it queues what waits behind it. There is room for all webhooks at
 * once, so that those that hang hold up no others. `redis` must wait for Redis.
 */
export const startTeller = (
  telling: Telling,
  queue: WebhookQueue,
  redis: RedisClient,
  prefix: string,
): { close: () => Promise<void> } => {
  const worker = new Worker<WebhookJob>(
    QUEUES.webhooks,
    async (job: Job<WebhookJob>) => {
      await tellWithoutWords(telling, job.data.deliveryId)
      await queue.addDue()
    },
    {
      connection: asConnection(redis),
      prefix: queuePrefix(prefix),
      concurrency: MAX_WEBHOOKS * AT_ONCE,
      metrics: JOB_METRICS,
    },
  )
  worker.on('error', (error) => telling.logger.warn({ err: error.message }, 'queue of webhooks'))
  return { close: () => worker.close() }
}
