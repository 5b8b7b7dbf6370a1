import { type ChatMessage, type ChatSession, SUPPORT_TEAM_NAME } from '../../events/chat.ts'
import type { ListedSession, ServerFrame } from '../../events/chat-frames.ts'
import { randomId } from '../random-id.ts'
import { type Connection, openConnection } from './connection.ts'
import {
  acceptMessage,
  type Conversation,
  lastSequence as completeUpTo,
  emptyConversation,
  mergeMessages,
  newestSequence,
  queueMessage,
  refuseMessage,
  unreadCount,
} from './conversation.ts'
import { openDelivery } from './delivery.ts'
import { createStore } from './store.ts'
import { TYPING_HOLDS_MS, typingNotice } from './typing.ts'

/** The close code of a socket whose staff session has ended. */
const SIGNED_OUT = 4401

/** So many histories are fetched at a time to tell what waits for an answer; the rest come with the next connection. */
const MAX_FETCHED_HISTORIES = 200

/** What staff see of all chats. All but the list are by session; only the selected one is shown. */
export type ConsoleState = {
  isConnected: boolean
  sessions: ChatSession[]
  selected: string | undefined
  conversations: Record<string, Conversation>
  seen: Record<string, number>
  drafts: Record<string, string>
  typing: Record<string, boolean>
}

export const conversationOf = ({ conversations }: ConsoleState, sessionId: string) =>
  conversations[sessionId] ?? emptyConversation

/** What a visitor wrote since it was looked at here, or answered by anyone. */
export const unreadOf = (state: ConsoleState, sessionId: string) => {
  if (sessionId === state.selected) return 0
  const conversation = conversationOf(state, sessionId)
  const answered = conversation.messages.findLast(({ senderType }) => senderType === 'admin')?.sequence ?? 0
  return unreadCount(conversation, 'visitor', Math.max(answered, state.seen[sessionId] ?? 0))
}

/** The sessions with one that is new, or known already, at the top of the list. */
export const withSession = (sessions: readonly ChatSession[], fresh: ChatSession) => [
  fresh,
  ...sessions.filter(({ sessionId }) => sessionId !== fresh.sessionId),
]

/** The staff's side of the chat: opens a socket at once, and closes it with `close`. */
export const openConsole = ({ onSignedOut }: { onSignedOut: () => void }) => {
  const store = createStore<ConsoleState>({
    isConnected: false,
    sessions: [],
    selected: undefined,
    conversations: {},
    seen: {},
    drafts: {},
    typing: {},
  })
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let connection: Connection | undefined
  const delivery = openDelivery(() => connection)

  const conversation = (sessionId: string) => conversationOf(store.get(), sessionId)

  const keep = (sessionId: string, changed: Conversation) => {
    const { conversations, selected, seen } = store.get()
    store.set({
      conversations: { ...conversations, [sessionId]: changed },
      ...(sessionId === selected && { seen: { ...seen, [sessionId]: newestSequence(changed) } }),
    })
  }

  const merge = (sessionId: string, messages: ChatMessage[]) =>
    keep(sessionId, mergeMessages(conversation(sessionId), messages))

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

  const fetchHistory = (sessionId: string) => connection?.send({ type: 'get_messages', sessionId })

  /** Sessions that are new, or in which someone wrote, while nobody told us. */
  const fetchMissed = (listed: readonly ListedSession[]) => {
    const missed = listed.filter(({ sessionId, lastSequence }) => lastSequence > completeUpTo(conversation(sessionId)))
    for (const { sessionId } of missed.slice(0, MAX_FETCHED_HISTORIES)) fetchHistory(sessionId)
  }

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'active_sessions': {
        fetchMissed(frame.sessions)
        const { sessions, selected } = store.get()
        const isListed = frame.sessions.some(({ sessionId }) => sessionId === selected)
        const ended = sessions.filter(({ sessionId }) => sessionId === selected && !isListed)
        return store.set({
          sessions: [...frame.sessions, ...ended.map((session) => ({ ...session, isActive: false }))],
        })
      }
      case 'new_chat_session': {
        const { type: _, ...session } = frame
        return store.set({ sessions: withSession(store.get().sessions, session) })
      }
      case 'chat_history':
        return merge(frame.sessionId, frame.messages)
      case 'new_message': {
        if (frame.senderType === 'visitor') showTyping(frame.sessionId, false)
        if (frame.sequence > newestSequence(conversation(frame.sessionId)) + 1) fetchHistory(frame.sessionId)
        return merge(frame.sessionId, [frame])
      }
      case 'message_accepted': {
        const sessionId = owning(frame.clientMessageId)
        if (!sessionId) return
        const sender = { sessionId, senderType: 'admin', senderName: SUPPORT_TEAM_NAME } as const
        return keep(sessionId, acceptMessage(conversation(sessionId), frame, sender))
      }
      case 'typing':
        return frame.senderType === 'visitor' ? showTyping(frame.sessionId, frame.isTyping) : undefined
      case 'chat_ended': {
        const end = (session: ChatSession) =>
          session.sessionId === frame.sessionId ? { ...session, isActive: false } : session
        return store.set({ sessions: store.get().sessions.map(end) })
      }
      case 'error': {
        const { clientMessageId, code, message } = frame
        const sessionId = owning(clientMessageId)
        if (clientMessageId === undefined && code === 'unavailable') return delivery.restartLater()
        if (!sessionId || clientMessageId === undefined) return
        if (code === 'unavailable') return delivery.deliverLater(sessionId, () => conversation(sessionId))
        return keep(sessionId, refuseMessage(conversation(sessionId), clientMessageId, message))
      }
      default:
        // A visitor's frames, and types of a newer server.
        return
    }
  }

  /** On a new connection: the sessions, with them what was missed, and what was not sent. */
  const catchUp = () => {
    connection?.send({ type: 'join_admin' })
    const { selected, conversations } = store.get()
    if (selected) fetchHistory(selected)
    for (const sessionId of Object.keys(conversations)) delivery.deliverAgain(sessionId, () => conversation(sessionId))
  }

  connection = openConnection({
    onOpen: () => {
      store.set({ isConnected: true })
      catchUp()
    },
    onClose: (code) => {
      console.warn('The chat is disconnected')
      store.set({ isConnected: false, typing: {} })
      if (code === SIGNED_OUT) onSignedOut()
    },
    onFrame: receive,
  })

  const typing = typingNotice((isTyping) => {
    const { selected } = store.get()
    if (selected) connection?.send({ type: 'typing', sessionId: selected, isTyping })
  })

  return {
    get: store.get,
    subscribe: store.subscribe,
    /** Keeps what is being written to the selected session, and lets its visitor see that someone writes. */
    write: (draft: string) => {
      const { selected, drafts } = store.get()
      if (!selected) return
      store.set({ drafts: { ...drafts, [selected]: draft } })
      typing.typed()
    },
    /** Shows a session: what is known of it at once, its whole history as soon as it comes. */
    select: (sessionId: string) => {
      typing.stop()
      store.set({ selected: sessionId })
      keep(sessionId, conversation(sessionId))
      fetchHistory(sessionId)
    },
    send: (message: string) => {
      const { selected } = store.get()
      if (!selected) return
      typing.stop()
      store.set({ drafts: { ...store.get().drafts, [selected]: '' } })
      const unsent = { clientMessageId: randomId(), message, timestamp: new Date().toISOString() }
      keep(selected, queueMessage(conversation(selected), unsent))
      delivery.deliver(selected, () => conversation(selected))
    },
    end: (sessionId: string) => connection?.send({ type: 'end_chat', sessionId }),
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      delivery.close()
      connection?.close()
    },
  }
}
