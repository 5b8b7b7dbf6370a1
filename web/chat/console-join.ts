import { MAX_LISTED_SESSIONS } from '../../events/chat-outline.ts'
import type { ServerFrame } from '../../events/wire/chat-frames.ts'
import { openRepeat } from './backoff.ts'
import type { ConsoleCore } from './console-core.ts'
import { evolveConsole } from './console-evolution.ts'
import type { ConsoleList } from './console-list.ts'
import type { ConsoleNews } from './console-news.ts'
import { listedChats } from './console-state.ts'
import { unbrokenUpTo } from './conversation.ts'
import { passes } from './delivery.ts'

/**
 * How a console joins a node and catches up. It is one of: not joined; waiting, while the node makes its list; caught up,
 * once the chat that is shown was asked for, what was not sent is sent again, and colleagues see what is looked at here.
 */
export const openConsoleJoin = (core: ConsoleCore, { list, news }: { list: ConsoleList; news: ConsoleNews }) => {
  const { store, send, delivery, reporter, conversation } = core
  let isCaughtUp = false

  /** Has what is lacking of a chat's text come, and of the chat that is shown all that follows. */
  const fetchHistory = (sessionId: string) => {
    if (!isCaughtUp || sessionId !== store.get().selected) return false
    const afterSequence = unbrokenUpTo(conversation(sessionId))
    return send({ type: 'open_chat', sessionId, afterSequence })
  }
  const opening = openRepeat(() => {
    const { selected } = store.get()
    if (selected) fetchHistory(selected)
  })

  const join = () => {
    const listed = listedChats(store.get()).map(({ sessionId }) => sessionId)
    return send({ type: 'join_admin', listed: listed.slice(0, MAX_LISTED_SESSIONS) })
  }
  const joining = openRepeat(join)

  const watch = () => {
    const { selected, isAttended } = store.get()
    send({ type: 'watch', sessionId: (isAttended && selected) || null })
  }

  /** On a new connection, once it is joined: what was missed, and what was not sent. */
  const catchUp = () => {
    isCaughtUp = true
    const { selected, conversations } = store.get()
    if (selected) fetchHistory(selected)
    watch()
    for (const sessionId of Object.keys(conversations)) {
      delivery.deliverAgain(sessionId, () => conversation(sessionId))
    }
  }

  const stop = () => {
    joining.stop()
    opening.stop()
  }

  return {
    join,
    fetchHistory,
    /** Shows no chat any longer: its messages stop. */
    closeChat: () => isCaughtUp && send({ type: 'open_chat', sessionId: null }),
    opening,
    /** Lets colleagues see which chat is looked at here. */
    watch,
    joined: (frame: Extract<ServerFrame, { type: 'active_sessions' }>) => {
      const before = store.get()
      if (frame.isPreparing) joining.later()
      else joining.succeeded()
      reporter.forget()
      if (frame.isPreparing) {
        // what has come meanwhile stays
        store.set({ isWaiting: true })
        return isCaughtUp ? undefined : catchUp()
      }
      store.set(evolveConsole(store.get(), frame))
      news.outlined(
        frame.sessions.map(({ sessionId, outline }) => ({ sessionId, ...outline })),
        before,
      )
      catchUp()
      list.fetchShown()
    },
    /** A refusal of what was asked for here is asked for again. Returns whether it was one. */
    refused: ({ code, refused, retryAfterS }: Extract<ServerFrame, { type: 'error' }>): boolean => {
      if (refused === 'join_admin' && passes(code)) {
        store.set({ isWaiting: true })
        joining.later(retryAfterS)
        return true
      }
      if (refused !== 'open_chat' || !passes(code)) return false
      opening.later()
      return true
    },
    disconnected: () => {
      isCaughtUp = false
      stop()
    },
    stop,
  }
}
