import { MAX_LISTED_SESSIONS } from '../../events/chat-outline.ts'
import type { ListedSession, ServerFrame } from '../../events/wire/chat-frames.ts'
import { openRepeat } from './backoff.ts'
import type { ConsoleCore } from './console-core.ts'
import { evolveConsole } from './console-evolution.ts'
import type { ConsoleList } from './console-list.ts'
import type { ConsoleNews } from './console-news.ts'
import { listedChats, unreadOf } from './console-state.ts'
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
    const { tellsOutlines, selected } = store.get()
    if (!tellsOutlines) return send({ type: 'get_messages', sessionId })
    const afterSequence = unbrokenUpTo(conversation(sessionId))
    return sessionId === selected && send({ type: 'open_chat', sessionId, afterSequence })
  }
  const opening = openRepeat(() => {
    const { selected } = store.get()
    if (selected) fetchHistory(selected)
  })

  /** What an older node tells without outlines: sessions that are new, or in which someone wrote, while nobody told us. */
  const fetchMissed = (listed: readonly ListedSession[]) => {
    for (const { sessionId, lastSequence } of listed)
      if (lastSequence > unbrokenUpTo(conversation(sessionId))) fetchHistory(sessionId)
  }

  const join = () => {
    const listed = listedChats(store.get()).map(({ sessionId }) => sessionId)
    return send({
      type: 'join_admin',
      asksForFiles: true,
      asksForOutlines: true,
      listed: listed.slice(0, MAX_LISTED_SESSIONS),
    })
  }
  const joining = openRepeat(join)

  const watch = () => {
    const { selected, isAttended } = store.get()
    send({ type: 'watch', sessionId: (isAttended && selected) || null })
  }

  /** On a new connection, once it is joined: what was missed, and what was not sent. */
  const catchUp = () => {
    isCaughtUp = true
    const { selected, conversations, tellsOutlines } = store.get()
    if (selected) fetchHistory(selected)
    watch()
    for (const sessionId of Object.keys(conversations)) {
      delivery.deliverAgain(sessionId, () => conversation(sessionId))
      // of those that were in the list, a node that tells outlines has told which go on
      if (!tellsOutlines && unreadOf(store.get(), sessionId) > 0) list.meet(sessionId)
    }
  }

  const stop = () => {
    joining.stop()
    opening.stop()
  }

  return {
    join,
    fetchHistory,
    opening,
    /** Lets colleagues see which chat is looked at here. */
    watch,
    joined: (frame: Extract<ServerFrame, { type: 'active_sessions' }>) => {
      const before = store.get()
      if (frame.isPreparing) joining.later()
      else joining.succeeded()
      reporter.forget()
      store.set({ takesFiles: frame.takesFiles ?? false, tellsOutlines: frame.tellsOutlines ?? false })
      if (frame.isPreparing) {
        // what has come meanwhile stays
        store.set({ isWaiting: true })
        return isCaughtUp ? undefined : catchUp()
      }
      store.set(evolveConsole(store.get(), frame))
      if (frame.tellsOutlines) {
        const chats = frame.sessions.flatMap(({ sessionId, outline }) => (outline ? [{ sessionId, ...outline }] : []))
        news.outlined(chats, before)
      } else fetchMissed(frame.sessions)
      catchUp()
      list.fetchShown()
    },
    /** A refusal of what was asked for here is asked for again. Returns whether it was one. */
    refused: ({ code, refused, clientMessageId, retryAfterS }: Extract<ServerFrame, { type: 'error' }>): boolean => {
      // a node of an older version does not say what it refused
      const isJoin = refused === 'join_admin' || (refused === undefined && clientMessageId === undefined)
      if (isJoin && passes(code)) {
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
