import { SUPPORT_TEAM_NAME } from '../../events/chat.ts'
import type { ChatFile } from '../../events/chat-file.ts'
import { MAX_LISTED_SESSIONS } from '../../events/chat-outline.ts'
import type { ChatMessage } from '../../events/wire/chat.ts'
import type { ChatOutline, ListedSession, ServerFrame } from '../../events/wire/chat-frames.ts'
import { openRepeat } from './backoff.ts'
import { type Connection, openConnection } from './connection.ts'
import { fetchActivePage, fetchSession } from './console-fetch.ts'
import { keepConsole, readKeptConsole } from './console-kept.ts'
import {
  type ConsoleState,
  conversationOf,
  emptyConsole,
  evolveConsole,
  isLookedAt,
  isMissed,
  knownUpTo,
  listedChats,
  missedAfter,
  receiptsOf,
  unreadOf,
  withConversation,
  withOutlines,
  withPage,
  withSession,
} from './console-state.ts'
import {
  acceptMessage,
  type Conversation,
  mergeMessages,
  newestSequence,
  queueMessage,
  refuseMessage,
  unbrokenUpTo,
  unsentFile,
  unsentMessage,
} from './conversation.ts'
import { openDelivery, passes } from './delivery.ts'
import { emptyTray, forgetTray } from './file-tray.ts'
import { withEarlier, withNewest } from './history.ts'
import { openReporter, reached } from './receipts.ts'
import { createStore } from './store.ts'
import { TYPING_HOLDS_MS, typingNotice } from './typing.ts'

/** The close code of a socket whose staff session has ended. */
const SIGNED_OUT = 4401

const isAttended = () => !document.hidden && document.hasFocus()

/** What an alert tells of a message. */
export type MissedMessage = Pick<ChatMessage, 'sessionId' | 'senderName' | 'message'>

/** Those who want to hear from the console beside what it shows. `onMissed` gets a visitor's message nobody looks at. */
export type ConsoleListener = { onSignedOut: () => void; onMissed: (message: MissedMessage) => void }

/** The staff's side of the chat. */
export type Console = ReturnType<typeof openConsole>

