import type { ServerFrame } from '../../events/chat-frames.ts'
import { type Connection, openConnection } from './connection.ts'
import {
  acceptMessage,
  allowMessages,
  type Conversation,
  emptyConversation,
  lastSequence,
  mergeMessages,
  newestSequence,
  queueMessage,
  refuseMessage,
} from './conversation.ts'
import { openDelivery } from './delivery.ts'
import { keepChat, readKeptChat } from './kept-chat.ts'
import { createStore } from './store.ts'
import { TYPING_HOLDS_MS, typingNotice } from './typing.ts'

const MAX_PAGE_URL_CHARACTERS = 2_000

export type View = 'closed' | 'minimised' | 'expanded'

/** A chat that a visitor has started. Its id and token are there once the server knows it. */
export type Session = {
  visitorName: string
  visitorEmail: string
  joinKey: string
  sessionId?: string
  resumeToken?: string
  welcome?: { message: string; timestamp: string }
}

/** What the widget shows. `session` is there from the moment a visitor starts a chat. */
export type VisitorChat = {
  view: View
  isConnected: boolean
  session: Session | undefined
  conversation: Conversation
  draft: string
  seen: number
  isSupportTyping: boolean
  hasEnded: boolean
  /** Whether what the widget shows was asked for on this page: only then may it take the focus. */
  takesFocus: boolean
}

const store = createStore<VisitorChat>({
  view: 'closed',
  isConnected: false,
  session: undefined,
  conversation: emptyConversation,
  draft: '',
  seen: 0,
  isSupportTyping: false,
  hasEnded: false,
  takesFocus: false,
})

export const visitorChat = { initial: store.initial, get: store.get, subscribe: store.subscribe }

let connection: Connection | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
const delivery = openDelivery(() => connection)
const conversation = () => store.get().conversation

const change = (part: Partial<VisitorChat>) => {
  store.set(part)
  const { view, session, conversation, seen, draft } = store.get()
  const sees = view === 'expanded' ? newestSequence(conversation) : seen
  if (sees !== seen) store.set({ seen: sees })
  keepChat(session && { view, session, ...conversation, seen: sees, draft })
}

const newSession = (visitorName: string, visitorEmail: string): Session => ({
  visitorName,
  visitorEmail,
  joinKey: crypto.randomUUID(),
})

const join = () => {
  const { session } = store.get()
  if (!session) return
  const { visitorName, visitorEmail, joinKey, sessionId, resumeToken } = session
  const back = sessionId && resumeToken && { sessionId, resumeToken, afterSequence: lastSequence(conversation()) }
  const pageUrl = location.href.slice(0, MAX_PAGE_URL_CHARACTERS)
  connection?.send({ type: 'join_chat', visitorName, visitorEmail, pageUrl, joinKey, ...back })
}

const showTyping = (isTyping: boolean) => {
  clearTimeout(typingTimer)
  if (isTyping) typingTimer = setTimeout(() => change({ isSupportTyping: false }), TYPING_HOLDS_MS)
  change({ isSupportTyping: isTyping })
}

const joined = (frame: Extract<ServerFrame, { type: 'chat_joined' }>) => {
  const { session } = store.get()
  if (!session) return
  const { sessionId, resumeToken } = frame
  const welcome = session.welcome ?? { message: frame.message, timestamp: new Date().toISOString() }
  change({ session: { ...session, sessionId, resumeToken, welcome } })
  delivery.deliverAgain(sessionId, conversation)
}

const failed = ({ code, message, clientMessageId }: Extract<ServerFrame, { type: 'error' }>) => {
  const { session } = store.get()
  if (code === 'chat_ended') change({ hasEnded: true })
  if (clientMessageId !== undefined) {
    if (code !== 'unavailable') return change({ conversation: refuseMessage(conversation(), clientMessageId, message) })
    if (session?.sessionId) delivery.deliverLater(session.sessionId, conversation)
    return
  }
  if (code === 'unavailable') return delivery.restartLater()
  // The server no longer knows the chat: it begins anew under the same name, with what was still to be sent.
  if (code === 'unknown_session' && session?.sessionId) {
    change({
      session: newSession(session.visitorName, session.visitorEmail),
      conversation: { messages: [], unsent: conversation().unsent },
      seen: 0,
    })
    join()
  }
}

