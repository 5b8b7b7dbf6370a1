import { type Admission, OverLimitError } from '../../admission/admission.ts'
import { type BucketLimit, limitEach } from './token-bucket.ts'

/**
 * No person writes a message per second for long. The burst is the number of unsent messages a client may have after an
 * outage: a client that does not know the limit loses none of them.
 */
const OF_VISITOR: BucketLimit = { burst: 200, perSecond: 1 }
/** The limit of one account, in all its chats together. */
const OF_STAFF: BucketLimit = { burst: 1_000, perSecond: 10 }
/** The delay after which a message over the limit is sent again, in seconds. */
const RETRY_S = 3

/** The writer of a message and their session: `by` is the staff member; undefined for the session's visitor. */
export type Writer = { sessionId: string; address: string; by: string | undefined }

/**
 * The number of messages accepted: of a visitor by session and by address, of staff by account only, so that strangers
 * behind the same address cannot silence them. Bursts are found in the memory of this node; `LIMITS.messages` then
 * counts over all nodes.
 */
export const openMessageLimit = (admission: Pick<Admission, 'admit'>) => {
  const ofVisitor = limitEach(OF_VISITOR)
  const ofStaff = limitEach(OF_STAFF)
  return {
    /**
     * Returns undefined if there is room for one more message at this time, in milliseconds, and a promise if other
     * nodes have to be asked.
     *
     * @throws an OverLimitError, as a rejection, if there is no room.
     */
    admit: ({ sessionId, address, by }: Writer, now: number): Promise<void> | undefined => {
      const hasRoom = by === undefined ? ofVisitor.mayPass(sessionId, now) : ofStaff.mayPass(by, now)
      if (!hasRoom) {
        return Promise.reject(new OverLimitError('messages', "You're sending messages too quickly.", RETRY_S))
      }
      if (by !== undefined) return admission.admit('messages', { account: by })
      // a chat that is over its own limit takes nothing from the others of its address
      const asked = admission.admit('messages', { session: sessionId })
      const ofAddress = () => admission.admit('messages', { address })
      return asked ? asked.then(ofAddress) : ofAddress()
    },
  }
}
