import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { openLease } from './lease.ts'
import type { Dimension, Rate } from './limits.ts'
import { openLocalCount } from './window.ts'

/** A Redis that has not responded by then counts as away. */
const REDIS_DEADLINE_MS = 1_000
/** The interval at which Redis is tried again while it is away; in between the node counts alone. */
const REDIS_PAUSE_MS = 2_000

/** Counts one limit by one dimension, on this node and over all nodes. */
export type Meter = {
  dimension: Dimension | 'site'
  /** Takes a point. Returns 0, or the milliseconds until there is room again. Never refuses because Redis is away. */
  take: (who: string) => number | Promise<number>
  /** Returns a point. Rejects if points are leased: leased points cannot be returned. */
  refund: (who: string) => Promise<void>
}

/**
 * Reports whether Redis may be called: not for two seconds after it has failed, so that requests do not wait for it one
 * after another.
 */
const openBreaker = () => {
  let closedFrom = 0
  return {
    isClosed: () => performance.now() >= closedFrom,
    open: () => {
      closedFrom = performance.now() + REDIS_PAUSE_MS
    },
  }
}

/** Makes the meters of a node. `prefix` begins their keys in Redis; `keyOf` makes the key of a counted caller. */
export const openMeters = (
  redis: RedisClient,
  { prefix, keyOf }: { prefix: string; keyOf: (who: string) => string },
) => {
  const breaker = openBreaker()

  const inRedis = async (limiter: RateLimiterRedis, work: (limiter: RateLimiterRedis) => Promise<unknown>) => {
    if (!breaker.isClosed()) return
    try {
      await withDeadline(work(limiter), { deadlineMs: REDIS_DEADLINE_MS })
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error
      breaker.open()
    }
  }

  /** Returns 0 if there was room, otherwise the milliseconds until there is. */
  const waitOf = async (work: () => Promise<unknown>) => {
    try {
      await work()
      return 0
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext)
      throw error
    }
  }

  return (name: string, dimension: Meter['dimension'], { points, windowS, lease }: Rate): Meter => {
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${prefix}limit:${name}:${dimension}:${windowS}`,
      points,
      duration: windowS,
      // a flood over the limit costs Redis nothing
      inMemoryBlockOnConsumed: points + 1,
    })
    if (lease !== undefined) {
      const leased = openLease({ points, windowS, lease }, (who, drawn) =>
        waitOf(() => inRedis(shared, (limiter) => limiter.consume(keyOf(who), drawn))),
      )
      const refund = () => Promise.reject(new Error(`Points of ${name} are leased: none goes back`))
      return { dimension, take: leased.take, refund }
    }
    const local = openLocalCount({ points, windowS })
    return {
      dimension,
      take: async (who) => {
        const waitMs = local.take(who)
        return waitMs > 0 ? waitMs : await waitOf(() => inRedis(shared, (limiter) => limiter.consume(keyOf(who))))
      },
      refund: async (who) => {
        local.refund(who)
        await inRedis(shared, (limiter) => limiter.reward(keyOf(who))).catch(() => {})
      },
    }
  }
}
