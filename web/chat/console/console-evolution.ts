/** How frames of a node change the state of a console. */

import { UNASSIGNED } from '../../../events/chat/assignment.ts'
import { erasedSession } from '../../../events/chat/chat.ts'
import type { ChatOutline, ListedSession, ServerFrame } from '../../../events/chat/frames-wire.ts'
import type { ChatMessage, ChatSession } from '../../../events/chat/wire.ts'
import { type Conversation, newestSequence } from '../messaging/conversation.ts'
import { withReceipt } from '../messaging/receipts.ts'
import { isNewAssignment, mergeAssignments, type Whose, withoutHolder } from './console-assignments.ts'
import { activePageAfter } from './console-fetch.ts'
import { type ConsoleState, conversationOf, isLookedAt, receiptsOf, unreadOf } from './console-state.ts'

/** The state with a session's changed conversation; messages in view count as seen. */
export const withConversation = (state: ConsoleState, sessionId: string, changed: Conversation): ConsoleState => {
  // a frame that was on its way when the chat was erased
  if (state.erased.includes(sessionId)) return state
  return {
    ...state,
    conversations: { ...state.conversations, [sessionId]: changed },
    seen: isLookedAt(state, sessionId) ? { ...state.seen, [sessionId]: newestSequence(changed) } : state.seen,
  }
}

/** The sessions with a new or known one at the top of the list. */
export const withSession = (sessions: readonly ChatSession[], fresh: ChatSession) => [
  fresh,
  ...sessions.filter(({ sessionId }) => sessionId !== fresh.sessionId),
]

const ended = (session: ChatSession): ChatSession => ({ ...session, isActive: false })

const without = <Value>(records: Record<string, Value>, sessionId: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(records).filter(([id]) => id !== sessionId))

/** The state after a chat was erased: only the fact that it existed is left. */
const withErased = (state: ConsoleState, sessionId: string): ConsoleState => ({
  ...state,
  sessions: state.sessions.map((session) =>
    session.sessionId === sessionId ? erasedSession(ended(session)) : session,
  ),
  conversations: without(state.conversations, sessionId),
  outlines: without(state.outlines, sessionId),
  drafts: without(state.drafts, sessionId),
  handoverNotes: without(state.handoverNotes, sessionId),
  typing: without(state.typing, sessionId),
  pages: without(state.pages, sessionId),
  here: without(state.here, sessionId),
  erased: [...state.erased.filter((id) => id !== sessionId), sessionId],
})

/** The list with another page of those filtered by `whose`, and the address of the next page. */
export const withPage = (
  state: ConsoleState,
  {
    sessions,
    next,
  }: {
    sessions: readonly (Omit<ListedSession, 'outline'> & Partial<Pick<ListedSession, 'outline'>>)[]
    next: string | undefined
  },
  whose: Whose,
): ConsoleState => {
  const known = new Set(state.sessions.map(({ sessionId }) => sessionId))
  const receipts = { ...state.receipts }
  for (const { sessionId, receipts: told } of sessions) receipts[sessionId] ??= told
  const more = sessions.filter(({ sessionId }) => !known.has(sessionId))
  const assignments = mergeAssignments(state.assignments, sessions)
  const after = whose === 'all' ? { next } : { nextOf: { ...state.nextOf, [whose]: next ?? null } }
  return { ...state, ...after, sessions: [...state.sessions, ...more], receipts, assignments, isLoadingMore: false }
}

/** Replaces the list with the server's. The selected chat stays, even if it is no longer open. */
const withList = (
  state: ConsoleState,
  { sessions: listed, total = listed.length, next }: Extract<ListFrame, { type: 'active_sessions' }>,
): ConsoleState => {
  const left = state.sessions.filter(
    ({ sessionId }) => sessionId === state.selected && listed.every((session) => session.sessionId !== sessionId),
  )
  const receipts = { ...state.receipts }
  const outlines: ConsoleState['outlines'] = {}
  for (const { sessionId, receipts: told, outline } of listed) {
    receipts[sessionId] = told
    if (outline) outlines[sessionId] = outline
  }
  return {
    ...state,
    isListed: true,
    isWaiting: false,
    isLoadingMore: false,
    sessions: [...listed, ...left.map(ended)],
    total,
    next: next && activePageAfter(next),
    receipts,
    outlines,
    assignments: mergeAssignments(state.assignments, listed),
    nextOf: {},
  }
}

