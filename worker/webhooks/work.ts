import type { RedisClient } from '../../events/log/redis.ts'
import { tidySecrets } from '../../events/log/webhooks.ts'
import { tidyWebhookDeliveries } from '../../events/projections/webhook-deliveries.ts'
import type { Sweep } from '../consumers/work-loop.ts'
import { noteForWebhooks } from './note.ts'
import type { Telling } from './outcome.ts'
import { openWebhookQueue } from './queue.ts'
import { startTeller } from './teller.ts'

/** How often what has become due is queued, and what is old forgotten. */
const DUE_EVERY_MS = 1_000
const TIDY_EVERY_MS = 60_000

type Clients = { failFast: RedisClient; patient: RedisClient; prefix: string; onError: (error: Error) => void }

/** A worker's part in webhooks: a step of their consumer, their sweeps, and what sends messages once it is started. */
export const openWebhookWork = (telling: Telling, { failFast, patient, prefix, onError }: Clients) => {
  const { sql } = telling
  const queue = openWebhookQueue(sql, failFast, { prefix, onError })
  const sweeps: Sweep[] = [
    { name: 'due-webhooks', everyMs: DUE_EVERY_MS, run: queue.addDue },
    {
      name: 'old-webhooks',
      everyMs: TIDY_EVERY_MS,
      run: async () => {
        await tidyWebhookDeliveries(sql)
        await tidySecrets(sql)
      },
    },
  ]
  return {
    note: () => noteForWebhooks(sql, queue),
    sweeps,
    start: () => startTeller(telling, queue, patient, prefix),
    close: queue.close,
  }
}

export type WebhookWork = ReturnType<typeof openWebhookWork>
