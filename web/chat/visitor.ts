import type { ServerFrame } from '../../events/chat-frames.ts'
import { randomId } from '../random-id.ts'
import { type Connection, openConnection } from './connection.ts'
import {
  acceptMessage,
  allowMessages,
  lastSequence,
  mergeMessages,
  queueMessage,
  refuseMessage,
} from './conversation.ts'
import { openDelivery } from './delivery.ts'
import { readKeptChat, type Session, type View } from './kept-chat.ts'
import { TYPING_HOLDS_MS, typingNotice } from './typing.ts'
import { changeChat, visitorChat } from './visitor-chat.ts'

const MAX_PAGE_URL_CHARACTERS = 2_000

let connection: Connection | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
const delivery = openDelivery(() => connection)
const conversation = () => visitorChat.get().conversation

const newSession = (visitorName: string, visitorEmail: string): Session => ({
  visitorName,
  visitorEmail,
  joinKey: randomId(),
})

const join = () => {
  const { session } = visitorChat.get()
  if (!session) return
  const { visitorName, visitorEmail, joinKey, sessionId, resumeToken } = session
  const back = sessionId && resumeToken && { sessionId, resumeToken, afterSequence: lastSequence(conversation()) }
  const pageUrl = location.href.slice(0, MAX_PAGE_URL_CHARACTERS)
  connection?.send({ type: 'join_chat', visitorName, visitorEmail, pageUrl, joinKey, ...back })
}

const showTyping = (isTyping: boolean) => {
  clearTimeout(typingTimer)
  if (isTyping) typingTimer = setTimeout(() => changeChat({ isSupportTyping: false }), TYPING_HOLDS_MS)
  changeChat({ isSupportTyping: isTyping })
}

const joined = (frame: Extract<ServerFrame, { type: 'chat_joined' }>) => {
  const { session } = visitorChat.get()
  if (!session) return
  const { sessionId, resumeToken } = frame
  const welcome = session.welcome ?? { message: frame.message, timestamp: new Date().toISOString() }
  changeChat({ session: { ...session, sessionId, resumeToken, welcome } })
  delivery.deliverAgain(sessionId, conversation)
}

const failed = ({ code, message, clientMessageId }: Extract<ServerFrame, { type: 'error' }>) => {
  const { session } = visitorChat.get()
  if (code === 'chat_ended') changeChat({ hasEnded: true })
  if (clientMessageId !== undefined) {
    if (code !== 'unavailable')
      return changeChat({ conversation: refuseMessage(conversation(), clientMessageId, message) })
    if (session?.sessionId) delivery.deliverLater(session.sessionId, conversation)
    return
  }
  if (code === 'unavailable') return delivery.restartLater()
  // The server no longer knows the chat: it begins anew under the same name, with what was still to be sent.
  if (code === 'unknown_session' && session?.sessionId) {
    changeChat({
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
      return changeChat({ conversation: mergeMessages(conversation(), frame.messages) })
    case 'new_message':
      if (frame.senderType === 'admin') showTyping(false)
      return changeChat({ conversation: mergeMessages(conversation(), [frame]) })
    case 'message_accepted': {
      const { session } = visitorChat.get()
      const sender = {
        sessionId: session?.sessionId ?? '',
        senderType: 'visitor',
        senderName: session?.visitorName ?? '',
      } as const
      return changeChat({ conversation: acceptMessage(conversation(), frame, sender) })
    }
    case 'typing':
      return frame.senderType === 'admin' ? showTyping(frame.isTyping) : undefined
    case 'chat_ended':
      return changeChat({ hasEnded: true })
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
      changeChat({ isConnected: true })
      join()
    },
    onClose: () => {
      console.warn('The chat is disconnected')
      changeChat({ isConnected: false, isSupportTyping: false })
    },
    onFrame: receive,
  })
}

/** The chat that this tab was in before a reload or a change of page, if any. */
const takeUp = () => {
  const kept = readKeptChat()
  if (!kept) return changeChat(visitorChat.initial())
  const { messages, unsent, ...more } = kept
  changeChat({ ...visitorChat.initial(), ...more, conversation: { messages, unsent } })
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
    if (persisted) takeUp()
  }
  addEventListener('pagehide', leavePage, { signal: watching.signal })
  addEventListener('pageshow', returnToPage, { signal: watching.signal })
  if (!visitorChat.get().session) takeUp()
  return () => watching.abort()
}

export const showChat = (view: View) => {
  changeChat({ view, takesFocus: view === 'expanded' })
  const { hasEnded, conversation } = visitorChat.get()
  const isDone = hasEnded && conversation.unsent.length === 0
  if (view === 'closed' && isDone) changeChat({ ...visitorChat.initial(), isConnected: visitorChat.get().isConnected })
  if (view === 'expanded') return connect()
  if (view === 'minimised' || visitorChat.get().session) return
  connection?.close()
  connection = undefined
  changeChat({ isConnected: false })
}

/** Starts a chat under a name. What a chat before it could not send any more is sent in this one. */
export const startChat = (visitorName: string, visitorEmail: string) => {
  changeChat({
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
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) connection?.send({ type: 'typing', sessionId, isTyping })
})

/** Keeps what is being written, over a reload too, and lets the support team see that someone writes. */
export const writeDraft = (draft: string) => {
  changeChat({ draft })
  typing.typed()
}

const deliver = () => {
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) delivery.deliverAgain(sessionId, conversation)
}

/** Sends a message: it is kept until the server has accepted it. */
export const sendMessage = (message: string) => {
  typing.stop()
  const unsent = { clientMessageId: randomId(), message, timestamp: new Date().toISOString() }
  changeChat({ draft: '', conversation: queueMessage(conversation(), unsent) })
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) delivery.deliver(sessionId, conversation)
}

/** Sends a message again that the server has refused. */
export const retryMessage = (clientMessageId: string) => {
  changeChat({ conversation: allowMessages(conversation(), clientMessageId) })
  deliver()
}

export const endChat = () => {
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) connection?.send({ type: 'end_chat', sessionId })
}
