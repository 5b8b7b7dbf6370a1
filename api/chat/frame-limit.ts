import { OverLimitError } from '../admission/admission.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type BucketLimit, limitEach, tokenBucket } from './token-bucket.ts'

/** A page that comes back after an outage joins, reports what it has, and sends up to 200 messages that it kept. */
const OF_VISITOR: BucketLimit = { burst: 400, perSecond: 20 }
/** A console asks for up to 200 histories as it comes back, and sends what it kept in as many chats. */
const OF_STAFF: BucketLimit = { burst: 2_000, perSecond: 100 }
/** Of an address's visitors together: an office of 300 people who all come back, then type a sign each second or two. */
const OF_ADDRESS: BucketLimit = { burst: 3_000, perSecond: 200 }
/** When a frame that came too soon is sent again, in seconds. */
const RETRY_S = 3

/**
 * How many frames a node handles, whatever they are: each may cost a look into Postgres, and what waits there is bounded
 * for all visitors together. Counted by socket, and for visitors by address, in the memory of the node.
 */
export const openFrameLimit = () => {
  const sockets = new WeakMap<ChatSocket, ReturnType<typeof tokenBucket>>()
  const ofAddress = limitEach(OF_ADDRESS)

  const ofSocket = (socket: ChatSocket) => {
    const known = sockets.get(socket)
    if (known) return known
    const bucket = tokenBucket(socket.staff ? OF_STAFF : OF_VISITOR)
    sockets.set(socket, bucket)
    return bucket
  }

  return {
    /** Whether one more frame of a socket is handled at this time, in milliseconds. */
    mayPass: (socket: ChatSocket, now: number): boolean =>
      ofSocket(socket)(now) && (socket.staff !== undefined || ofAddress.mayPass(socket.address, now)),
  }
}

/** The refusal of a frame that came too soon. */
export const tooManyFrames = () =>
  new OverLimitError('frames', 'A lot has come from this page in a short time.', RETRY_S)
