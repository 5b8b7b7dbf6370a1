import { NO_RECEIPTS } from '../../events/chat-activity.ts'
import type { ClientFrame } from '../../events/chat-frames.ts'
import type { ServerFrame } from '../../events/wire/chat-frames.ts'
import { randomId } from '../random-id.ts'
import { serverNow } from '../server-time.ts'
import { openRepeat } from './backoff.ts'
import { type Connection, openConnection } from './connection.ts'
import {
  acceptMessage,
  type Conversation,
  emptyConversation,
  lastSequence,
  mergeMessages,
  refuseMessage,
} from './conversation.ts'
import { openDelivery, passes } from './delivery.ts'
import { openEmailLine } from './email-line.ts'
import { emptyTray, forgetTray } from './file-tray.ts'
import { forgetKeptChat, isOfLink, latestEmail, type Session } from './kept-chat.ts'
import { openRatingLine } from './rating-line.ts'
import { openReporter, reached, withReceipt } from './receipts.ts'
import { TYPING_HOLDS_MS } from './typing.ts'
import { changeChat, NO_RATING, visitorChat } from './visitor-chat.ts'

const MAX_PAGE_URL_CHARACTERS = 2_000

// A frame that joins has to give a name; the server knows a visitor who comes back.
const UNKNOWN_NAME = 'Visitor'

let connection: Connection | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
const delivery = openDelivery({
  connection: () => connection,
  sender: () => ({ senderType: 'visitor', senderName: visitorChat.get().session?.visitorName || UNKNOWN_NAME }),
})
const conversation = () => visitorChat.get().conversation

/** What is said in one session: once the tab is in another, nothing more is sent in this one. */
const conversationIn = (sessionId: string) => () =>
  visitorChat.get().session?.sessionId === sessionId ? conversation() : emptyConversation

/** Sends a frame; false while there is no connection. */
export const tell = (frame: ClientFrame) => connection?.send(frame) ?? false

const emails = openEmailLine(tell)

/** Sends the address that was given last, unless it is confirmed. */
export const sendEmail = emails.send

const ratings = openRatingLine(tell)

/** Sends what the visitor says of the chat, unless it is confirmed. */
export const sendRating = ratings.send

const reporter = openReporter((sessionId, receipt) => tell({ type: 'receipt', sessionId, ...receipt }))

/** Lets the support team know what of theirs has arrived, and been looked at: in an open chat, on a page in sight. */
export const reportReceipt = () => {
  const { session, view, receipts, isConnected } = visitorChat.get()
  if (!session?.sessionId || !isConnected) return
  const isLooking = view === 'expanded' && !document.hidden
  reporter.report(session.sessionId, reached(conversation(), 'admin', receipts.visitor, isLooking), receipts.visitor)
}

export const newSession = (visitorName: string, visitorEmail: string, greeting?: string): Session => ({
  visitorName,
  visitorEmail,
  joinKey: randomId(),
  ...(greeting && { greeting }),
})

/** Starts the visitor's chat, or comes back to it. */
export const join = () => {
  const { session } = visitorChat.get()
  if (!session) return
  const { visitorName, visitorEmail, joinKey, sessionId, resumeToken, greeting } = session
  const back = sessionId && resumeToken && { sessionId, resumeToken, afterSequence: lastSequence(conversation()) }
  const pageUrl = location.href.slice(0, MAX_PAGE_URL_CHARACTERS)
  tell({
    type: 'join_chat',
    visitorName: visitorName || UNKNOWN_NAME,
    visitorEmail,
    pageUrl,
    joinKey,
    greeting,
    ...back,
  })
}

const joining = openRepeat(join)

/** Changes the conversation, and sends the part of it that waits to be sent. */
export const converse = (changed: Conversation, more: Parameters<typeof changeChat>[0] = {}) => {
  changeChat({ conversation: changed, ...more })
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) delivery.deliver(sessionId, conversationIn(sessionId))
}

const showTyping = (isTyping: boolean) => {
  clearTimeout(typingTimer)
  if (isTyping) typingTimer = setTimeout(() => changeChat({ isSupportTyping: false }), TYPING_HOLDS_MS)
  changeChat({ isSupportTyping: isTyping })
}

const joined = (frame: Extract<ServerFrame, { type: 'chat_joined' }>) => {
  const { sessionId, resumeToken, message, greeting } = frame
  const { session } = visitorChat.get()
  joining.succeeded()
  changeChat({ waiting: undefined, isOwn: frame.isOwn })
  // the node that stored it may have died before it said so
  if (frame.hasRated) ratings.accepted()
  if (!session) return
  const welcome = session.welcome ?? { message, timestamp: serverNow().toISOString() }
  const told = { ...(!isOfLink(session) && { welcome }), ...(greeting && { greeting }) }
  changeChat({ session: { ...session, sessionId, resumeToken, ...told } })
  delivery.deliverAgain(sessionId, conversationIn(sessionId))
  sendEmail()
  sendRating()
}

const merge = (messages: Parameters<typeof mergeMessages>[1]) => {
  const { session } = visitorChat.get()
  const visitorName = messages.find(({ senderType }) => senderType === 'visitor')?.senderName
  const isNameless = session && !session.visitorName && visitorName
  converse(mergeMessages(conversation(), messages), isNameless ? { session: { ...session, visitorName } } : {})
  reportReceipt()
}

