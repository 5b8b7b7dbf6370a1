import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import type { ChatOutline, Viewer } from '../../../events/chat/frames-wire.ts'
import type { ChatSession, VisitorPlace } from '../../../events/chat/wire.ts'
import { type Conversation, emptyConversation, newestSequence, unreadCount } from '../messaging/conversation.ts'
import { type Assignments, isShownFor, type ShownFor, type Whose } from './console-assignments.ts'
import { firstPageOf } from './console-fetch.ts'

/** A page that a visitor opened while chatting; `timestamp` is ISO 8601. */
export type PageView = { pageUrl: string; timestamp: string }

/** The state of all chats that staff see. All but the list are by session; only the selected one is shown. */
export type ConsoleState = {
  isConnected: boolean
  /** Whether the server has sent the sessions since this page was opened. */
  isListed: boolean
  /** Whether the server cannot send them at the moment: they are requested again automatically. */
  isWaiting: boolean
  /**
   * Whether the page is visible and has the focus: messages that arrive otherwise are unread, even in the selected
   * chat.
   */
  isAttended: boolean
  /** The cached sessions: the newest, further pages, and those with events. */
  sessions: ChatSession[]
  /** The number of open sessions, as last sent. */
  total: number
  /** The cursor of the sessions after those of the list; undefined if there are none. */
  next: string | undefined
  isLoadingMore: boolean
  selected: string | undefined
  /** The cached text: of the selected chat all new messages, of others the part that was shown here before. */
  conversations: Record<string, Conversation>
  /** The outlines of chats without their text, as last sent by the node. */
  outlines: Record<string, ChatOutline>
  seen: Record<string, number>
  drafts: Record<string, string>
  /** The notes for the colleagues to whom chats are to be handed over. */
  handoverNotes: Record<string, string>
  typing: Record<string, boolean>
  receipts: Record<string, Receipts>
  viewers: Record<string, Viewer[]>
  /** Whether the visitor of a chat in view has left, or was cut off, since it came into view. */
  away: Record<string, boolean>
  /** The pages sent by the socket; earlier ones are fetched. */
  pages: Record<string, PageView[]>
  /**
   * The pages of the visitors of listed chats and of the selected one, as last sent; null for visitors who have left.
   */
  here: Record<string, VisitorPlace | null>
  /** The chats erased while this console was open: none of their data is stored. */
  erased: string[]
  assignments: Assignments
  /** The filter of the list, and for which staff member. */
  shownFor: ShownFor
  /** The next page of the chats that are mine or unassigned; null if all of them are loaded. */
  nextOf: Partial<Record<Whose, string | null>>
}

export const emptyConsole: ConsoleState = {
  isConnected: false,
  isListed: false,
  isWaiting: false,
  isAttended: true,
  sessions: [],
  total: 0,
  next: undefined,
  isLoadingMore: false,
  selected: undefined,
  conversations: {},
  outlines: {},
  seen: {},
  drafts: {},
  handoverNotes: {},
  typing: {},
  receipts: {},
  viewers: {},
  away: {},
  pages: {},
  here: {},
  erased: [],
  assignments: {},
  shownFor: { whose: 'all', staffId: undefined },
  nextOf: {},
}

export const conversationOf = ({ conversations }: ConsoleState, sessionId: string) =>
  conversations[sessionId] ?? emptyConversation

export const receiptsOf = ({ receipts }: ConsoleState, sessionId: string) => receipts[sessionId] ?? NO_RECEIPTS

/** Whether this session is in view here. */
export const isLookedAt = ({ selected, isAttended }: ConsoleState, sessionId: string) =>
  isAttended && sessionId === selected

/**
 * The page of a chat's visitor: null if they have left, undefined if no node has sent it. For the chat in view it is
 * known sooner (`away`), but only for visitors who leave during that time.
 */
export const whereaboutsOf = ({ away, here }: ConsoleState, sessionId: string) =>
  away[sessionId] ? null : here[sessionId]

/** The outline of a chat, if it is newer than the cached text. */
const newerOutline = (state: ConsoleState, sessionId: string) => {
  const outline = state.outlines[sessionId]
  return outline && outline.lastSequence > newestSequence(conversationOf(state, sessionId)) ? outline : undefined
}

/** The highest known sequence number of a chat, by its text or its outline; 0 for none. */
export const knownUpTo = (state: ConsoleState, sessionId: string) =>
  (newerOutline(state, sessionId) ?? { lastSequence: newestSequence(conversationOf(state, sessionId)) }).lastSequence

/** The last words of a chat. */
export const lastWordsOf = (state: ConsoleState, sessionId: string): ChatOutline['last'] | undefined => {
  const outline = newerOutline(state, sessionId)
  return outline ? outline.last : conversationOf(state, sessionId).messages.at(-1)
}

