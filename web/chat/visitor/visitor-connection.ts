import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import { randomId } from '../../client/random-id.ts'
import { serverNow } from '../../client/server-time.ts'
import { type Connection, openConnection } from '../messaging/connection.ts'
import {
  acceptMessage,
  type Conversation,
  emptyConversation,
  lastSequence,
  mergeMessages,
  refuseMessage,
} from '../messaging/conversation.ts'
import { clearTray, emptyTray } from '../messaging/file-tray.ts'
import { openDelivery, passes, refusalOf } from '../messaging/outgoing-messages.ts'
import { openReporter, reached, withReceipt } from '../messaging/receipts.ts'
import { openRepeat } from '../messaging/repeated-request.ts'
import { TYPING_HOLDS_MS } from '../messaging/typing.ts'
import { openEmailLine } from './email-sender.ts'
import { openRatingLine } from './rating-sender.ts'
import { isOfLink, latestEmail, removeStoredChat, type Session } from './stored-chat.ts'
import { changeChat, NO_RATING, visitorChat } from './visitor-state.ts'

const MAX_PAGE_URL_CHARACTERS = 2_000

// A frame that joins must contain a name; the server knows a returning visitor.
const UNKNOWN_NAME = 'Visitor'

const conversation = () => visitorChat.get().conversation

/** The conversation of one session: once the tab is in another, nothing is sent in this one. */
const conversationIn = (sessionId: string) => () =>
  visitorChat.get().session?.sessionId === sessionId ? conversation() : emptyConversation

/** The name of a visitor, and the address or number that they gave. */
export type Visitor = Pick<Session, 'visitorName' | 'visitorEmail' | 'visitorPhone'>

/** The visitor of a chat, for another one. */
export const visitorOf = (session: Session): Visitor => ({
  visitorName: session.visitorName,
  visitorEmail: latestEmail(session),
  ...(session.visitorPhone && { visitorPhone: session.visitorPhone }),
})

export const newSession = (visitor: Visitor, greeting?: string): Session => ({
  ...visitor,
  joinKey: randomId(),
  ...(greeting && { greeting }),
})

const ended = (endedAt = visitorChat.get().endedAt ?? serverNow().toISOString()) => {
  changeChat({ hasEnded: true, endedAt })
  emptyTray(visitorChat.get().session?.sessionId ?? '')
}

type Refusal = Extract<ServerFrame, { type: 'error' }>

/**
 * The link of this page's chat to the server: its connection, the frames that it sends, and the effects of those it
 * gets.
 */
class VisitorLine {
  #connection: Connection | undefined
  #typingTimer: ReturnType<typeof setTimeout> | undefined

  /** Sends a frame; false while there is no connection. */
  sendFrame = (frame: ClientFrame) => this.#connection?.send(frame) ?? false

