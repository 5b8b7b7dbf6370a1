import type { ServerFrame } from '../../events/chat-frames.ts'
import { type Connection, openConnection } from './connection.ts'
import {
  acceptMessage,
  type Conversation,
  emptyConversation,
  lastSequence,
  mergeMessages,
  newestSequence,
  queueMessage,
  refuseMessage,
  type UnsentMessage,
} from './conversation.ts'
import { openDelivery } from './delivery.ts'
import { CHAT_STORAGE_KEY } from './storage.ts'
import { createStore } from './store.ts'
import { TYPING_HOLDS_MS, typingNotice } from './typing.ts'

type View = 'closed' | 'minimised' | 'expanded'

/** What the widget shows. `session` is there from the moment a visitor starts a chat; its id once the server knows it. */
export type VisitorChat = {
  view: View
  isConnected: boolean
  session: Session | undefined
  conversation: Conversation
  seen: number
  isSupportTyping: boolean
  hasEnded: boolean
}

type Session = {
  visitorName: string
  visitorEmail: string
  sessionId?: string
  resumeToken?: string
  welcome?: { message: string; timestamp: string }
}

type Kept = { view: View; session: Session; unsent: UnsentMessage[]; seen: number }

const store = createStore<VisitorChat>({
  view: 'closed',
  isConnected: false,
  session: undefined,
  conversation: emptyConversation,
  seen: 0,
  isSupportTyping: false,
  hasEnded: false,
})

export const visitorChat = { initial: store.initial, get: store.get, subscribe: store.subscribe }

let connection: Connection | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
const delivery = openDelivery(() => connection)
const conversation = () => store.get().conversation

const change = (part: Partial<VisitorChat>) => {
  store.set(part)
  const { view, session, conversation, seen } = store.get()
  const sees = view === 'expanded' ? newestSequence(conversation) : seen
  if (sees !== seen) store.set({ seen: sees })
  if (!session) return sessionStorage.removeItem(CHAT_STORAGE_KEY)
  const kept: Kept = { view, session, unsent: conversation.unsent, seen: sees }
  sessionStorage.setItem(CHAT_STORAGE_KEY, JSON.stringify(kept))
}

const join = () => {
  const { session } = store.get()
  if (!session) return
  const { visitorName, visitorEmail, sessionId, resumeToken } = session
  const resume = sessionId && resumeToken && { sessionId, resumeToken, afterSequence: lastSequence(conversation()) }
  connection?.send({ type: 'join_chat', visitorName, visitorEmail, pageUrl: location.href, ...resume })
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
  // The server no longer knows the chat: it begins anew under the same name, with what was still to be sent.
  if (code === 'unknown_session' && session?.sessionId) {
    const { visitorName, visitorEmail } = session
    change({
      session: { visitorName, visitorEmail },
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

/** Takes up the chat that this tab was in before a reload or a change of page, if any. */
export const resumeChat = () => {
  const kept: Kept | null = JSON.parse(sessionStorage.getItem(CHAT_STORAGE_KEY) ?? 'null')
  if (!kept || store.get().session) return
  const { view, session, unsent, seen } = kept
  change({ view, session, seen, conversation: { messages: [], unsent } })
  connect()
}

export const showChat = (view: View) => {
  change({ view })
  if (view === 'expanded') return connect()
  if (view === 'minimised' || store.get().session) return
  connection?.close()
  connection = undefined
}

/** Starts a chat under a name. */
export const startChat = (visitorName: string, visitorEmail: string) => {
  change({ session: { visitorName, visitorEmail }, conversation: emptyConversation, seen: 0, hasEnded: false })
  connect()
  join()
}

export const typing = typingNotice((isTyping) => {
  const sessionId = store.get().session?.sessionId
  if (sessionId) connection?.send({ type: 'typing', sessionId, isTyping })
})

/** Sends a message: it is kept until the server has accepted it. */
export const sendMessage = (message: string) => {
  typing.stop()
  const unsent = { clientMessageId: crypto.randomUUID(), message, timestamp: new Date().toISOString() }
  change({ conversation: queueMessage(conversation(), unsent) })
  const sessionId = store.get().session?.sessionId
  if (sessionId) delivery.deliver(sessionId, conversation)
}

export const endChat = () => {
  const sessionId = store.get().session?.sessionId
  if (sessionId) connection?.send({ type: 'end_chat', sessionId })
}
