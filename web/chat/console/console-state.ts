import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import type { ChatOutline, Viewer } from '../../../events/chat/frames-wire.ts'
import type { ChatSession, VisitorHere } from '../../../events/chat/wire.ts'
import { type Conversation, emptyConversation, newestSequence, unreadCount } from '../line/conversation.ts'
import { type Assignments, isShownFor, type ShownFor, type Whose } from './console-assignments.ts'
import { firstPageOf } from './console-fetch.ts'

/** A page that a visitor came to while chatting; `timestamp` is ISO 8601. */
export type PageView = { pageUrl: string; timestamp: string }

/** What staff see of all chats. All but the list are by session; only the selected one is shown. */
export type ConsoleState = {
  isConnected: boolean
  /** Whether the server has told the sessions since this page was opened. */
  isListed: boolean
  /** Whether the server cannot tell them just now: it is asked again by itself. */
  isWaiting: boolean
  /** Whether the page is in sight and has the focus: what comes while it is not is unread, in the selected chat too. */
  isAttended: boolean
  /** The sessions that are known here: the newest, more pages of them, and those in which something happens. */
  sessions: ChatSession[]
  /** How many sessions go on, as far as has been told. */
  total: number
  /** Where the sessions after those of the list can be fetched; undefined where there are none. */
  next: string | undefined
  isLoadingMore: boolean
  selected: string | undefined
  /** What is known of the text: of the selected chat all that is new, of others as much as was shown here before. */
  conversations: Record<string, Conversation>
  /** What the node last told of the chats without their text. */
  outlines: Record<string, ChatOutline>
  seen: Record<string, number>
  drafts: Record<string, string>
  /** What is written for the colleague to whom a chat is to be handed over. */
  handoverNotes: Record<string, string>
  typing: Record<string, boolean>
  receipts: Record<string, Receipts>
  viewers: Record<string, Viewer[]>
  /** Of the chats that staff look at, whose page has been gone, or cut off, since. */
  away: Record<string, boolean>
  /** The pages of which the socket told; those from before are fetched. */
  pages: Record<string, PageView[]>
  /** Where the visitors of listed chats and of the selected one are, null for who has left, as far as has been told. */
  here: Record<string, VisitorHere | null>
  /** The chats that were erased while this console was open: nothing of them is kept. */
  erased: string[]
  /** Whose chats are. */
  assignments: Assignments
  /** Whose chats the list shows, and to whom. */
  shownFor: ShownFor
  /** Where more of the chats that are mine or unassigned can be fetched; null where all of them are here. */
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

/** Whether somebody looks at this session here and now. */
export const isLookedAt = ({ selected, isAttended }: ConsoleState, sessionId: string) =>
  isAttended && sessionId === selected

/**
 * Where the visitor of a chat is: null for who has left, undefined where no node has told. Of the chat that staff look
 * at it is told sooner (`away`), but only of who leaves while they do.
 */
export const whereaboutsOf = ({ away, here }: ConsoleState, sessionId: string) =>
  away[sessionId] ? null : here[sessionId]

/** The outline of a chat, where it tells of more than the text that is here. */
const newerOutline = (state: ConsoleState, sessionId: string) => {
  const outline = state.outlines[sessionId]
  return outline && outline.lastSequence > newestSequence(conversationOf(state, sessionId)) ? outline : undefined
}

/** The highest sequence number that is known of a chat, by its text or its outline; 0 for none. */
export const knownUpTo = (state: ConsoleState, sessionId: string) =>
  (newerOutline(state, sessionId) ?? { lastSequence: newestSequence(conversationOf(state, sessionId)) }).lastSequence

/** What was said last in a chat. */
export const lastWordsOf = (state: ConsoleState, sessionId: string): ChatOutline['last'] | undefined => {
  const outline = newerOutline(state, sessionId)
  return outline ? outline.last : conversationOf(state, sessionId).messages.at(-1)
}

/** When the visitor wrote the first message that nobody has answered; undefined where none waits. */
export const waitingSinceOf = (state: ConsoleState, sessionId: string): string | undefined => {
  const outline = newerOutline(state, sessionId)
  if (outline) return outline.waitingSince ?? undefined
  const { messages } = conversationOf(state, sessionId)
  return messages[messages.findLastIndex(({ senderType }) => senderType === 'admin') + 1]?.timestamp
}

/** What a visitor wrote since it was looked at here, or answered by anyone. */
export const unreadOf = (state: ConsoleState, sessionId: string) => {
  if (isLookedAt(state, sessionId)) return 0
  const outline = newerOutline(state, sessionId)
  if (outline) return Math.max(0, outline.lastSequence - Math.max(outline.answered, state.seen[sessionId] ?? 0))
  const conversation = conversationOf(state, sessionId)
  const answered = conversation.messages.findLast(({ senderType }) => senderType === 'admin')?.sequence ?? 0
  return unreadCount(conversation, 'visitor', Math.max(answered, state.seen[sessionId] ?? 0))
}

/** What is unread in all chats that go on. */
export const totalUnread = (state: ConsoleState) =>
  state.sessions.reduce((sum, { sessionId, isActive }) => sum + (isActive ? unreadOf(state, sessionId) : 0), 0)

/** Whether the newest message is the visitor's, however many have seen it. */
const awaitsAnswer = (state: ConsoleState, sessionId: string) => {
  const outline = newerOutline(state, sessionId)
  if (outline) return outline.lastSequence > outline.answered
  return conversationOf(state, sessionId).messages.at(-1)?.senderType === 'visitor'
}

/** How many of the chats that go on wait for an answer, by the same rule as `GET /api/chats/waiting`. */
export const waitingCount = (state: ConsoleState) =>
  state.sessions.filter(({ isActive, sessionId }) => isActive && awaitsAnswer(state, sessionId)).length

const newestFirst = (a: ChatSession, b: ChatSession) => b.startTime.localeCompare(a.startTime)

/** The chats in the list of those that go on, newest first. */
export const listedChats = ({ sessions }: ConsoleState) => sessions.filter(({ isActive }) => isActive).sort(newestFirst)

/** Who has waited longest for an answer comes first, then the chats in which nobody waits, newest first. */
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

/** The chats of the list that are of those whose chats it shows: who waits longest comes first. */
export const shownChats = (state: ConsoleState) =>
  inTurn(
    state,
    listedChats(state).filter(({ sessionId }) => isShownFor(state.assignments[sessionId], state.shownFor)),
  )

/** The chats whose visitors are followed: the shown ones, and the selected one first, which may not be among them. */
export const followedChats = (state: ConsoleState) => {
  const shown = shownChats(state).map(({ sessionId }) => sessionId)
  const selected = listedChats(state).filter(({ sessionId }) => sessionId === state.selected)
  return [...new Set([...selected.map(({ sessionId }) => sessionId), ...shown])]
}

/**
 * The ids of the shown chats. The selected one is among them even if it is no longer shown, so that one can go on from
 * there.
 */
const walkedChats = (state: ConsoleState) => {
  const { sessions, selected, assignments, shownFor } = state
  const walked = sessions.filter(
    ({ isActive, sessionId }) => sessionId === selected || (isActive && isShownFor(assignments[sessionId], shownFor)),
  )
  return inTurn(state, walked).map(({ sessionId }) => sessionId)
}

/** The chat this many places further down the list, around its ends; the first where none is selected. */
export const chatBeside = (state: ConsoleState, step: 1 | -1) => {
  const ids = walkedChats(state)
  const at = ids.indexOf(state.selected ?? '')
  if (at < 0) return step > 0 ? ids[0] : ids.at(-1)
  return ids.at((at + step) % ids.length)
}

/** The next chat with something unread, after the selected one and around the end. */
export const nextUnread = (state: ConsoleState) => {
  const ids = walkedChats(state)
  const at = ids.indexOf(state.selected ?? '') + 1
  return [...ids.slice(at), ...ids.slice(0, at)].find((id) => id !== state.selected && unreadOf(state, id) > 0)
}

/** How many sessions go on: those that are known here, or more of which only the number is known. */
export const activeCount = ({ sessions, total }: ConsoleState) =>
  Math.max(total, sessions.filter(({ isActive }) => isActive).length)

/** Where more of the shown chats can be fetched; undefined where all of them are here. */
export const nextPageOf = ({ next, nextOf, shownFor: { whose } }: ConsoleState) => {
  if (whose === 'all' || next === undefined) return next
  const known = nextOf[whose]
  return known === undefined ? firstPageOf(whose) : (known ?? undefined)
}
