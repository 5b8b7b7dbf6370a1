import { readyInShares } from '../../events/email/store/ready-deliveries.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { startLane } from '../lanes/lane.ts'
import type { Metrics } from '../process/metrics.ts'
import { type Delivering, deliver } from './deliver.ts'
import { type EmailLanes, hasTransport, LANES, type Lane, QUEUE_OF } from './lanes.ts'

/**
 * Takes emails off both lanes and sends them, at the lane's rate once there is something that sends them. `redis` must wait
 * for Redis however long it is away.
 */
export const startSender = (
  delivering: Delivering,
  lanes: EmailLanes,
  redis: RedisClient,
  prefix: string,
  attempts?: Metrics['attempts'],
): { close: () => Promise<void> } => {
  const { sql, config, logger, settings } = delivering
  const start = (lane: Lane) => {
    const { concurrency, perMinute } = config.emailLanes[lane]
    const counted: Delivering = { ...delivering, countAttempt: (result) => attempts?.inc({ lane, result }) }

    const send = async (eventId: string) => {
      const { share } = await deliver(counted, eventId, lane)
      if (share !== null) await lanes.add(await readyInShares(sql, [share], lanes.perShare))
    }

    const isLimited = hasTransport(lane, delivering)
    const options = { name: QUEUE_OF[lane], concurrency, perMinute: isLimited ? perMinute : undefined }
    return { isLimited, ...startLane(options, send, { redis, prefix, logger }) }
  }
  const started = { service: start('service'), smtp: start('smtp') }
  const closing = new Set<Promise<void>>()
  const stopFollowing = settings.onChange(() => {
    if (hasTransport('smtp', delivering) === started.smtp.isLimited) return
    const ended = started.smtp.close().catch((error) => logger.warn({ err: error }, 'a lane did not end'))
    closing.add(ended)
    ended.then(() => closing.delete(ended))
    started.smtp = start('smtp')
  })
  return {
    close: async () => {
      stopFollowing()
      await Promise.all([...LANES.map((lane) => started[lane].close()), ...closing])
    },
  }
}
