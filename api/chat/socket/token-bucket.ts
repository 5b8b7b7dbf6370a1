import { openRecent } from '../../admission/recent.ts'

/** `perSecond` in the long run, and up to `burst` at once. */
export type BucketLimit = { readonly burst: number; readonly perSecond: number }

/**
 * Lets through `perSecond` in the long run, and up to `burst` at once. The returned function takes the time in
 * milliseconds and returns whether one more may pass, or as many as it costs; with `keep`, only if this many are left
 * for others after it.
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
 * Limits each name separately, in the memory of this node. A bucket is dropped some time after it is full again, so only
 * active clients take memory.
 */
export const limitEach = (limit: BucketLimit) => {
  const fullAfterMs = (limit.burst / limit.perSecond) * 1_000
  const buckets = openRecent<ReturnType<typeof tokenBucket>>(fullAfterMs)
  const make = () => tokenBucket(limit)
  return {
    get size() {
      return buckets.size
    },
    /** Whether one more may pass at this time, in milliseconds. */
    mayPass: (who: string, now: number): boolean => buckets.find(who, now, make)(now),
  }
}
