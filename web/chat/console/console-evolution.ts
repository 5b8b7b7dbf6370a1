import { UNASSIGNED } from '../../../events/chat/assignment.ts'
import { erasedSession, SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import { outlineAfter } from '../../../events/chat/outline.ts'
import type { ChatOutline, ListedSession, ServerFrame } from '../../../events/chat/server-frames.ts'
import type { ChatAssignment, ChatSession } from '../../../events/chat/wire.ts'
import {
  acceptMessage,
  type Conversation,
  mergeMessages,
  newestSequence,
  refuseMessage,
} from '../messaging/conversation.ts'
import { withNewest } from '../messaging/history.ts'
import { passes } from '../messaging/outgoing-messages.ts'
import { withReceipt } from '../messaging/receipts.ts'
import { type AssigneeFilter, activePage } from './console-pages.ts'
import {
  type ConsoleState,
  chatIn,
  emptyChat,
  idsOf,
  isLookedAt,
  type LiveChat,
  NO_PRESENCE,
  roomIn,
  unreadOf,
} from './console-state.ts'

type Frame<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>

type InChat = { sessionId: string }

type Change<News extends InChat> = (chat: LiveChat, news: News) => Partial<LiveChat>

/** Applies news of chats. News of an erased chat were on their way when it was erased: they change nothing. */
const withChats = <News extends InChat>(
  state: ConsoleState,
  all: readonly News[],
  change: Change<News>,
): ConsoleState => {
  const chats = { ...state.chats }
  for (const news of all) {
    const chat = chatIn({ chats }, news.sessionId)
    if (!chat.isErased) chats[news.sessionId] = { ...chat, ...change(chat, news) }
  }
  return { ...state, chats }
}

export const withChat = (state: ConsoleState, sessionId: string, change: (chat: LiveChat) => Partial<LiveChat>) =>
  withChats(state, [{ sessionId }], change)

const withAll = (state: ConsoleState, change: (chat: LiveChat, sessionId: string) => LiveChat): ConsoleState => ({
  ...state,
  chats: Object.fromEntries(Object.entries(state.chats).map(([id, chat]) => [id, change(chat, id)])),
})

/** Applies an outline, unless it is old. A visitor who has written since then is no longer typing. */
const outlined = ({ outline: known, isTyping }: LiveChat, outline: ChatOutline): Partial<LiveChat> =>
  outline.lastSequence < known.lastSequence
    ? {}
    : { outline, isTyping: isTyping && outline.lastSequence <= Math.max(outline.answered, known.lastSequence) }

/** Applies a changed text, whose new messages change the outline. */
const written = (chat: LiveChat, { messages, unsent }: Conversation): Partial<LiveChat> => {
  const news = messages.filter(({ sequence }) => sequence > chat.outline.lastSequence)
  return { messages, unsent, ...outlined(chat, news.reduce(outlineAfter, chat.outline)) }
}

const isUnlisted = (state: ConsoleState, sessionId: string) =>
  !chatIn(state, sessionId).session && !state.unlisted.includes(sessionId)

/** The state in which these chats are fetched, unless they are in the list. */
export const withUnlisted = (state: ConsoleState, chats: readonly InChat[]): ConsoleState => {
  const ids = chats.map(({ sessionId }) => sessionId)
  const fresh = ids.filter((id) => isUnlisted(state, id) && !chatIn(state, id).isErased)
  return fresh.length > 0 ? { ...state, unlisted: [...state.unlisted, ...fresh] } : state
}

/** The state with a fetched chat, if it is open; one that could not be fetched is fetched again at its next message. */
export const withFetched = (state: ConsoleState, sessionId: string, fetched?: ChatSession): ConsoleState => {
  const known = { ...state, unlisted: state.unlisted.filter((id) => id !== sessionId) }
  return fetched?.isActive ? withChat(known, sessionId, ({ session = fetched }) => ({ session })) : known
}

/** Applies news of those chats that are in the list, or that it has room for. */
const withNews = <News extends InChat>(state: ConsoleState, all: readonly News[], change: Change<News>) => {
  let room = roomIn(state)
  const taken = all.filter(({ sessionId: id }) => !isUnlisted(state, id) || id === state.selected || room-- > 0)
  return withUnlisted(withChats(state, taken, change), taken)
}

const ended = (session: ChatSession): ChatSession => ({ ...session, isActive: false })

const assigned = ({ assignment }: LiveChat, { assigned }: Pick<ListedSession, 'assigned'>) =>
  assigned.version >= (assignment?.version ?? 0) ? assigned : assignment

/** The list with another page of those filtered by `assigneeFilter`, and the address of the next page. */
export const withPage = (
  state: ConsoleState,
  { items, next }: { items: readonly Omit<ListedSession, 'outline'>[]; next: string | undefined },
  assignees: AssigneeFilter,
): ConsoleState => {
  const added = withChats(state, items, (chat, item) => ({
    session: chat.session ?? item,
    receipts: chat.receipts === emptyChat.receipts ? item.receipts : chat.receipts,
    assignment: assigned(chat, item),
  }))
  return { ...added, next: { ...state.next, [assignees]: next ?? null } }
}

/** Replaces the list with the server's. The selected chat stays, even if it is no longer open. */
const withList = (state: ConsoleState, { sessions, total, next }: Frame<'active_sessions'>): ConsoleState => {
  const left = withAll(state, (chat, id) => ({
    ...chat,
    session: id === state.selected && chat.session ? ended(chat.session) : undefined,
  }))
  const listed = withChats(left, sessions, (chat, session) => ({
    session,
    receipts: session.receipts,
    assignment: assigned(chat, session),
    ...outlined(chat, session.outline),
  }))
  const known = { isListed: true, isWaiting: false, isLoadingMore: false, total }
  return { ...listed, ...known, next: { all: next === undefined ? null : activePage({ cursor: next }) } }
}

/**
 * A message that the node could not accept at the moment is sent again; one refused for good shows why. If the chat has
 * ended, it becomes a draft, to be copied or discarded.
 */
const withError = (state: ConsoleState, error: Frame<'error'>): ConsoleState => {
  const { clientMessageId = '', code, message, refused, retryAfterS } = error
  if (refused === 'join_admin' && passes(code)) return { ...state, isWaiting: true }
  const sessionId = writtenIn(state, clientMessageId)
  if (!sessionId || passes(code, retryAfterS)) return state
  return withChat(state, sessionId, (chat) => {
    const [reply] = chat.unsent.filter((unsent) => unsent.clientMessageId === clientMessageId)
    if (code !== 'chat_ended' || !reply || reply.file) return refuseMessage(chat, clientMessageId, message)
    const draft = [chat.draft, reply.message].filter(Boolean).join('\n')
    return { unsent: chat.unsent.filter((unsent) => unsent !== reply), draft }
  })
}

/** The session in which a message with this id is not sent yet. */
export const writtenIn = ({ chats }: ConsoleState, clientMessageId: string | undefined) =>
  idsOf(chats, ({ unsent }) => unsent.some((message) => message.clientMessageId === clientMessageId))[0]

type ChatFrame = Frame<
  'chat_ended' | 'chat_history' | 'page_viewed' | 'presence' | 'receipt' | 'typing' | 'visitor_email'
>

/** The changes of a chat by a frame about it. */
const changeBy = (chat: LiveChat, frame: ChatFrame): Partial<LiveChat> => {
  const { session, receipts, pages, here } = chat
  switch (frame.type) {
    case 'chat_ended': {
      const { isErased } = frame
      // only the fact that the chat existed is left
      return isErased
        ? { ...emptyChat, isErased, session: session && erasedSession(ended(session)) }
        : { session: session && ended(session) }
    }
    case 'chat_history':
      return written(chat, withNewest(chat, frame.messages))
    case 'page_viewed': {
      const { pageUrl, timestamp } = frame
      return { pages: [...pages, { pageUrl, timestamp }], here: here && { pageUrl, since: timestamp } }
    }
    case 'presence':
      return { viewers: frame.staff, isAway: frame.isVisitorAway }
    case 'receipt':
      return { receipts: withReceipt(receipts, frame.party, frame) }
    case 'typing':
      return frame.senderType === 'visitor' ? { isTyping: frame.isTyping } : {}
    case 'visitor_email':
      return { session: session && { ...session, visitorEmail: frame.visitorEmail } }
  }
}

/** The console after a frame of a node. Visitors' frames, and types of a newer server, change nothing. */
export const evolveConsole = (state: ConsoleState, frame: ServerFrame): ConsoleState => {
  switch (frame.type) {
    case 'active_sessions':
      // with a list in preparation, chats that have arrived since then stay
      return frame.isPreparing ? { ...state, isWaiting: true } : withList(state, frame)
    case 'chat_outlines':
      return withNews(state, frame.chats, (chat, { sessionId: _, ...outline }) => outlined(chat, outline))
    case 'new_message': {
      const { type: _, ...message } = frame
      return withNews(state, [message], (chat) => written(chat, mergeMessages(chat, [message])))
    }
    case 'message_accepted': {
      const sessionId = writtenIn(state, frame.clientMessageId)
      if (!sessionId) return state
      const sender = { sessionId, senderType: 'admin', senderName: SUPPORT_TEAM_NAME } as const
      return withChat(state, sessionId, (chat) => written(chat, acceptMessage(chat, frame, sender)))
    }
    case 'error':
      return withError(state, frame)
    case 'new_chat_session': {
      const { type: _, ...session } = frame
      const total = state.total + (chatIn(state, frame.sessionId).session ? 0 : 1)
      const started = withChat(state, frame.sessionId, ({ assignment = UNASSIGNED }) => ({ session, assignment }))
      return { ...started, total }
    }
    case 'chat_assigned': {
      const { sessionId, version, to, timestamp: since } = frame
      if (version <= (chatIn(state, sessionId).assignment?.version ?? 0)) return state
      const changed = withChat(state, sessionId, () => ({ assignment: { version, to, since } }))
      return withUnlisted(changed, [frame])
    }
    case 'colleague_removed': {
      const isTheirs = ({ to }: ChatAssignment) => to?.staffId === frame.staffId
      return withAll(state, ({ assignment, ...chat }) => ({
        ...chat,
        assignment: assignment && isTheirs(assignment) ? { ...assignment, to: null } : assignment,
      }))
    }
    case 'visitors_here':
      return withChats(state, frame.chats, (_, { here }) => ({ here }))
    case 'chat_ended':
    case 'chat_history':
    case 'page_viewed':
    case 'presence':
    case 'receipt':
    case 'typing':
    case 'visitor_email': {
      const isEnd =
        frame.type === 'chat_ended' && !frame.isErased && chatIn(state, frame.sessionId).session?.isActive !== false
      const changed = withChat(state, frame.sessionId, (chat) => changeBy(chat, frame))
      return isEnd ? { ...changed, total: Math.max(0, state.total - 1) } : changed
    }
    default:
      return state
  }
}

/** The state in which the messages in view count as seen. */
export const withSeen = (state: ConsoleState): ConsoleState => {
  const { selected = '' } = state
  const chat = chatIn(state, selected)
  const newest = newestSequence(chat)
  return isLookedAt(state, selected) && newest > chat.seen ? withChat(state, selected, () => ({ seen: newest })) : state
}

export const withoutConnection = (state: ConsoleState): ConsoleState => ({
  ...withAll(state, (chat) => ({ ...chat, ...NO_PRESENCE })),
  isConnected: false,
  isWaiting: false,
})

/** The parts of a message that an alert shows. */
export type MissedMessage = { sessionId: string; senderName: string; message: string }

/** The newest message of a chat out of view, if it came after `before` and has no reply. */
export const missedIn = (before: ConsoleState, after: ConsoleState, sessionId: string): MissedMessage | undefined => {
  const { outline, session } = chatIn(after, sessionId)
  if (outline.lastSequence <= chatIn(before, sessionId).outline.lastSequence || !unreadOf(after, sessionId)) return
  // a message that cannot be read at the moment is news too
  const { senderName, message } = outline.last ?? { senderName: session?.visitorName ?? 'a visitor', message: '' }
  return { sessionId, senderName, message }
}
