import { useCallback, useState } from 'react'
import { UNASSIGNED } from '../../../events/chat/assignment.ts'
import type { ChatAssignment, ChatRecord } from '../../../events/chat/wire.ts'
import { assignChat } from '../../staff/chat/chat-record.ts'
import { useRequest } from './use-request.ts'

/** A chat's assignment: the newer of the one from the socket and the one in the record. */
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
  const [handover, setHandover] = useState<ChatAssignment>()
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
    handover,
    openHandover: () => setHandover(assignment),
    closeHandover: useCallback(() => setHandover(undefined), []),
    /** Removes the error when another chat is opened: it is not about that one. */
    clearError: request.reset,
  }
}

export type Assigning = ReturnType<typeof useAssigning>
