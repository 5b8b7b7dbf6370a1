import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import type { ChatRatingForm } from '../../../events/chat/rating.ts'
import { randomId } from '../../client/random-id.ts'
import { overlayEntry } from '../../ui/overlay-entry.ts'
import { allowMessages, queueMessage, unsentFile, unsentMessage } from '../messaging/conversation.ts'
import { typingSignal } from '../messaging/typing.ts'
import { type ChatLink, popChatLink } from './chat-link.ts'
import { allowAgain, isPast, readStoredChat, removalIn, removeStoredChat, type View } from './stored-chat.ts'
import { line, newSession, type Visitor, visitorOf } from './visitor-connection.ts'
import { changeChat, NO_RATING, visitorChat } from './visitor-state.ts'

const conversation = () => visitorChat.get().conversation

/** Whether the chat has ended, and nothing of it is left to be sent. */
const isDone = () => {
  const { hasEnded, conversation, rating } = visitorChat.get()
  return hasEnded && conversation.unsent.length === 0 && !rating
}

/** The chat that this tab was in before a reload or a change of page, or else this device, if any. */
const resumeStored = () => {
  const found = readStoredChat()
  if (!found) return changeChat(visitorChat.initial())
  const { messages, unsent, ...more } = found
  const hasEnded = more.endedAt !== undefined
  changeChat({ ...visitorChat.initial(), ...more, hasEnded, conversation: { messages, unsent } })
  if (!isDone() || more.view !== 'closed') line.connect()
}

/** Nothing of the earlier chat is taken along: anyone may have sent the link, and may read the chat that it opens. */
const enterLinkedChat = (link: ChatLink) => {
  allowAgain(link.sessionId)
  const { isConnected } = visitorChat.get()
  changeChat({
    ...visitorChat.initial(),
    session: { ...newSession({ visitorName: '', visitorEmail: '' }), ...link },
    isConnected,
  })
  line.join()
  showChat('expanded')
}

/** Opens the chat that an email's link resumes, if one was followed; asks first if this tab is in another chat. */
export const followChatLink = () => {
  const link = popChatLink()
  if (!link) return
  const { session, hasEnded, conversation, draft } = visitorChat.get()
  const isOver = hasEnded && conversation.unsent.length === 0 && draft === ''
  if (!session || (isOver && session.sessionId !== link.sessionId)) return enterLinkedChat(link)
  if (session.sessionId !== link.sessionId) changeChat({ pendingLink: link })
  showChat('expanded')
}

/** Leaves the chat of this tab for the one of the link that was followed. */
export const openLinkedChat = () => {
  const { pendingLink } = visitorChat.get()
  if (pendingLink) enterLinkedChat(pendingLink)
}

/** Stays in the chat of this tab, and ignores the followed link. */
export const stayInChat = () => changeChat({ pendingLink: undefined, takesFocus: true })

/** Leaves a chat that another tab has removed from the device; if it was erased, the visitor is notified here too. */
const leaveRemoved = (change: StorageEvent) => {
  const { session } = visitorChat.get()
  const removal = session && removalIn(change, session)
  if (!removal) return
  line.leave()
  if (removal.isErased) changeChat({ lost: 'erased' })
}

/**
 * Resumes the chat that this tab was in, also as the visitor goes back and forth: a page in the browser's back/forward
 * cache has no connection, and when it is shown again it has the events of the others. Returns a function that stops
 * this.
 */
export const resumeChat = () => {
  const watching = new AbortController()
  const { signal } = watching
  const returnToPage = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    resumeStored()
    if (overlayEntry() === 'chat') showChat('expanded')
  }
  addEventListener('pagehide', line.disconnect, { signal })
  addEventListener('pageshow', returnToPage, { signal })
  addEventListener('resume-chat', followChatLink, { signal })
  addEventListener('storage', leaveRemoved, { signal })
  document.addEventListener('visibilitychange', line.reportReceipt, { signal })
  if (!visitorChat.get().session) resumeStored()
  followChatLink()
  return () => watching.abort()
}