const receive = (frame: ServerFrame) => {
  switch (frame.type) {
    case 'chat_joined':
      return joined(frame)
    case 'chat_history':
      return change({ conversation: mergeMessages(conversation(), frame.messages) })
    case 'new_message':
      if (frame.senderType === 'admin') showTyping(false)
      return change({ conversation: mergeMessages(conversation(), [frame]) })
    case 'message_accepted': {
      const { session } = store.get()
      const sender = {
        sessionId: session?.sessionId ?? '',
        senderType: 'visitor',
        senderName: session?.visitorName ?? '',
      } as const
      return change({ conversation: acceptMessage(conversation(), frame, sender) })
    }
    case 'typing':
      return frame.senderType === 'admin' ? showTyping(frame.isTyping) : undefined
    case 'chat_ended':
      return change({ hasEnded: true })
    case 'error':
      return failed(frame)
    default:
      // Staff's frames, and types of a newer server.
      return
  }
}

const connect = () => {
  connection ??= openConnection({
    onOpen: () => {
      change({ isConnected: true })
      join()
    },
    onClose: () => {
      console.warn('The chat is disconnected')
      change({ isConnected: false, isSupportTyping: false })
    },
    onFrame: receive,
  })
}

/** The chat that this tab was in before a reload or a change of page, if any. */
const takeUp = () => {
  const kept = readKeptChat()
  if (!kept) return
  const { messages, unsent, ...more } = kept
  change({ ...more, conversation: { messages, unsent } })
  connect()
}

/**
 * Takes up the chat that this tab was in, and keeps to it while the visitor goes back and forth: a page that the browser
 * has put aside has no connection, and when it is shown again it knows what happened on the others. Answers how to stop.
 */
export const resumeChat = () => {
  const watching = new AbortController()
  const leavePage = () => {
    connection?.close()
    connection = undefined
  }
  const returnToPage = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    store.set(store.initial())
    takeUp()
  }
  addEventListener('pagehide', leavePage, { signal: watching.signal })
  addEventListener('pageshow', returnToPage, { signal: watching.signal })
  if (!store.get().session) takeUp()
  return () => watching.abort()
}

export const showChat = (view: View) => {
  change({ view, takesFocus: view === 'expanded' })
  const { hasEnded, conversation } = store.get()
  const isDone = hasEnded && conversation.unsent.length === 0
  if (view === 'closed' && isDone) change({ ...store.initial(), isConnected: store.get().isConnected })
  if (view === 'expanded') return connect()
  if (view === 'minimised' || store.get().session) return
  connection?.close()
  connection = undefined
  change({ isConnected: false })
}

/** Starts a chat under a name. What a chat before it could not send any more is sent in this one. */
export const startChat = (visitorName: string, visitorEmail: string) => {
  change({
    session: newSession(visitorName, visitorEmail),
    conversation: { messages: [], unsent: allowMessages(conversation()).unsent },
    seen: 0,
    hasEnded: false,
    takesFocus: true,
  })
  connect()
  join()
}

const typing = typingNotice((isTyping) => {
  const sessionId = store.get().session?.sessionId
  if (sessionId) connection?.send({ type: 'typing', sessionId, isTyping })
})

/** Keeps what is being written, over a reload too, and lets the support team see that someone writes. */
export const writeDraft = (draft: string) => {
  change({ draft })
  typing.typed()
}

const deliver = () => {
  const sessionId = store.get().session?.sessionId
  if (sessionId) delivery.deliverAgain(sessionId, conversation)
}

/** Sends a message: it is kept until the server has accepted it. */
export const sendMessage = (message: string) => {
  typing.stop()
  const unsent = { clientMessageId: crypto.randomUUID(), message, timestamp: new Date().toISOString() }
  change({ draft: '', conversation: queueMessage(conversation(), unsent) })
  const sessionId = store.get().session?.sessionId
  if (sessionId) delivery.deliver(sessionId, conversation)
}

/** Sends a message again that the server has refused. */
export const retryMessage = (clientMessageId: string) => {
  change({ conversation: allowMessages(conversation(), clientMessageId) })
  deliver()
}

export const endChat = () => {
  const sessionId = store.get().session?.sessionId
  if (sessionId) connection?.send({ type: 'end_chat', sessionId })
}
