import { createHmac } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestError } from './errors.ts'
import type { ApiNode } from './node.ts'

/** A limit on how often somebody may do something, counted over all nodes; over this node alone while Redis is away. */
export type RateLimit = {
  /** Uses up one point; throws the refusal where none is left. */
  consume: (who: string) => Promise<void>
  /** Gives a point back, for a try that is not to count. */
  giveBack: (who: string) => Promise<void>
}

const refusal = ({ msBeforeNext }: RateLimiterRes) => {
  const retryAfterS = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return new RequestError('too_many_requests', `Try again in ${retryAfterS} seconds`, { retryAfterS })
}

/** Allows `points` in `windowS` seconds to each. Redis sees only a keyed hash of who it is. */
export const limitRate = (
  { redis, bus, config }: ApiNode,
  { name, points, windowS }: { name: string; points: number; windowS: number },
): RateLimit => {
  const keyOf = (who: string) => createHmac('sha256', config.sessionSecret).update(who).digest('base64url')
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${bus.prefix}limit:${name}`,
    points,
    duration: windowS,
    insuranceLimiter: new RateLimiterMemory({ points, duration: windowS }),
  })
  return {
    consume: async (who) => {
      try {
        await limiter.consume(keyOf(who))
      } catch (error) {
        if (error instanceof RateLimiterRes) throw refusal(error)
        throw error
      }
    },
    giveBack: async (who) => {
      await limiter.reward(keyOf(who))
    },
  }
}
