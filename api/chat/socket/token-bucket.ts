import { openRecent } from '../../../events/base/recent.ts'

/** Allows `perSecond` on average, and up to `burst` at once. */
export type BucketLimit = { readonly burst: number; readonly perSecond: number }

/**
 * Limits a rate. The returned function takes the time in milliseconds and returns whether one more may pass. It passes
 * if at least `keep` tokens are left for others afterwards, and uses up `cost` tokens.
 */
export const tokenBucket = ({ burst, perSecond }: BucketLimit) => {
  let tokens = burst
  let last = 0
  return (now: number, { keep = 0, cost = 1 }: { keep?: number; cost?: number } = {}): boolean => {
    tokens = Math.min(burst, tokens + ((now - last) / 1000) * perSecond)
    last = now
    if (tokens < cost + keep) return false
    tokens -= cost
    return true
  }
}

/**
 * Limits each caller separately, in the memory of this node. A bucket is dropped some time after it is full again, so
 * only active clients take memory.
 */
export const limitEach = (limit: BucketLimit) => {
  const fullAfterMs = (limit.burst / limit.perSecond) * 1_000
  const buckets = openRecent<ReturnType<typeof tokenBucket>>({ periodMs: fullAfterMs })
  const make = () => tokenBucket(limit)
  return {
    get size() {
      return buckets.size
    },
    /** Whether one more may pass at this time, in milliseconds. */
    mayPass: (caller: string, now: number): boolean => buckets.find(caller, now, make)(now),
  }
}
