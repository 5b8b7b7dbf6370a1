import type { ChatAssignment } from '../../../events/chat/wire.ts'

/** Whose chats a console can list. */
export const WHOSE = ['all', 'mine', 'unassigned'] as const

export type Whose = (typeof WHOSE)[number]

/** Whose chats are shown, to the member of staff whose chats are `mine`. */
export type ShownFor = { whose: Whose; staffId: string | undefined }

/** Whose chats are, by session, as far as has been told. */
export type Assignments = Record<string, ChatAssignment>

/** Whether a chat of this assignment is among those that are shown. */
export const isShownFor = (assignment: ChatAssignment | undefined, { whose, staffId }: ShownFor) => {
  if (whose === 'all') return true
  const holder = assignment?.to?.staffId
  return whose === 'mine' ? holder === staffId : holder === undefined
}

/** Whether a version of an assignment is later than what is known. */
export const isNewAssignment = (known: Assignments, sessionId: string, version: number) =>
  version > (known[sessionId]?.version ?? 0)

/** The assignments with those of a list; what came by the socket meanwhile is newer. */
export const withToldAssignments = (
  known: Assignments,
  sessions: readonly { sessionId: string; assigned?: ChatAssignment }[],
): Assignments => {
  const told = { ...known }
  for (const { sessionId, assigned } of sessions) {
    if (assigned && assigned.version >= (told[sessionId]?.version ?? 0)) told[sessionId] = assigned
  }
  return told
}

/** The assignments once somebody's account was removed: their chats are nobody's. */
export const withoutHolder = (known: Assignments, staffId: string): Assignments =>
  Object.fromEntries(
    Object.entries(known).map(([sessionId, assignment]) => [
      sessionId,
      assignment.to?.staffId === staffId ? { ...assignment, to: null } : assignment,
    ]),
  )