  readonly emails = openEmailLine(this.sendFrame)
  readonly ratings = openRatingLine(this.sendFrame)
  #joining = openRepeat(() => this.join())
  #reporter = openReporter((sessionId, receipt) => this.sendFrame({ type: 'receipt', sessionId, ...receipt }))
  #delivery = openDelivery({
    connection: () => this.#connection,
    sender: () => this.#sender(),
  })

  #sender() {
    return { senderType: 'visitor', senderName: visitorChat.get().session?.visitorName || UNKNOWN_NAME } as const
  }

  /** Reports the messages of the support team that have arrived, and those seen: in an open chat, on a visible page. */
  reportReceipt = () => {
    const { session, view, receipts, isConnected } = visitorChat.get()
    if (!session?.sessionId || !isConnected) return
    const isLooking = view === 'expanded' && !document.hidden
    const own = receipts.visitor
    this.#reporter.report(session.sessionId, reached(conversation(), 'admin', own, isLooking), own)
  }

  /** Connects, unless there is a connection, and joins the chat of this page. */
  connect() {
    this.#connection ??= openConnection({
      onOpen: () => {
        changeChat({ isConnected: true })
        this.#reporter.reset()
        this.join()
      },
      onClose: () => {
        console.warn('The chat is disconnected')
        this.#stop()
        changeChat({ isConnected: false, isSupportTyping: false, waiting: undefined })
      },
      onFrame: (frame) => this.#receive(frame),
    })
  }

  disconnect = () => {
    this.#stop()
    this.#connection?.close()
    this.#connection = undefined
  }

  #stop() {
    this.#joining.stop()
    this.emails.stop()
    this.ratings.stop()
  }

  /** Leaves the chat of this page, and its connection: for the server, a socket is in one chat. The view stays open. */
  leave() {
    const { view, session } = visitorChat.get()
    this.disconnect()
    clearTray(session?.sessionId ?? '')
    changeChat({ ...visitorChat.initial(), view })
    if (view !== 'closed') this.connect()
  }

  /** Starts the visitor's chat, or returns to it. */
  join() {
    const { session } = visitorChat.get()
    if (!session) return
    const { visitorName, visitorEmail, visitorPhone, joinKey, sessionId, resumeToken, greeting } = session
    const back = sessionId && resumeToken && { sessionId, resumeToken, afterSequence: lastSequence(conversation()) }
    const pageUrl = location.href.slice(0, MAX_PAGE_URL_CHARACTERS)
    this.sendFrame({
      type: 'join_chat',
      visitorName: visitorName || UNKNOWN_NAME,
      visitorEmail,
      visitorPhone,
      pageUrl,
      joinKey,
      greeting,
      ...back,
    })
  }

  /** Changes the conversation, and sends its waiting messages. */
  converse(changed: Conversation, more: Parameters<typeof changeChat>[0] = {}) {
    changeChat({ conversation: changed, ...more })
    const sessionId = visitorChat.get().session?.sessionId
    if (sessionId) this.#delivery.deliver(sessionId, conversationIn(sessionId))
  }

  #receive(frame: ServerFrame) {
    const { session, receipts } = visitorChat.get()
    // a frame on its way about a chat that was left for another one
    const isOfOther = frame.type !== 'chat_joined' && 'sessionId' in frame && frame.sessionId !== session?.sessionId
    if (isOfOther) return
    switch (frame.type) {
      case 'chat_joined':
        return this.#joined(frame)
      case 'resume_token':
        return session && changeChat({ session: { ...session, resumeToken: frame.resumeToken } })
      case 'chat_history':
        return this.#merge(frame.messages)
      case 'new_message':
        if (frame.senderType === 'admin') this.#showTyping(false)
        return this.#merge([frame])
      case 'message_accepted': {
        const sender = { sessionId: session?.sessionId ?? '', ...this.#sender() }
        return this.converse(acceptMessage(conversation(), frame, sender))
      }
      case 'email_accepted':
        return this.emails.accepted(frame)
      case 'rating_accepted':
        return this.ratings.accepted()
      case 'receipt':
        return changeChat({ receipts: withReceipt(receipts, frame.party, frame) })
      case 'typing':
        return frame.senderType === 'admin' ? this.#showTyping(frame.isTyping) : undefined
      case 'chat_ended':
        return frame.isErased ? this.removeErased() : ended(frame.endedAt)
      case 'error':
        return this.#refused(frame)
      default:
        // Staff's frames, and types of a newer server.
        return
    }
  }

  #joined(frame: Extract<ServerFrame, { type: 'chat_joined' }>) {
    const { sessionId, resumeToken, message, greeting } = frame
    const { session } = visitorChat.get()
    this.#joining.succeeded()
    changeChat({ waiting: undefined, isOwn: frame.isOwn })
    // the node that stored it may have died before it confirmed it; a comment may still have to be stored
    if (frame.hasRated && !visitorChat.get().rating?.comment) this.ratings.accepted()
    if (!session) return
    const welcome = session.welcome ?? { message, timestamp: serverNow().toISOString() }
    const firstMessages = { ...(!isOfLink(session) && { welcome }), ...(greeting && { greeting }) }
    changeChat({ session: { ...session, sessionId, resumeToken, ...firstMessages } })
    this.#delivery.deliverAgain(sessionId, conversationIn(sessionId))
    this.emails.send()
    this.ratings.send()
  }

  #merge(messages: Parameters<typeof mergeMessages>[1]) {
    const { session } = visitorChat.get()
    const visitorName = messages.find(({ senderType }) => senderType === 'visitor')?.senderName
    const isNameless = session && !session.visitorName && visitorName
    this.converse(mergeMessages(conversation(), messages), isNameless ? { session: { ...session, visitorName } } : {})
    this.reportReceipt()
  }

  #showTyping(isTyping: boolean) {
    clearTimeout(this.#typingTimer)
    if (isTyping) this.#typingTimer = setTimeout(() => changeChat({ isSupportTyping: false }), TYPING_HOLDS_MS)
    changeChat({ isSupportTyping: isTyping })
  }

  #refused(refusal: Refusal) {
    const { code, refused, clientMessageId } = refusal
    const { unsent } = conversation()
    if (refused === 'give_email') {
      if (!this.emails.refused(refusal)) return
    } else if (refused === 'rate_chat') this.ratings.refused(refusal)
    else if (clientMessageId === undefined) return this.#joinRefused(refusal)
    else {
      // a message of a chat that the visitor has left since then
      if (unsent.every((message) => message.clientMessageId !== clientMessageId)) return
      this.#messageRefused(refusal, clientMessageId)
    }
    if (code === 'chat_ended') ended()
    if (refusalOf(code)?.retry === 'join') this.#joining.later()
  }

  #messageRefused({ code, message, retryAfterS }: Refusal, clientMessageId: string) {
    const sessionId = visitorChat.get().session?.sessionId
    if (!passes(code, retryAfterS)) this.converse(refuseMessage(conversation(), clientMessageId, message))
    else if (sessionId) this.#delivery.deliverLater(sessionId, conversationIn(sessionId), retryAfterS)
  }

  #joinRefused({ code, refused, message, retryAfterS }: Refusal) {
    const refusal = refusalOf(code)
    if (code === 'chat_ended') ended()
    else if (code === 'unknown_session') this.#beginAgain()
    else if (refused === 'join_chat' && refusal?.retry === 'later') {
      changeChat({ waiting: refusal.sentence ?? message })
      this.#joining.later(retryAfterS)
    }
  }

  /** The server no longer has this chat. */
  #beginAgain() {
    const { session, view } = visitorChat.get()
    if (!session?.sessionId) return
    const { unsent } = conversation()
    removeStoredChat(session, { inAllTabs: false })
    // A device that has stored a chat for longer than the server does begins no other one by itself.
    if (view === 'closed' && unsent.length === 0) return this.leave()
    // The visitor's own chat begins again under the same name, with its unsent messages. A revoked link begins none.
    const hasLostLink = isOfLink(session)
    changeChat({
      session: hasLostLink ? undefined : newSession(visitorOf(session)),
      conversation: { messages: [], unsent },
      receipts: NO_RECEIPTS,
      hasEnded: false,
      endedAt: undefined,
      ...NO_RATING,
      lost: hasLostLink ? 'link' : undefined,
      seen: 0,
    })
    this.join()
  }

  /** Removes a chat that was erased on the server; the start form says so. */
  removeErased() {
    const { view, isConnected, session } = visitorChat.get()
    if (session) removeStoredChat(session, { inAllTabs: true, isErased: true })
    clearTray(session?.sessionId ?? '')
    changeChat({ ...visitorChat.initial(), view, isConnected, lost: 'erased' })
  }
}

/** The link of this page to the server. */
export const line = new VisitorLine()
