import { useEffect, useRef } from 'react'
import { type ConsoleState, conversationOf } from '../../chat/console-state.ts'
import { HttpError } from '../../http.ts'
import { useChatRecord } from '../../staff/chat-record.ts'
import { assignmentOf } from './use-assigning.ts'

/**
 * The chat with this id as a console shows it: what the socket tells of it, and what is fetched. It is fetched again
 * when it is out of date.
 */
export const useShownChat = (state: ConsoleState, sessionId: string | undefined) => {
  const { data: record, error, mutate } = useChatRecord(sessionId)
  const isErasedNow = sessionId !== undefined && state.erased.includes(sessionId)
  const isErased = isErasedNow || record?.isErased === true
  const listed = state.sessions.find((one) => one.sessionId === sessionId)
  const hasEndedNow = listed?.isActive === false
  const session = isErased ? undefined : (listed ?? record?.session)

  // What happened to the chat while nothing was told, and who ended it; what is kept of a record goes with its chat.
  const { isConnected } = state
  const isStale = useRef(false)
  useEffect(() => {
    if (!isConnected || isErasedNow || hasEndedNow) isStale.current = true
    if (!isConnected || !isStale.current) return
    isStale.current = false
    mutate()
  }, [isConnected, isErasedNow, hasEndedNow, mutate])

  // the note that came with a new assignment is in the record
  const version = state.assignments[sessionId ?? '']?.version
  const recorded = record?.assignments && (record.assignments.at(-1)?.version ?? 0)
  useEffect(() => {
    if (version !== undefined && recorded !== undefined && version > recorded) mutate()
  }, [version, recorded, mutate])

  const score = state.scores[sessionId ?? '']
  const isRatingNews = score !== undefined && record !== undefined && !record.rating
  useEffect(() => {
    if (isRatingNews) mutate()
  }, [isRatingNews, mutate])

  return {
    record,
    error,
    refresh: () => {
      mutate()
    },
    session,
    isErased,
    /** There is no chat of this id. */
    isUnknown: error instanceof HttpError && (error.status === 404 || error.status === 400),
    assignment: assignmentOf(state.assignments[sessionId ?? ''], record),
    messages: sessionId ? conversationOf(state, sessionId).messages : [],
  }
}

export type ShownChat = ReturnType<typeof useShownChat>
