import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import { MAX_LISTED_SESSIONS } from '../../../events/chat/outline.ts'
import type { ChatOutline, Viewer } from '../../../events/chat/server-frames.ts'
import { isReachable } from '../../../events/chat/visitor-contact.ts'
import { stillWaits } from '../../../events/chat/waiting.ts'
import type { ChatAssignment, ChatSession, VisitorPlace } from '../../../events/chat/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { type Conversation, emptyConversation } from '../messaging/conversation.ts'
import { type AssigneeFilter, activePage } from './console-pages.ts'

/** A page that a visitor opened while chatting; `timestamp` is ISO 8601. */
export type PageView = { pageUrl: string; timestamp: string }

/**
 * A chat as a console knows it. Its cached text has all new messages of the selected chat; of others it is the part that
 * was shown here before.
 */
export type LiveChat = Conversation & {
  /** Undefined as long as the chat is not in the list. */
  session: ChatSession | undefined
  /** The newest state of the chat without its text, by the outlines that nodes send and by its messages. */
  outline: ChatOutline
  /** The sequence number of the last message that was in view here. */
  seen: number
  draft: string
  /** The note for the colleague to whom the chat is to be handed over. */
  handoverNote: string
  receipts: Receipts
  assignment: ChatAssignment | undefined
  /** The pages sent by the socket; earlier ones are fetched. */
  pages: readonly PageView[]
  /** Whether the chat was erased while this console was open: none of its data is stored. */
  isErased: boolean
  isTyping: boolean
  viewers: readonly Viewer[]
  /** Whether the visitor of the chat in view has left, or was cut off, since it came into view. */
  isAway: boolean
  /** The page of the visitor, as last sent; null if they have left. */
  here: VisitorPlace | null | undefined
}

export type ConsoleState = {
  /** The writer of the drafts, whose chats are `mine`. */
  staffId: string | undefined
  isConnected: boolean
  /** Whether the server has sent the sessions since this page was opened. */
  isListed: boolean
  /** Whether the server cannot send them at the moment: they are requested again automatically. */
  isWaiting: boolean
  /** Whether the page is visible and has the focus: otherwise new messages are unread, even in the selected chat. */
  isAttended: boolean
  chats: Readonly<Record<string, LiveChat>>
  /** The ids of chats that are not in the list and are being fetched. */
  unlisted: readonly string[]
  /** The number of open sessions, as last sent. */
  total: number
  /** By filter, the address of the next page; null if all of those chats are loaded. */
  next: Partial<Record<AssigneeFilter, string | null>>
  isLoadingMore: boolean
  selected: string | undefined
  assignees: AssigneeFilter
}

/** The presence of the visitor and of staff in a chat, as long as no node sends it. */
export const NO_PRESENCE = { isTyping: false, viewers: [], isAway: false, here: undefined } as const

export const emptyChat: LiveChat = {
  ...emptyConversation,
  ...NO_PRESENCE,
  session: undefined,
  outline: { lastSequence: 0, answered: 0, waitingSince: null, last: null },
  seen: 0,
  draft: '',
  handoverNote: '',
  receipts: NO_RECEIPTS,
  assignment: undefined,
  pages: [],
  isErased: false,
}

export const emptyConsole: ConsoleState = {
  staffId: undefined,
  isConnected: false,
  isListed: false,
  isWaiting: false,
  isAttended: true,
  chats: {},
  unlisted: [],
  total: 0,
  next: {},
  isLoadingMore: false,
  selected: undefined,
  assignees: 'all',
}

export const chatIn = ({ chats }: Pick<ConsoleState, 'chats'>, sessionId: string | undefined): LiveChat =>
  (sessionId !== undefined && chats[sessionId]) || emptyChat

export const idsOf = (chats: ConsoleState['chats'], holds: (chat: LiveChat, sessionId: string) => boolean) =>
  Object.entries(chats).flatMap(([sessionId, chat]) => (holds(chat, sessionId) ? [sessionId] : []))

/** The listed sessions, ended ones too. */
export const sessionsOf = ({ chats }: ConsoleState): ChatSession[] =>
  Object.values(chats).flatMap(({ session }) => session ?? [])

const activeSessions = (state: ConsoleState) => sessionsOf(state).filter(({ isActive }) => isActive)

export const isLookedAt = ({ selected, isAttended }: ConsoleState, sessionId: string) =>
  isAttended && sessionId === selected

/**
 * The page of a chat's visitor: null if they have left, undefined if no node has sent it. For the chat in view it is
 * known sooner (`isAway`), but only for visitors who leave during that time.
 */
export const visitorPlaceOf = ({ isAway, here }: LiveChat) => (isAway ? null : here)

const awaitsAnswer = ({ outline }: LiveChat) => outline.lastSequence > outline.answered

/** Whether the visitor of a chat wrote last, has left, cannot be reached, and waits no longer. */
export const hasGivenUp = (chat: LiveChat, now: Date) => {
  const { session, outline } = chat
  const lastWritten = outline.last?.timestamp ?? outline.waitingSince
  if (!session || lastWritten === null || !awaitsAnswer(chat)) return false
  const visitor = { hasLeft: visitorPlaceOf(chat) === null, isReachable: isReachable(session), lastWritten }
  return !stillWaits(visitor, now)
}

