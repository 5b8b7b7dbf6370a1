import type { chatAssignment } from '../../events/wire/chat.ts'
import type { Sent } from '../../events/wire/word.ts'

type Assignment = Sent<typeof chatAssignment>

/** Whose chats are, as far as one node has been told: so that an answer in a chat that is somebody's costs no query. */
export type KnownAssignments = {
  /** Whether the chat is known to be somebody's. */
  isAssigned: (sessionId: string) => boolean
  isNews: (sessionId: string, version: number) => boolean
  note: (sessionId: string, assignment: Assignment) => void
  /** Somebody's account was removed: their chats are nobody's. */
  release: (staffId: string) => void
  clear: () => void
}

/** Remembers the last `limit` chats that it was told of, and forgets the oldest. */
export const openKnownAssignments = (limit: number): KnownAssignments => {
  const known = new Map<string, Assignment>()
  const isNews = (sessionId: string, version: number) => version > (known.get(sessionId)?.version ?? 0)
  return {
    isAssigned: (sessionId) => (known.get(sessionId)?.to ?? null) !== null,
    isNews,
    note: (sessionId, assignment) => {
      if (!isNews(sessionId, assignment.version)) return
      known.delete(sessionId)
      known.set(sessionId, assignment)
      const [oldest] = known.keys()
      if (known.size > limit && oldest !== undefined) known.delete(oldest)
    },
    release: (staffId) => {
      for (const [sessionId, { version, to }] of known) {
        if (to?.staffId === staffId) known.set(sessionId, { version, to: null })
      }
    },
    clear: () => known.clear(),
  }
}
