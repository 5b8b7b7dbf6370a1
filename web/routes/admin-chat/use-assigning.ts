import { useCallback, useState } from 'react'
import { UNASSIGNED } from '../../../events/chat/assignment.ts'
import type { ChatAssignment, ChatRecord } from '../../../events/chat/wire.ts'
import { assignChat } from '../../staff/chat-record.ts'
import { useRequest } from './use-request.ts'

/**
 * The assignment of a chat: from the socket, or from the record; undefined if the node does not know of assignments.
 */
export const assignmentOf = (
  known: ChatAssignment | undefined,
  record: Pick<ChatRecord, 'assignments'> | undefined,
): ChatAssignment | undefined => {
  const recorded = record?.assignments && (record.assignments.at(-1) ?? UNASSIGNED)
  if (!known || !recorded) return known ?? recorded
  return recorded.version > known.version ? recorded : known
}

/** The actions of assignment: take a chat, let it go, or open the form that hands it over. */
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
    /** The assignment that the staff member saw as they opened the form, on which their decision is based. */
    handsOver,
    openHandover: () => setHandsOver(assignment),
    closeHandover: useCallback(() => setHandsOver(undefined), []),
    /** A failure in another chat is not shown in this one. */
    forget: request.reset,
  }
}

export type Assigning = ReturnType<typeof useAssigning>