/** Since when the visitor of an open chat waits for a reply; null if they do not, or no longer. */
export const waitingSinceOf = (chat: LiveChat, now: Date) =>
  chat.session?.isActive && !hasGivenUp(chat, now) ? chat.outline.waitingSince : null

/** The number of messages that a visitor wrote since the chat was last seen here or had a reply. */
export const unreadOf = (state: ConsoleState, sessionId: string) => {
  const { outline, seen } = chatIn(state, sessionId)
  return isLookedAt(state, sessionId) ? 0 : Math.max(0, outline.lastSequence - Math.max(outline.answered, seen))
}

export const totalUnread = (state: ConsoleState) =>
  activeSessions(state).reduce((sum, { sessionId }) => sum + unreadOf(state, sessionId), 0)

/** The number of open chats that wait for a reply, by the same rule as `GET /api/chats/waiting`. */
export const waitingCount = (state: ConsoleState, now: Date) =>
  activeSessions(state).filter(({ sessionId }) => {
    const chat = chatIn(state, sessionId)
    return awaitsAnswer(chat) && !hasGivenUp(chat, now)
  }).length

/** The number of open sessions: the cached ones, or the sent total if it is higher. */
export const activeCount = (state: ConsoleState) => Math.max(state.total, activeSessions(state).length)

/** The number of chats that the list still has room for. */
export const roomIn = (state: ConsoleState) =>
  MAX_LISTED_SESSIONS - activeSessions(state).length - state.unlisted.length

const newestFirst = (a: ChatSession, b: ChatSession) => b.startTime.localeCompare(a.startTime)

export const listedChats = (state: ConsoleState) => activeSessions(state).sort(newestFirst)

/** Whether a chat passes the filter of the list. */
const isShown = (state: ConsoleState, { sessionId, isActive }: ChatSession) => {
  if (!isActive || state.assignees === 'all') return isActive
  const holder = chatIn(state, sessionId).assignment?.to?.staffId
  return state.assignees === 'mine' ? holder === state.staffId : holder === undefined
}

/** Of the listed chats those whose visitors have waited longest for a reply first, then the others, newest first. */
const inTurn = (state: ConsoleState, isWanted: (session: ChatSession) => boolean): ChatSession[] => {
  const now = serverNow()
  const sinceOf = ({ sessionId }: ChatSession) => waitingSinceOf(chatIn(state, sessionId), now)
  return sessionsOf(state)
    .filter(isWanted)
    .sort((a, b) => {
      const [first, second] = [sinceOf(a), sinceOf(b)]
      const byWait = first && second ? first.localeCompare(second) : Number(Boolean(second)) - Number(Boolean(first))
      return byWait || newestFirst(a, b)
    })
}

/** The chats of the list that pass its filter, the longest waiting first. */
export const shownChats = (state: ConsoleState) => inTurn(state, (session) => isShown(state, session))

/** The chat of the list whose visitor has waited longest for a reply; undefined if none waits. */
export const longestWaiting = (state: ConsoleState, now: Date): LiveChat | undefined => {
  const first = chatIn(state, shownChats(state)[0]?.sessionId)
  return waitingSinceOf(first, now) === null ? undefined : first
}

/** The chats whose visitors are followed: the selected one first, which may not be among the shown ones, then those. */
export const followedChats = (state: ConsoleState) => {
  const { session } = chatIn(state, state.selected)
  const followed = session?.isActive ? [session, ...shownChats(state)] : shownChats(state)
  return [...new Set(followed.map(({ sessionId }) => sessionId))]
}

/** The ids of the shown chats, and of the selected one even if it is no longer shown: the next step starts there. */
const walkedChats = (state: ConsoleState) =>
  inTurn(state, (session) => session.sessionId === state.selected || isShown(state, session)).map(
    ({ sessionId }) => sessionId,
  )

/** The chat this many places further down the list, which wraps around; the first if none is selected. */
export const neighbourChat = (state: ConsoleState, step: 1 | -1) => {
  const ids = walkedChats(state)
  const at = ids.indexOf(state.selected ?? '')
  if (at < 0) return step > 0 ? ids[0] : ids.at(-1)
  return ids.at((at + step) % ids.length)
}

/** The next chat with unread messages after the selected one; wraps around. */
export const nextUnread = (state: ConsoleState) => {
  const ids = walkedChats(state)
  const at = ids.indexOf(state.selected ?? '') + 1
  return [...ids.slice(at), ...ids.slice(0, at)].find((id) => id !== state.selected && unreadOf(state, id) > 0)
}

/** The address of the next page of shown chats; undefined if all of them are loaded. */
export const nextPageOf = ({ next, assignees }: ConsoleState) =>
  next.all ? (next[assignees] === undefined ? activePage({ assignees }) : (next[assignees] ?? undefined)) : undefined
