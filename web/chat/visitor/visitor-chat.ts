import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import type { ChatRatingForm } from '../../../events/chat/rating.ts'
import { createStore } from '../../client/store.ts'
import { type Conversation, emptyConversation, newestSequence } from '../line/conversation.ts'
import type { ChatLink } from './chat-link.ts'
import { keepChat, type Session, type View } from './kept-chat.ts'

/** Why a chat is no longer there. */
export type LostChat = 'link' | 'erased'

/** What the widget shows. `session` is there from the moment a visitor starts a chat. */
export type VisitorChat = {
  view: View
  isConnected: boolean
  session: Session | undefined
  conversation: Conversation
  /** How far both sides have got, as far as the server has told. */
  receipts: Receipts
  draft: string
  seen: number
  isSupportTyping: boolean
  /** Why the server does not let the visitor in just now: it is asked again by itself. */
  waiting: string | undefined
  /** Whether the chat began on this device, as far as the server has said: it may give an address and rate the chat. */
  isOwn: boolean
  /** Why the address that the visitor gave last was not taken. */
  emailProblem: string | undefined
  hasEnded: boolean
  /** What the visitor says of it, until the server has confirmed it; and why that was not taken. */
  rating: ChatRatingForm | undefined
  ratingProblem: string | undefined
  hasRated: boolean
  /**
   * What became of the chat before, where its visitor did nothing: a link led nowhere any more, or staff erased the
   * chat.
   */
  lost: LostChat | undefined
  /** A link that was followed while this tab is in a chat: the visitor is asked first. */
  askedLink: ChatLink | undefined
  /** Whether what the widget shows was asked for on this page: only then may it take the focus. */
  takesFocus: boolean
}

/** Nothing is said of a chat. */
export const NO_RATING = { rating: undefined, ratingProblem: undefined, hasRated: false } as const

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
  ...NO_RATING,
  lost: undefined,
  askedLink: undefined,
  takesFocus: false,
})

/** The chat of this page, for those who show it. */
export const visitorChat = { initial: store.initial, get: store.get, subscribe: store.subscribe }

/** Changes what is shown, and keeps it for the pages that come. What is shown expanded is seen. */
export const changeChat = (part: Partial<VisitorChat>) => {
  store.set(part)
  const { view, session, conversation, receipts, seen, draft, hasEnded } = store.get()
  const sees = view === 'expanded' ? newestSequence(conversation) : seen
  if (sees !== seen) store.set({ seen: sees })
  keepChat(session && { view, session, ...conversation, receipts, seen: sees, draft }, hasEnded)
}
