import { ACCOUNTS_STREAM } from '../../events/account-history.ts'
import { readStream } from '../../events/log/read.ts'
import { isErased } from '../../events/log/read-chat.ts'
import type { ApiNode } from '../node.ts'
import { readAssignmentChange } from './assignments.ts'
import type { Consoles } from './consoles.ts'
import type { KnownAssignments } from './known-assignments.ts'
import { readRating } from './rating.ts'
import { readSession } from './session-log.ts'

/** Tells staff on this node what the log says about a chat beside its messages. Nothing is read while there are none. */
export const openStaffUpdates = ({
  node,
  staff,
  assignments,
}: {
  node: Pick<ApiNode, 'sql'>
  staff: Consoles
  assignments: KnownAssignments
}) => {
  const { sql } = node
  let emailTold: Promise<void> = Promise.resolve()

  const readAndTellEmail = async (sessionId: string) => {
    if (staff.size === 0) return
    const session = await readSession(node, sessionId)
    if (!session?.visitorEmail || (!session.isActive && (await isErased(sql, sessionId)))) return
    staff.tell({ type: 'visitor_email', sessionId, visitorEmail: session.visitorEmail })
  }

  return {
    /** Tells the address that answers go to, as the log has it: one after the other, so that the latest comes last. */
    tellEmail: (sessionId: string): Promise<void> => {
      const told = emailTold.then(() => readAndTellEmail(sessionId))
      emailTold = told.catch(() => {})
      return told
    },

    /** Tells whose chat it is, where this version of the assignment is news. */
    tellAssignment: async (sessionId: string, version: number): Promise<void> => {
      if (staff.size === 0 || !assignments.isNews(sessionId, version)) return
      const change = await readAssignmentChange(sql, sessionId)
      if (!change || !assignments.isNews(sessionId, change.version)) return
      assignments.note(sessionId, change)
      staff.tell({ type: 'chat_assigned', sessionId, ...change })
    },

    /** Tells of an account that was removed, by its event's version: the chats of its owner are nobody's. */
    tellRemoval: async (version: number): Promise<void> => {
      if (staff.size === 0) return
      const [event] = await readStream(sql, ACCOUNTS_STREAM, { after: version - 1, limit: 1 })
      if (event?.type !== 'StaffAccountRemoved') return
      const { accountId: staffId } = event.data
      assignments.release(staffId)
      staff.tell({ type: 'colleague_removed', staffId })
    },

    tellRating: async (sessionId: string): Promise<void> => {
      const rating = staff.size > 0 ? await readRating(sql, sessionId) : null
      if (rating) staff.tell({ type: 'chat_rated', sessionId, score: rating.score })
    },
  }
}
