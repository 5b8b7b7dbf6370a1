import { createHmac, createSecretKey } from 'node:crypto'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import type { Rate } from './limits.ts'

/** A Redis that has not responded by then counts as away. */
const REDIS_DEADLINE_MS = 1_000
/** The interval at which Redis is tried again while it is away, so that requests do not wait for it one after another. */
const REDIS_PAUSE_MS = 2_000

/** The points of one rate that all nodes have used, in Redis. While Redis is away there is always room. */
export type SharedCount = {
  /** Uses up points of a caller. Returns 0, or the milliseconds until there is room again. */
  draw: (caller: string, points: number) => Promise<number>
  /** Returns a point. */
  refund: (caller: string) => Promise<void>
}

/** Returns the function that opens the count of a rate. `prefix` begins the keys in Redis; `key` hashes the callers. */
export const sharedCounts = (redis: RedisClient, { prefix, key }: { prefix: string; key: string }) => {
  const secret = createSecretKey(key, 'utf8')
  let last: { caller: string; key: string } | undefined
  /** A caller is counted by several rates, one after the other. */
  const keyOf = (caller: string) => {
    if (last?.caller !== caller) last = { caller, key: createHmac('sha256', secret).update(caller).digest('base64url') }
    return last.key
  }

  let awayUntil = 0
  const waitOf = async (work: () => Promise<unknown>): Promise<number> => {
    if (performance.now() < awayUntil) return 0
    try {
      await withDeadline(work(), { deadlineMs: REDIS_DEADLINE_MS })
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext)
      awayUntil = performance.now() + REDIS_PAUSE_MS
    }
    return 0
  }

  return (name: string, { points, windowS }: Rate): SharedCount => {
    const limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${prefix}limit:${name}:${windowS}`,
      points,
      duration: windowS,
    })
    return {
      draw: (caller, drawn) => waitOf(() => limiter.consume(keyOf(caller), drawn)),
      refund: async (caller) => {
        await waitOf(() => limiter.reward(keyOf(caller)))
      },
    }
  }
}
