import { isErased } from '../../events/log/read-chat.ts'
import type { ApiNode } from '../node.ts'
import { readAssignmentChange } from './assignments.ts'
import type { Consoles } from './consoles.ts'
import { readRating } from './rating.ts'
import { readSession } from './session-log.ts'
import type { StaffWatch } from './staff-watch.ts'

/** Tells staff on this node what the log says about a chat beside its messages. Nothing is read while there are none. */
export const openStaffUpdates = ({
  node,
  staff,
  watch,
}: {
  node: Pick<ApiNode, 'sql'>
  staff: Consoles
  watch: StaffWatch
}) => {
  const { sql } = node
  const { assignments } = watch
  let emailTold: Promise<void> = Promise.resolve()
  /** The colleagues whose accounts are known to be removed. None comes back. */
  const removed = new Set<string>()

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
      // the account may have been removed since that was read, and that may be told already
      const to = change.to && removed.has(change.to.staffId) ? null : change.to
      assignments.note(sessionId, { ...change, to })
      staff.tell({ type: 'chat_assigned', sessionId, ...change, to })
    },

    /**
     * Tells of the accounts that were removed since the last look: the chats of their owners are nobody's. The table of
     * accounts says so: an event in the log may be of a removal that did not take effect.
     */
    tellRemovals: async (): Promise<void> => {
      if (!watch.isOn) return
      const rows = await sql<{ id: string }[]>`
        select id from staff where removed_at is not null and id <> all(${[...removed]}::uuid[])`
      for (const { id: staffId } of rows) {
        if (removed.has(staffId)) continue // a look that went on beside this one was first
        removed.add(staffId)
        assignments.release(staffId)
        staff.tell({ type: 'colleague_removed', staffId })
      }
    },

    tellRating: async (sessionId: string): Promise<void> => {
      const rating = staff.size > 0 ? await readRating(sql, sessionId) : null
      if (rating) staff.tell({ type: 'chat_rated', sessionId, score: rating.score })
    },
  }
}
