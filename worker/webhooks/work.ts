import { QUEUES } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { AT_ONCE, deleteOldDeliveries, dueWebhookDeliveries } from '../../events/webhook/store/deliveries.ts'
import { deleteExpiredSecrets, MAX_WEBHOOKS } from '../../events/webhook/store/webhooks.ts'
import type { Sweep } from '../consumers/work-loop.ts'
import { openLane, startLane } from '../lanes/lane.ts'
import { noteForWebhooks } from './note.ts'
import type { WebhookSending } from './outcome.ts'
import { sendDelivery } from './send.ts'

/** How often messages that have become due are queued, and old ones removed. */
const DUE_EVERY_MS = 1_000
const CLEAN_UP_EVERY_MS = 60_000

/** Room for all webhooks at once, so that those that hang delay no others. */
const LANE = { name: QUEUES.webhooks, concurrency: MAX_WEBHOOKS * AT_ONCE }

type Clients = { failFast: RedisClient; retrying: RedisClient; prefix: string; onError: (error: Error) => void }

/**
 * A worker's part in webhooks: a step of their consumer, their sweeps, and the sending of messages once it is started.
 */
export const openWebhookWork = (sending: WebhookSending, { failFast, retrying, ...names }: Clients) => {
  const { sql, logger } = sending
  const lane = openLane(LANE, failFast, names)
  const addDue = async () => {
    const ids = await dueWebhookDeliveries(sql)
    // without Redis due messages stay due; the connection reports its errors itself
    if (ids.length > 0) await lane.add(ids.map((id) => ({ id }))).catch(() => {})
  }
  const send = async (id: string) => {
    await sendDelivery(sending, id)
    await addDue() // those that waited behind it
  }
  const sweeps: Sweep[] = [
    { name: 'due-webhooks', everyMs: DUE_EVERY_MS, run: addDue },
    {
      name: 'old-webhooks',
      everyMs: CLEAN_UP_EVERY_MS,
      run: async () => {
        await deleteOldDeliveries(sql)
        await deleteExpiredSecrets(sql)
      },
    },
  ]
  return {
    note: () => noteForWebhooks(sql, { addDue }),
    sweeps,
    start: () => startLane(LANE, send, { redis: retrying, prefix: names.prefix, logger }),
    close: lane.close,
  }
}

export type WebhookWork = ReturnType<typeof openWebhookWork>