/** When the visitor wrote their first message without a reply; undefined if none waits. */
export const waitingSinceOf = (state: ConsoleState, sessionId: string): string | undefined => {
  const outline = newerOutline(state, sessionId)
  if (outline) return outline.waitingSince ?? undefined
  const { messages } = conversationOf(state, sessionId)
  return messages[messages.findLastIndex(({ senderType }) => senderType === 'admin') + 1]?.timestamp
}

/** The number of messages that a visitor wrote since the chat was last seen here or had a reply. */
export const unreadOf = (state: ConsoleState, sessionId: string) => {
  if (isLookedAt(state, sessionId)) return 0
  const outline = newerOutline(state, sessionId)
  if (outline) return Math.max(0, outline.lastSequence - Math.max(outline.answered, state.seen[sessionId] ?? 0))
  const conversation = conversationOf(state, sessionId)
  const answered = conversation.messages.findLast(({ senderType }) => senderType === 'admin')?.sequence ?? 0
  return unreadCount(conversation, 'visitor', Math.max(answered, state.seen[sessionId] ?? 0))
}

/** The number of unread messages in all open chats. */
export const totalUnread = (state: ConsoleState) =>
  state.sessions.reduce((sum, { sessionId, isActive }) => sum + (isActive ? unreadOf(state, sessionId) : 0), 0)

/** Whether the newest message is the visitor's, whether or not it was seen. */
const awaitsAnswer = (state: ConsoleState, sessionId: string) => {
  const outline = newerOutline(state, sessionId)
  if (outline) return outline.lastSequence > outline.answered
  return conversationOf(state, sessionId).messages.at(-1)?.senderType === 'visitor'
}

/** The number of open chats that wait for a reply, by the same rule as `GET /api/chats/waiting`. */
export const waitingCount = (state: ConsoleState) =>
  state.sessions.filter(({ isActive, sessionId }) => isActive && awaitsAnswer(state, sessionId)).length

const newestFirst = (a: ChatSession, b: ChatSession) => b.startTime.localeCompare(a.startTime)

/** The open chats of the list, newest first. */
export const listedChats = ({ sessions }: ConsoleState) => sessions.filter(({ isActive }) => isActive).sort(newestFirst)

/** The chats whose visitors have waited longest for a reply first, then the others, newest first. */
const inTurn = (state: ConsoleState, sessions: readonly ChatSession[]): ChatSession[] => {
  const sinceOf = ({ isActive, sessionId }: ChatSession) => (isActive ? waitingSinceOf(state, sessionId) : undefined)
  const since = new Map(sessions.map((session) => [session.sessionId, sinceOf(session)]))
  return sessions.toSorted((a, b) => {
    const [first, second] = [since.get(a.sessionId), since.get(b.sessionId)]
    const byWait =
      first && second ? first.localeCompare(second) : Number(second !== undefined) - Number(first !== undefined)
    return byWait || newestFirst(a, b)
  })
}

/** The chats of the list that pass its filter, the longest waiting first. */
export const shownChats = (state: ConsoleState) =>
  inTurn(
    state,
    listedChats(state).filter(({ sessionId }) => isShownFor(state.assignments[sessionId], state.shownFor)),
  )

/** The chats whose visitors are followed: the selected one first, which may not be among the shown ones, then those. */
export const followedChats = (state: ConsoleState) => {
  const shown = shownChats(state).map(({ sessionId }) => sessionId)
  const selected = listedChats(state).filter(({ sessionId }) => sessionId === state.selected)
  return [...new Set([...selected.map(({ sessionId }) => sessionId), ...shown])]
}

/**
 * The ids of the shown chats. The selected one is included even if it is no longer shown, as the start for the next
 * step.
 */
const walkedChats = (state: ConsoleState) => {
  const { sessions, selected, assignments, shownFor } = state
  const walked = sessions.filter(
    ({ isActive, sessionId }) => sessionId === selected || (isActive && isShownFor(assignments[sessionId], shownFor)),
  )
  return inTurn(state, walked).map(({ sessionId }) => sessionId)
}

/** The chat this many places further down the list, which wraps around; the first if none is selected. */
export const chatBeside = (state: ConsoleState, step: 1 | -1) => {
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

/** The number of open sessions: the cached ones, or the sent total if it is higher. */
export const activeCount = ({ sessions, total }: ConsoleState) =>
  Math.max(total, sessions.filter(({ isActive }) => isActive).length)

/** The address of the next page of shown chats; undefined if all of them are loaded. */
export const nextPageOf = ({ next, nextOf, shownFor: { whose } }: ConsoleState) => {
  if (whose === 'all' || next === undefined) return next
  const known = nextOf[whose]
  return known === undefined ? firstPageOf(whose) : (known ?? undefined)
}
