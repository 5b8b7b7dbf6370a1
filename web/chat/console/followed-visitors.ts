import { MAX_LISTED_SESSIONS } from '../../../events/chat/outline.ts'
import type { ConsoleCore } from './console-core.ts'
import { followedChats } from './console-state.ts'

/** Changes of the list within this time are sent together. */
const SEND_AFTER_MS = 300

/** Sends the node the chats shown, whenever they change: it sends the pages of their visitors. */
export const openConsoleWhereabouts = ({ store, send }: Pick<ConsoleCore, 'store' | 'send'>) => {
  let sentIds: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const sendShown = () => {
    timer = undefined
    const state = store.get()
    if (!state.isConnected || !state.isListed || state.isWaiting) return
    const sessionIds = followedChats(state).slice(0, MAX_LISTED_SESSIONS)
    const ids = sessionIds.toSorted().join()
    if (ids !== (sentIds ?? '') && send({ type: 'follow_visitors', sessionIds })) sentIds = ids
  }

  const stop = store.subscribe(() => {
    timer ??= setTimeout(sendShown, SEND_AFTER_MS)
  })

  return {
    /** Clears the sent list, since the next node does not have it. */
    forget: () => {
      sentIds = undefined
    },
    close: () => {
      stop()
      clearTimeout(timer)
    },
  }
}

export type ConsoleWhereabouts = ReturnType<typeof openConsoleWhereabouts>