/** Opens a socket at once, and closes it with `close`. `staffId` is whose it is: nobody else takes up what it keeps. */
export const openConsole = (staffId: string, { onSignedOut, onMissed }: ConsoleListener) => {
  const store = createStore<ConsoleState>({ ...emptyConsole, ...readKeptConsole(staffId), isAttended: isAttended() })
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let connection: Connection | undefined
  const delivery = openDelivery(
    () => connection,
    () => store.get().takesFiles,
  )
  const reporter = openReporter(
    (sessionId, receipt) => connection?.send({ type: 'receipt', sessionId, ...receipt }) ?? false,
  )

  const conversation = (sessionId: string) => conversationOf(store.get(), sessionId)

  /** Changes a conversation, and sends the part of it that waits to be sent. */
  const keep = (sessionId: string, changed: Conversation) => {
    const { seen } = store.get()
    const { unsent } = conversation(sessionId)
    store.set(withConversation(store.get(), sessionId, changed))
    const state = store.get()
    if (state.seen !== seen || changed.unsent !== unsent) keepConsole(staffId, state)
    const known = receiptsOf(state, sessionId).admin
    reporter.report(sessionId, reached(changed, 'visitor', known, isLookedAt(state, sessionId)), known)
    delivery.deliver(sessionId, () => conversation(sessionId))
  }

  const showTyping = (sessionId: string, isTyping: boolean) => {
    clearTimeout(timers.get(sessionId))
    if (isTyping) {
      const stop = setTimeout(() => showTyping(sessionId, false), TYPING_HOLDS_MS)
      timers.set(sessionId, stop)
    }
    store.set({ typing: { ...store.get().typing, [sessionId]: isTyping } })
  }

  const owning = (clientMessageId: string | undefined) =>
    Object.keys(store.get().conversations).find((sessionId) =>
      conversation(sessionId).unsent.some((unsent) => unsent.clientMessageId === clientMessageId),
    )

  let wasConnected = false
  /** Has what is lacking of a chat's text come, and of the chat that is shown all that follows. */
  const fetchHistory = (sessionId: string) => {
    const { tellsOutlines, selected } = store.get()
    if (!tellsOutlines) return connection?.send({ type: 'get_messages', sessionId })
    const afterSequence = unbrokenUpTo(conversation(sessionId))
    return sessionId === selected && connection?.send({ type: 'open_chat', sessionId, afterSequence })
  }
  const opening = openRepeat(() => {
    const { selected } = store.get()
    if (selected) fetchHistory(selected)
  })

  /** What a node of before tells without outlines: sessions that are new, or in which someone wrote, while nobody told us. */
  const fetchMissed = (listed: readonly ListedSession[]) => {
    for (const { sessionId, lastSequence } of listed)
      if (lastSequence > unbrokenUpTo(conversation(sessionId))) fetchHistory(sessionId)
  }

  const isListed = (sessionId: string) => store.get().sessions.some((session) => session.sessionId === sessionId)
  const meeting = new Set<string>()
  const hasRoom = (sessionId: string) =>
    isListed(sessionId) ||
    meeting.has(sessionId) ||
    sessionId === store.get().selected ||
    listedChats(store.get()).length + meeting.size < MAX_LISTED_SESSIONS

  /** Adds a session that goes on to the list where it is on none of the pages that were fetched. */
  const meet = async (sessionId: string) => {
    if (meeting.has(sessionId) || isListed(sessionId)) return
    meeting.add(sessionId)
    try {
      const session = await fetchSession(sessionId)
      const { sessions, erased } = store.get()
      const isWanted = session.isActive && !isListed(sessionId) && !erased.includes(sessionId)
      if (isWanted) store.set({ sessions: withSession(sessions, session) })
    } catch (error) {
      // met again with its next message
      console.warn('A chat could not be fetched', error)
    } finally {
      meeting.delete(sessionId)
    }
  }

  /** What came into chats of which the text is not here. `isNews`: not what was there before this page was opened. */
  const outlined = (chats: readonly (ChatOutline & { sessionId: string })[], before: ConsoleState, isNews = true) => {
    for (const { sessionId, lastSequence, answered, last } of chats) {
      if (lastSequence <= answered) continue
      const known = receiptsOf(store.get(), sessionId).admin
      reporter.report(sessionId, { delivered: lastSequence, seen: known.seen }, known)
      if (lastSequence <= knownUpTo(before, sessionId)) continue
      showTyping(sessionId, false)
      if (!isNews || isLookedAt(store.get(), sessionId)) continue
      // words that cannot be read just now are news all the same
      const { visitorName } = store.get().sessions.find((session) => session.sessionId === sessionId) ?? {}
      onMissed({ sessionId, ...(last ?? { senderName: visitorName ?? 'a visitor', message: '' }) })
    }
  }

  const outlinesCame = (all: readonly (ChatOutline & { sessionId: string })[]) => {
    const before = store.get()
    const chats = all.filter(({ sessionId }) => {
      if (before.erased.includes(sessionId) || !hasRoom(sessionId)) return false
      meet(sessionId)
      return true
    })
    store.set(withOutlines(before, chats))
    outlined(chats, before)
  }

  const arrived = (message: ChatMessage) => {
    const { sessionId, senderType, sequence } = message
    if (!hasRoom(sessionId)) return
    meet(sessionId)
    const isNew = sequence > knownUpTo(store.get(), sessionId)
    if (senderType === 'visitor') showTyping(sessionId, false)
    if (sequence > newestSequence(conversation(sessionId)) + 1) fetchHistory(sessionId)
    keep(sessionId, mergeMessages(conversation(sessionId), [message]))
    if (isNew && isMissed(store.get(), message)) onMissed(message)
  }

  /** What a visitor wrote while there was no connection comes as history; on the first one it is no news. */
  const caughtUp = (sessionId: string, messages: ChatMessage[]) => {
    const before = knownUpTo(store.get(), sessionId)
    keep(sessionId, withNewest(conversation(sessionId), messages))
    const missed = wasConnected ? missedAfter(store.get(), sessionId, before) : undefined
    if (missed) onMissed(missed)
  }

  const failed = (error: Extract<ServerFrame, { type: 'error' }>) => {
    const { clientMessageId, code, message, refused, retryAfterS } = error
    const sessionId = owning(clientMessageId)
    // a node of an older version does not say what it refused
    const isJoin = refused === 'join_admin' || (refused === undefined && clientMessageId === undefined)
    if (isJoin && passes(code)) {
      store.set({ isWaiting: true })
      return joining.later(retryAfterS)
    }
    if (refused === 'open_chat' && passes(code)) return opening.later()
    if (!sessionId || clientMessageId === undefined) return
    if (passes(code, retryAfterS)) return delivery.deliverLater(sessionId, () => conversation(sessionId), retryAfterS)
    keep(sessionId, refuseMessage(conversation(sessionId), clientMessageId, message))
  }

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'active_sessions':
        return joined(frame)
      case 'chat_outlines':
        return outlinesCame(frame.chats)
      case 'chat_ended':
        store.set(evolveConsole(store.get(), frame))
        if (frame.isErased) forgetTray(frame.sessionId)
        else emptyTray(frame.sessionId)
        return keepConsole(staffId, store.get())
      case 'new_chat_session':
      case 'visitor_email':
      case 'receipt':
      case 'presence':
      case 'page_viewed':
        return store.set(evolveConsole(store.get(), frame))
      case 'chat_history':
        if (frame.sessionId === store.get().selected) opening.succeeded()
        return caughtUp(frame.sessionId, frame.messages)
      case 'new_message': {
        const { type: _, ...message } = frame
        return arrived(message)
      }
      case 'message_accepted': {
        const sessionId = owning(frame.clientMessageId)
        if (!sessionId) return
        const sender = { sessionId, senderType: 'admin', senderName: SUPPORT_TEAM_NAME } as const
        return keep(sessionId, acceptMessage(conversation(sessionId), frame, sender))
      }
      case 'typing':
        return frame.senderType === 'visitor' ? showTyping(frame.sessionId, frame.isTyping) : undefined
      case 'error':
        return failed(frame)
      default:
        // A visitor's frames, and types of a newer server.
        return
    }
  }

  /** Lets colleagues see which chat is looked at here. */
  const watch = () => {
    const { selected, isAttended } = store.get()
    connection?.send({ type: 'watch', sessionId: (isAttended && selected) || null })
  }

  const join = () => {
    const listed = listedChats(store.get()).map(({ sessionId }) => sessionId)
    return connection?.send({
      type: 'join_admin',
      asksForFiles: true,
      asksForOutlines: true,
      listed: listed.slice(0, MAX_LISTED_SESSIONS),
    })
  }
  const joining = openRepeat(join)

  let isCaughtUp = false
  /** On a new connection, once it is joined: what was missed, and what was not sent. */
  const catchUp = () => {
    isCaughtUp = true
    const { selected, conversations, tellsOutlines } = store.get()
    if (selected) fetchHistory(selected)
    watch()
    for (const sessionId of Object.keys(conversations)) {
      delivery.deliverAgain(sessionId, () => conversation(sessionId))
      // of those that were in the list, a node that tells outlines has told which go on
      if (!tellsOutlines && unreadOf(store.get(), sessionId) > 0) meet(sessionId)
    }
  }

  const joined = (frame: Extract<ServerFrame, { type: 'active_sessions' }>) => {
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
      outlined(chats, before, wasConnected)
    } else fetchMissed(frame.sessions)
    catchUp()
  }

  connection = openConnection({
    onOpen: () => {
      store.set({ isConnected: true })
      join()
    },
    onClose: (code) => {
      console.warn('The chat is disconnected')
      wasConnected = true
      isCaughtUp = false
      joining.stop()
      opening.stop()
      store.set({ isConnected: false, isWaiting: false, tellsOutlines: false, typing: {}, onlookers: {}, away: {} })
      if (code === SIGNED_OUT) onSignedOut()
    },
    onFrame: receive,
  })

  const typing = typingNotice((isTyping) => {
    const { selected } = store.get()
    if (selected) connection?.send({ type: 'typing', sessionId: selected, isTyping })
  })

  const watching = new AbortController()
  const look = () => {
    store.set({ isAttended: isAttended() })
    const { selected } = store.get()
    if (selected) keep(selected, conversation(selected))
    watch()
  }
  document.addEventListener('visibilitychange', look, { signal: watching.signal })
  for (const change of ['focus', 'blur']) addEventListener(change, look, { signal: watching.signal })

  return {
    get: store.get,
    subscribe: store.subscribe,
    /** Keeps what is being written to the selected session, and lets its visitor and colleagues see that someone writes. */
    write: (draft: string) => {
      const { selected, drafts } = store.get()
      if (!selected) return
      store.set({ drafts: { ...drafts, [selected]: draft } })
      keepConsole(staffId, store.get())
      typing.typed()
    },
    /** Shows a session, or none: what is known of it at once, the newest of its history as soon as it comes. */
    select: (sessionId: string | undefined) => {
      if (sessionId === store.get().selected) return
      typing.stop()
      store.set({ selected: sessionId })
      watch()
      opening.stop()
      if (!sessionId) {
        if (store.get().tellsOutlines) connection?.send({ type: 'open_chat', sessionId: null })
        return
      }
      meet(sessionId)
      keep(sessionId, conversation(sessionId))
      fetchHistory(sessionId)
    },
    /** Adds the next page of the sessions that go on to the list. */
    loadMore: async () => {
      const { next, isLoadingMore } = store.get()
      if (!next || isLoadingMore) return
      store.set({ isLoadingMore: true })
      try {
        const page = await fetchActivePage(next)
        if (store.get().next === next) store.set(withPage(store.get(), page))
      } catch (error) {
        console.warn('More chats could not be fetched', error)
        store.set({ isLoadingMore: false })
      }
    },
    /** Adds what was fetched of a session from before what is known of it. */
    addEarlier: (sessionId: string, earlier: readonly ChatMessage[]) =>
      keep(sessionId, withEarlier(conversation(sessionId), earlier)),
    send: (message: string) => {
      const { selected } = store.get()
      if (!selected) return
      typing.stop()
      store.set({ drafts: { ...store.get().drafts, [selected]: '' } })
      keep(selected, queueMessage(conversation(selected), unsentMessage(message)))
    },
    /** Sends a file that is stored in a session. */
    sendFile: (sessionId: string, file: ChatFile) => {
      keep(sessionId, queueMessage(conversation(sessionId), unsentFile(file)))
    },
    end: (sessionId: string) => connection?.send({ type: 'end_chat', sessionId }),
    close: () => {
      watching.abort()
      joining.stop()
      opening.stop()
      for (const timer of timers.values()) clearTimeout(timer)
      delivery.close()
      connection?.close()
    },
  }
}
