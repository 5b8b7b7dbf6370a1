import { useCallback, useState } from 'react'
import { UNASSIGNED } from '../../../events/chat/assignment.ts'
import type { ChatAssignment, ChatRecord } from '../../../events/chat/wire.ts'
import { assignChat } from '../../staff/chat-record.ts'
import { useRequest } from './use-request.ts'

/** Whose chat it is: as the socket told last, or the record; undefined where the node does not know of assignments. */
export const assignmentOf = (
  told: ChatAssignment | undefined,
  record: Pick<ChatRecord, 'assignments'> | undefined,
): ChatAssignment | undefined => {
  const recorded = record?.assignments && (record.assignments.at(-1) ?? UNASSIGNED)
  if (!told || !recorded) return told ?? recorded
  return recorded.version > told.version ? recorded : told
}

/** What one does with whose chat it is: take it, let it go, or open the form that hands it over. */
export const useAssigning = (sessionId: string, assignment: ChatAssignment | undefined, myId: string | undefined) => {
  const [handsOver, setHandsOver] = useState<ChatAssignment>()
  const version = assignment?.version ?? 0
  const request = useRequest(
    (holder: string | null) => assignChat(sessionId, { to: holder, version }),
    'The chat was not assigned:',
  )
  const isMine = myId !== undefined && assignment?.to?.staffId === myId
  return {
    isMine,
    isBusy: request.state === 'busy',
    error: request.state === 'failed' ? request.error : undefined,
    take: () => myId !== undefined && assignment && !isMine && request.ask(myId),
    release: () => isMine && request.ask(null),
    /** What the one who hands over sees: what they decide on. */
    handsOver,
    openHandover: () => setHandsOver(assignment),
    closeHandover: useCallback(() => setHandsOver(undefined), []),
    /** What went wrong in another chat is not told in this one. */
    forget: request.reset,
  }
}

export type Assigning = ReturnType<typeof useAssigning>