export const showChat = (view: View) => {
  const { session, endedAt } = visitorChat.get()
  if (view === 'expanded' && session && isPast(endedAt)) line.leave()
  // begun in another tab since this page was opened
  if (view === 'expanded' && !visitorChat.get().session && readStoredChat()) resumeStored()
  changeChat({ view, takesFocus: view === 'expanded' })
  line.reportReceipt()
  if (view === 'expanded') return line.connect()
  if (view === 'minimised' || (visitorChat.get().session && !isDone())) return
  line.disconnect()
  changeChat({ isConnected: false })
}

/**
 * Starts a chat of a visitor, with a first message unless that is blank, perhaps a reply to the greeting. Messages that
 * an earlier chat could no longer send are sent in this one.
 */
export const startChat = (visitor: Visitor, written = '', greeting?: string) => {
  const message = written.trim().toWellFormed()
  const { unsent } = allowMessages(conversation())
  changeChat({
    session: newSession(visitor, greeting),
    conversation: { messages: [], unsent: message ? [...unsent, unsentMessage(message)] : unsent },
    ...(message && { draft: '' }),
    receipts: NO_RECEIPTS,
    seen: 0,
    hasEnded: false,
    endedAt: undefined,
    ...NO_RATING,
    lost: undefined,
    emailProblem: undefined,
    takesFocus: true,
  })
  line.connect()
  line.join()
}

/** Leaves an ended chat for another one: under the same name, or, if there is none, through the start form. */
export const startOver = () => {
  const { session, isConnected } = visitorChat.get()
  if (session?.visitorName) return startChat(visitorOf(session))
  changeChat({ ...visitorChat.initial(), view: 'expanded', isConnected })
}

const typing = typingSignal((isTyping) => {
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) line.sendFrame({ type: 'typing', sessionId, isTyping })
})

/** Stores the draft, over a reload too, and shows the support team a typing signal. */
export const writeDraft = (draft: string) => {
  changeChat({ draft })
  typing.typed()
}

/** Sends a message: it is stored until the server has accepted it. */
export const sendMessage = (message: string) => {
  typing.stop()
  line.converse(queueMessage(conversation(), unsentMessage(message)), { draft: '' })
}

/** Sends a file that is stored in a chat, unless the visitor has left the chat since then. The draft stays. */
export const sendFile = (sessionId: string, file: ChatFile) => {
  if (visitorChat.get().session?.sessionId !== sessionId) return
  line.converse(queueMessage(conversation(), unsentFile(file)))
}

export const retryMessage = (clientMessageId: string) => {
  line.converse(allowMessages(conversation(), clientMessageId))
}

/** Sets the address for replies, or another one: it is stored until the server has confirmed it. */
export const giveEmail = (visitorEmail: string) => {
  const { session } = visitorChat.get()
  if (!session) return
  const pendingEmail = { visitorEmail, clientMessageId: randomId() }
  changeChat({ session: { ...session, pendingEmail }, emailProblem: undefined })
  line.emails.send()
}

/** Rates an ended chat, or comments on the rating: it is stored until the server has confirmed it. */
export const rateChat = (rating: ChatRatingForm) => {
  changeChat({ rating, ratingProblem: undefined })
  line.ratings.send()
}

/** Leaves the address unchanged after another one was refused. */
export const keepEarlierEmail = () => changeChat({ emailProblem: undefined })

export const endChat = () => {
  const sessionId = visitorChat.get().session?.sessionId
  if (sessionId) line.sendFrame({ type: 'end_chat', sessionId })
}

/** Removes the chat from this device. The support team keeps it. */
export const removeChat = () => {
  const { session } = visitorChat.get()
  if (!session) return
  removeStoredChat(session, { inAllTabs: true })
  line.leave()
}
