import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import type { ChatRatingForm } from '../../../events/chat/rating.ts'
import { createStore } from '../../client/store.ts'
import { type Conversation, emptyConversation, newestSequence } from '../messaging/conversation.ts'
import type { ChatLink } from './chat-link.ts'
import { type Session, storeChat, type View } from './stored-chat.ts'

/** Why a chat is no longer there. */
export type LostChat = 'link' | 'erased'

/** The state that the widget shows. `session` is set from the moment a visitor starts a chat. */
export type VisitorChat = {
  view: View
  isConnected: boolean
  session: Session | undefined
  conversation: Conversation
  /** The receipts of both sides, as last sent by the server. */
  receipts: Receipts
  draft: string
  seen: number
  isSupportTyping: boolean
  /** Why the server does not admit the visitor at the moment: the request is repeated automatically. */
  waiting: string | undefined
  /** Whether the chat began on this device, by the server: if so, it may give an address and rate the chat. */
  isOwn: boolean
  /** Why the address that the visitor gave last was not taken. */
  emailProblem: string | undefined
  hasEnded: boolean
  /** When the chat ended, ISO 8601. */
  endedAt: string | undefined
  /** The visitor's rating, until the server has confirmed it; why it was refused; and the confirmed one. */
  rating: ChatRatingForm | undefined
  ratingProblem: string | undefined
  hasRated: boolean
  rated: ChatRatingForm | undefined
  /**
   * Why the previous chat was lost without an action of its visitor: its link was no longer valid, or staff erased the
   * chat.
   */
  lost: LostChat | undefined
  /** A link that was followed while this tab is in another chat: the visitor is asked first. */
  pendingLink: ChatLink | undefined
  /** Whether the shown state was requested on this page: only then may the widget take the focus. */
  takesFocus: boolean
}

/** Nothing is said of a chat. */
export const NO_RATING = { rating: undefined, ratingProblem: undefined, hasRated: false, rated: undefined } as const

const store = createStore<VisitorChat>({
  view: 'closed',
  isConnected: false,
  session: undefined,
  conversation: emptyConversation,
  receipts: NO_RECEIPTS,
  draft: '',
  seen: 0,
  isSupportTyping: false,
  waiting: undefined,
  isOwn: false,
  emailProblem: undefined,
  hasEnded: false,
  endedAt: undefined,
  ...NO_RATING,
  lost: undefined,
  pendingLink: undefined,
  takesFocus: false,
})

/** The chat of this page, for the components that show it. */
export const visitorChat = { initial: store.initial, get: store.get, subscribe: store.subscribe }

/** Changes the shown state, and stores it for later pages. Messages shown in an expanded chat are seen. */
export const changeChat = (part: Partial<VisitorChat>) => {
  store.set(part)
  const { view, session, conversation, receipts, seen, draft, endedAt, rating } = store.get()
  const sees = view === 'expanded' ? newestSequence(conversation) : seen
  if (sees !== seen) store.set({ seen: sees })
  const outcome = { ...(endedAt && { endedAt }), ...(rating && { rating }) }
  storeChat(session && { view, session, ...conversation, receipts, seen: sees, draft, ...outcome })
}
