import { tokenBucket } from './token-bucket.ts'

type Limit = Parameters<typeof tokenBucket>[0]
type Bucket = { mayPass: ReturnType<typeof tokenBucket>; usedAt: number }

/**
 * No person writes a message a second for long. The burst is what a client may have kept through an outage: one that
 * knows nothing of the limit loses none of it.
 */
const OF_VISITOR: Limit = { burst: 200, perSecond: 1 }
/** Of one account, in all its chats together. */
const OF_STAFF: Limit = { burst: 1_000, perSecond: 10 }

/** Limits each by name. A bucket is forgotten as soon as it is full again, so that only those who write take memory. */
export const limitEach = (limit: Limit) => {
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

/**
 * How many messages a node takes: of a visitor by the session, of staff by the account, so that neither another tab nor
 * another connection makes it more.
 */
export const openMessageLimit = () => {
  const ofVisitor = limitEach(OF_VISITOR)
  const ofStaff = limitEach(OF_STAFF)
  return {
    /** `by` is the member of staff who writes; undefined for the session's visitor. */
    mayPost: (sessionId: string, by: string | undefined, now: number) =>
      by === undefined ? ofVisitor.mayPass(sessionId, now) : ofStaff.mayPass(by, now),
  }
}
