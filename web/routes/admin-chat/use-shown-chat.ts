import { type ConsoleState, chatIn } from '../../chat/console/console-state.ts'
import { HttpError } from '../../client/http.ts'
import { useChatRecord } from '../../staff/chat/chat-record.ts'
import { assignmentOf } from './use-assigning.ts'

/** The chat with this id as a console shows it: as the socket sends it, and its record, which the console updates. */
export const useShownChat = (state: ConsoleState, sessionId: string | undefined) => {
  const { data: record, error, mutate } = useChatRecord(sessionId)
  const live = chatIn(state, sessionId)
  const isErased = live.isErased || record?.isErased === true
  const session = isErased ? undefined : (live.session ?? record?.session)

  return {
    record,
    error,
    refresh: () => {
      mutate()
    },
    session,
    isErased,
    /** There is no chat with this id. */
    isUnknown: error instanceof HttpError && (error.status === 404 || error.status === 400),
    assignment: assignmentOf(live.assignment, record),
    live,
  }
}

export type ShownChat = ReturnType<typeof useShownChat>