const ended = () => {
  changeChat({ hasEnded: true })
  emptyTray(visitorChat.get().session?.sessionId ?? '')
}

const failed = (frame: Extract<ServerFrame, { type: 'error' }>) => {
  const { code, message, clientMessageId, refused, retryAfterS } = frame
  if (refused === 'give_email') {
    const isOurs = emails.refused(frame)
    if (isOurs && code === 'chat_ended') ended()
    if (isOurs && code === 'not_joined') joining.later()
    return
  }
  if (refused === 'rate_chat') {
    ratings.refused(frame)
    if (code === 'not_joined') joining.later()
    return
  }
  const { session } = visitorChat.get()
  const isOfOther =
    clientMessageId !== undefined && conversation().unsent.every((unsent) => unsent.clientMessageId !== clientMessageId)
  // about a chat that was left meanwhile
  if (isOfOther) return
  if (code === 'chat_ended') ended()
  if (clientMessageId !== undefined) {
    if (code === 'not_joined') joining.later()
    if (!passes(code, retryAfterS)) return converse(refuseMessage(conversation(), clientMessageId, message))
    if (session?.sessionId) delivery.deliverLater(session.sessionId, conversationIn(session.sessionId), retryAfterS)
    return
  }
  if (refused === 'join_chat' && (code === 'unavailable' || code === 'too_many_requests')) {
    changeChat({ waiting: code === 'unavailable' ? 'Connecting to chat...' : message })
    return joining.later(retryAfterS)
  }
  if (code !== 'unknown_session' || !session?.sessionId) return
  const { unsent } = conversation()
  forgetKeptChat(session, { inAllTabs: false })
  // A device that has kept a chat for longer than the server does begins no other one by itself.
  if (visitorChat.get().view === 'closed' && unsent.length === 0) return leave()
  // The visitor's own chat begins again under the same name, with what was still to be sent. A revoked link begins none.
  const hasLostLink = isOfLink(session)
  changeChat({
    session: hasLostLink ? undefined : newSession(session.visitorName, latestEmail(session)),
    conversation: { messages: [], unsent },
    receipts: NO_RECEIPTS,
    ...NO_RATING,
    lost: hasLostLink ? 'link' : undefined,
    seen: 0,
  })
  join()
}

/** What was erased at the server goes here too: the first stage of the widget is left, and says so. */
const forget = () => {
  const { view, isConnected, session } = visitorChat.get()
  if (session) forgetKeptChat(session, { inAllTabs: true, isErased: true })
  forgetTray(session?.sessionId ?? '')
  changeChat({ ...visitorChat.initial(), view, isConnected, lost: 'erased' })
}

const receive = (frame: ServerFrame) => {
  const { session, receipts } = visitorChat.get()
  // what was on its way about a chat that was left for another one
  const isOfOther = frame.type !== 'chat_joined' && 'sessionId' in frame && frame.sessionId !== session?.sessionId
  if (isOfOther) return
  switch (frame.type) {
    case 'chat_joined':
      return joined(frame)
    case 'resume_token':
      return session && changeChat({ session: { ...session, resumeToken: frame.resumeToken } })
    case 'chat_history':
      return merge(frame.messages)
    case 'new_message':
      if (frame.senderType === 'admin') showTyping(false)
      return merge([frame])
    case 'message_accepted': {
      const sender = {
        sessionId: session?.sessionId ?? '',
        senderType: 'visitor',
        senderName: session?.visitorName ?? '',
      } as const
      return converse(acceptMessage(conversation(), frame, sender))
    }
    case 'email_accepted':
      return emails.accepted(frame)
    case 'rating_accepted':
      return ratings.accepted()
    case 'receipt':
      return changeChat({ receipts: withReceipt(receipts, frame.party, frame) })
    case 'typing':
      return frame.senderType === 'admin' ? showTyping(frame.isTyping) : undefined
    case 'chat_ended':
      return frame.isErased ? forget() : ended()
    case 'error':
      return failed(frame)
    default:
      // Staff's frames, and types of a newer server.
      return
  }
}

/** Connects, unless there is a connection; the chat of this page is joined with it. */
export const connect = () => {
  connection ??= openConnection({
    onOpen: () => {
      changeChat({ isConnected: true })
      reporter.forget()
      join()
    },
    onClose: () => {
      console.warn('The chat is disconnected')
      joining.stop()
      emails.stop()
      ratings.stop()
      changeChat({ isConnected: false, isSupportTyping: false, waiting: undefined })
    },
    onFrame: receive,
  })
}

export const disconnect = () => {
  joining.stop()
  emails.stop()
  ratings.stop()
  connection?.close()
  connection = undefined
}

/** Leaves the chat of this page, and its connection: to the server a socket is in one chat. What is open stays open. */
export const leave = () => {
  const { view, session } = visitorChat.get()
  disconnect()
  forgetTray(session?.sessionId ?? '')
  changeChat({ ...visitorChat.initial(), view })
  if (view !== 'closed') connect()
}
