import { OverLimitError } from '../../admission/admission.ts'
import { siteOf } from '../../admission/client-address.ts'
import { NETWORKS_OF_SITE } from '../../admission/limits.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type BucketLimit, limitEach, tokenBucket } from './token-bucket.ts'

const KIB = 1024
const MIB = 1024 * KIB

type SocketLimit = { frames: BucketLimit; bytes: BucketLimit }

/**
 * A page that reconnects after an outage joins, reports its receipts, and sends up to 200 unsent messages: 2.4 MB if
 * they are the longest, with the widest letters.
 */
const OF_VISITOR: SocketLimit = {
  frames: { burst: 400, perSecond: 20 },
  bytes: { burst: 4 * MIB, perSecond: 64 * KIB },
}
/** A console that reconnects requests up to 200 histories, and sends the unsent messages of as many chats. */
const OF_STAFF: SocketLimit = {
  frames: { burst: 2_000, perSecond: 100 },
  bytes: { burst: 16 * MIB, perSecond: 512 * KIB },
}
/**
 * For all visitors of an address: an office of 300 people who all reconnect, then send a typing signal every second or
 * two.
 */
const OF_ADDRESS: BucketLimit = { burst: 3_000, perSecond: 200 }
const OF_SITE: BucketLimit = {
  burst: OF_ADDRESS.burst * NETWORKS_OF_SITE,
  perSecond: OF_ADDRESS.perSecond * NETWORKS_OF_SITE,
}
const OF_REFUSALS: BucketLimit = { burst: 1, perSecond: 1 }
/** The frames that may be on their way from a client that has not yet read that it is over its limit. */
const OF_EXCESS: BucketLimit = { burst: 100, perSecond: 1 }
/** The delay after which a client that sent too much continues, in seconds. */
const RETRY_S = 3
const POLICY_VIOLATION = 1008

const openBuckets = ({ frames, bytes }: SocketLimit) => ({
  frames: tokenBucket(frames),
  bytes: tokenBucket(bytes),
  refusals: tokenBucket(OF_REFUSALS),
  excess: tokenBucket(OF_EXCESS),
})

const refuse = (socket: ChatSocket) => {
  const { message, retryAfterS } = new OverLimitError(
    'frames',
    'A lot has come from this page in a short time.',
    RETRY_S,
  )
  socket.send({ type: 'error', code: 'too_many_requests', message, retryAfterS })
}

/**
 * The number of frames that a node reads, of any type: each may cost a query, and the queries that wait in Postgres are
 * bounded for all visitors together. Counted by socket, and for visitors also by address, in the memory of the node. A
 * frame over the limit costs no more than the count: its client is notified once a second, and its socket is closed if
 * it continues.
 */
export const openFrameLimit = () => {
  const sockets = new WeakMap<ChatSocket, ReturnType<typeof openBuckets>>()
  const ofAddress = limitEach(OF_ADDRESS)
  const ofSite = limitEach(OF_SITE)

  const hasRoomFor = (address: string, now: number) => {
    const site = siteOf(address)
    return ofAddress.mayPass(address, now) && (site === undefined || ofSite.mayPass(site, now))
  }

  const bucketsOf = (socket: ChatSocket) => {
    const known = sockets.get(socket)
    if (known) return known
    const buckets = openBuckets(socket.staff ? OF_STAFF : OF_VISITOR)
    sockets.set(socket, buckets)
    return buckets
  }

  return {
    /** Whether one more frame of a socket is read, of this many bytes at this time in milliseconds. */
    admits: (socket: ChatSocket, bytes: number, now: number): boolean => {
      const buckets = bucketsOf(socket)
      const hasRoom = buckets.frames(now) && buckets.bytes(now, { cost: bytes })
      if (hasRoom && (socket.staff !== undefined || hasRoomFor(socket.address, now))) return true
      if (!buckets.excess(now)) socket.close(POLICY_VIOLATION, 'Too many frames')
      else if (buckets.refusals(now)) refuse(socket)
      return false
    },
  }
}
