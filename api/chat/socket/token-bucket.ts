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

type Bucket = { mayPass: ReturnType<typeof tokenBucket>; usedAt: number }

/**
 * Limits each name separately, in the memory of this node. A bucket is dropped as soon as it is full again, so only
 * active clients take memory.
 */
export const limitEach = (limit: BucketLimit) => {
  const fullAfterMs = (limit.burst / limit.perSecond) * 1_000
  /** In the order of their last use. */
  const buckets = new Map<string, Bucket>()
  return {
    get size() {
      return buckets.size
    },
    /** Whether one more may pass at this time, in milliseconds. */
    mayPass: (who: string, now: number) => {
      const bucket = buckets.get(who) ?? { mayPass: tokenBucket(limit), usedAt: now }
      buckets.delete(who)
      for (const [other, { usedAt }] of buckets) {
        if (now - usedAt < fullAfterMs) break
        buckets.delete(other)
      }
      buckets.set(who, bucket)
      bucket.usedAt = now
      return bucket.mayPass(now)
    },
  }
}
