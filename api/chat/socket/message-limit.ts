import { type Admission, OverLimitError } from '../../admission/admission.ts'
import { type BucketLimit, limitEach } from './token-bucket.ts'

/**
 * No person writes a message a second for long. The burst is what a client may have kept through an outage: one that
 * knows nothing of the limit loses none of it.
 */
const OF_VISITOR: BucketLimit = { burst: 200, perSecond: 1 }
/** Of one account, in all its chats together. */
const OF_STAFF: BucketLimit = { burst: 1_000, perSecond: 10 }
/** When a message that came too soon is sent again, in seconds. */
const RETRY_S = 3

/** Who writes, and where: `by` is the member of staff; undefined for the session's visitor. */
export type Writer = { sessionId: string; address: string; by: string | undefined }

/**
 * How many messages are taken: of a visitor by the session and by the address, of staff by the account alone, so that
 * what strangers do behind the same address does not silence them. What comes too fast is found in the memory of this
 * node; `LIMITS.messages` then counts over all nodes.
 */
export const openMessageLimit = (admission: Pick<Admission, 'admit'>) => {
  const ofVisitor = limitEach(OF_VISITOR)
  const ofStaff = limitEach(OF_STAFF)
  return {
    /** Throws an OverLimitError where there is no room for one more message at this time, in milliseconds. */
    admit: async ({ sessionId, address, by }: Writer, now: number): Promise<void> => {
      const hasRoom = by === undefined ? ofVisitor.mayPass(sessionId, now) : ofStaff.mayPass(by, now)
      if (!hasRoom) throw new OverLimitError('messages', "You're sending messages too quickly.", RETRY_S)
      if (by !== undefined) return await admission.admit('messages', { account: by })
      // a chat that is over its own limit takes nothing from the others of its address
      await admission.admit('messages', { session: sessionId })
      await admission.admit('messages', { address })
    },
  }
}
