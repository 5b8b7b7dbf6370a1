import type { ChatAssignment } from '../../../events/chat/wire.ts'

/** The owners by which a console can filter its list of chats. */
export const WHOSE = ['all', 'mine', 'unassigned'] as const

export type Whose = (typeof WHOSE)[number]

/** The filter of the list, and the staff member whose chats are `mine`. */
export type ShownFor = { whose: Whose; staffId: string | undefined }

/** The assignments by session, as last sent by the node. */
export type Assignments = Record<string, ChatAssignment>

/** Whether a chat with this assignment passes the filter. */
export const isShownFor = (assignment: ChatAssignment | undefined, { whose, staffId }: ShownFor) => {
  if (whose === 'all') return true
  const holder = assignment?.to?.staffId
  return whose === 'mine' ? holder === staffId : holder === undefined
}

/** Whether a version of an assignment is later than the cached one. */
export const isNewAssignment = (known: Assignments, sessionId: string, version: number) =>
  version > (known[sessionId]?.version ?? 0)

/** Merges the assignments of a fetched list; those that arrived by the socket during the fetch are newer. */
export const mergeAssignments = (
  known: Assignments,
  sessions: readonly { sessionId: string; assigned?: ChatAssignment }[],
): Assignments => {
  const told = { ...known }
  for (const { sessionId, assigned } of sessions) {
    if (assigned && assigned.version >= (told[sessionId]?.version ?? 0)) told[sessionId] = assigned
  }
  return told
}

/** The assignments after a staff account was removed: its chats are unassigned. */
export const withoutHolder = (known: Assignments, staffId: string): Assignments =>
  Object.fromEntries(
    Object.entries(known).map(([sessionId, assignment]) => [
      sessionId,
      assignment.to?.staffId === staffId ? { ...assignment, to: null } : assignment,
    ]),
  )