/** State changes that follow from the frame alone; messages and typing signals need more than the state. */
export type ListFrame = Extract<
  ServerFrame,
  {
    type:
      | 'active_sessions'
      | 'new_chat_session'
      | 'visitor_email'
      | 'chat_assigned'
      | 'colleague_removed'
      | 'chat_ended'
      | 'receipt'
      | 'presence'
      | 'page_viewed'
      | 'visitors_here'
  }
>

/** The console after a frame about the sessions themselves. */
export const evolveConsole = (state: ConsoleState, frame: ListFrame): ConsoleState => {
  switch (frame.type) {
    case 'active_sessions':
      return withList(state, frame)
    case 'new_chat_session': {
      const { type: _, ...session } = frame
      const isKnown = state.sessions.some(({ sessionId }) => sessionId === session.sessionId)
      const assignments = { [session.sessionId]: UNASSIGNED, ...state.assignments }
      const total = state.total + (isKnown ? 0 : 1)
      return { ...state, sessions: withSession(state.sessions, session), total, assignments }
    }
    case 'visitor_email': {
      const { sessionId, visitorEmail } = frame
      // a frame that was on its way when the chat was erased
      if (state.erased.includes(sessionId)) return state
      const given = (session: ChatSession) => (session.sessionId === sessionId ? { ...session, visitorEmail } : session)
      return { ...state, sessions: state.sessions.map(given) }
    }
    case 'chat_assigned': {
      const { sessionId, version, to, timestamp: since } = frame
      if (!isNewAssignment(state.assignments, sessionId, version)) return state
      return { ...state, assignments: { ...state.assignments, [sessionId]: { version, to, since } } }
    }
    case 'colleague_removed':
      return { ...state, assignments: withoutHolder(state.assignments, frame.staffId) }
    case 'chat_ended': {
      if (frame.isErased) return withErased(state, frame.sessionId)
      const end = (session: ChatSession) => (session.sessionId === frame.sessionId ? ended(session) : session)
      const isOver = state.sessions.some(({ sessionId, isActive }) => sessionId === frame.sessionId && !isActive)
      return { ...state, sessions: state.sessions.map(end), total: Math.max(0, state.total - (isOver ? 0 : 1)) }
    }
    case 'receipt': {
      const receipts = withReceipt(receiptsOf(state, frame.sessionId), frame.party, frame)
      return { ...state, receipts: { ...state.receipts, [frame.sessionId]: receipts } }
    }
    case 'presence':
      return {
        ...state,
        viewers: { ...state.viewers, [frame.sessionId]: frame.staff },
        away: { ...state.away, [frame.sessionId]: frame.isVisitorAway },
      }
    case 'page_viewed': {
      const { sessionId, pageUrl, timestamp } = frame
      const known = state.pages[sessionId] ?? []
      const pages = { ...state.pages, [sessionId]: [...known, { pageUrl, timestamp }] }
      const isHere = Boolean(state.here[sessionId])
      return { ...state, pages, ...(isHere && { here: { ...state.here, [sessionId]: { pageUrl, since: timestamp } } }) }
    }
    case 'visitors_here': {
      const told = frame.chats.filter(({ sessionId }) => !state.erased.includes(sessionId))
      const here = Object.fromEntries(told.map(({ sessionId, here }) => [sessionId, here]))
      return { ...state, here: { ...state.here, ...here } }
    }
    default:
      frame satisfies never
      return state
  }
}

/** The state with newer outlines of some chats. An older one changes nothing, nor does one of a chat that was erased. */
export const withOutlines = (
  state: ConsoleState,
  chats: readonly (ChatOutline & { sessionId: string })[],
): ConsoleState => {
  const outlines = { ...state.outlines }
  for (const { sessionId, ...outline } of chats) {
    const isNews = outline.lastSequence >= (outlines[sessionId]?.lastSequence ?? 0)
    if (isNews && !state.erased.includes(sessionId)) outlines[sessionId] = outline
  }
  return { ...state, outlines }
}

/** Whether a visitor's message arrives in a chat that is not in view. */
export const isMissed = (state: ConsoleState, { sessionId, senderType }: ChatMessage) =>
  senderType === 'visitor' && !isLookedAt(state, sessionId)

/** The newest visitor message after `sequence` that has been neither seen nor replied to. */
export const missedAfter = (state: ConsoleState, sessionId: string, sequence: number) => {
  const newest = conversationOf(state, sessionId).messages.findLast(({ senderType }) => senderType === 'visitor')
  return newest && newest.sequence > sequence && unreadOf(state, sessionId) > 0 ? newest : undefined
}
