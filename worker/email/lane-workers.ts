import { readyInShares } from '../../events/email/store/ready-deliveries.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { startLane } from '../lanes/lane.ts'
import type { Metrics } from '../process/metrics.ts'
import { type Delivering, deliver } from './deliver.ts'
import { type EmailLanes, LANES, QUEUE_OF } from './lanes.ts'

/** Takes emails off both lanes and sends them. `redis` must wait for Redis however long it is away. */
export const startSender = (
  delivering: Delivering,
  lanes: EmailLanes,
  redis: RedisClient,
  prefix: string,
  attempts?: Metrics['attempts'],
): { close: () => Promise<void> } => {
  const { sql, config, logger } = delivering
  const started = LANES.map((lane) => {
    const { concurrency, perMinute } = config.emailLanes[lane]
    const hasTransport = lane === 'service' ? config.emailForwardUrl : config.smtpUrl
    const counted: Delivering = { ...delivering, countAttempt: (result) => attempts?.inc({ lane, result }) }

    const send = async (eventId: string) => {
      const { share } = await deliver(counted, eventId, lane)
      if (share !== null) await lanes.add(await readyInShares(sql, [share], lanes.perShare))
    }

    const options = { name: QUEUE_OF[lane], concurrency, perMinute: hasTransport ? perMinute : undefined }
    return startLane(options, send, { redis, prefix, logger })
  })
  return {
    close: async () => {
      await Promise.all(started.map((lane) => lane.close()))
    },
  }
}
