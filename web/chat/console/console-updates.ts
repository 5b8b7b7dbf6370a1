import type { ChatOutline, ServerFrame } from '../../../events/chat/frames-wire.ts'
import type { ChatMessage, HandedChat } from '../../../events/chat/wire.ts'
import { mergeMessages, newestSequence } from '../messaging/conversation.ts'
import { withNewest } from '../messaging/history.ts'
import { isNewAssignment } from './console-assignments.ts'
import type { ConsoleCore } from './console-core.ts'
import { evolveConsole, isMissed, missedAfter, withOutlines } from './console-evolution.ts'
import type { ConsoleList } from './console-list.ts'
import { type ConsoleState, isLookedAt, knownUpTo, receiptsOf } from './console-state.ts'

/** The parts of a message that an alert shows. */
export type MissedMessage = Pick<ChatMessage, 'sessionId' | 'senderName' | 'message'>

/** The listeners for news. `onMissed` gets a visitor's message that arrives in a chat out of view. */
export type NewsListener = {
  onMissed: (message: MissedMessage) => void
  /** A colleague took a chat over. */
  onHandedOver: (chat: Omit<HandedChat, 'visitorName'> & { visitorName?: string; note: string | null }) => void
}

type OutlinedChat = ChatOutline & { sessionId: string }

/** Applies incoming outlines, messages, histories and assignments, and reports those that are out of view. */
export const openConsoleNews = (
  { staffId, store, reporter, conversation, keep, showTyping }: ConsoleCore,
  { list, onMissed, onHandedOver }: NewsListener & { list: ConsoleList },
) => {
  /** Events from before this page was opened are not news. */
  let wasConnected = false

  const visitorNameIn = (sessionId: string) =>
    store.get().sessions.find((session) => session.sessionId === sessionId)?.visitorName

  /** Applies events of chats whose text is not cached. */
  const outlined = (chats: readonly OutlinedChat[], before: ConsoleState, isNews = wasConnected) => {
    for (const { sessionId, lastSequence, answered, last } of chats) {
      if (lastSequence <= answered) continue
      const known = receiptsOf(store.get(), sessionId).admin
      reporter.report(sessionId, { delivered: lastSequence, seen: known.seen }, known)
      if (lastSequence <= knownUpTo(before, sessionId)) continue
      showTyping(sessionId, false)
      if (!isNews || isLookedAt(store.get(), sessionId)) continue
      // a message that cannot be read at the moment is news too
      onMissed({ sessionId, ...(last ?? { senderName: visitorNameIn(sessionId) ?? 'a visitor', message: '' }) })
    }
  }

  return {
    /** Applies the outlines in the response to a join. */
    outlined: (chats: readonly OutlinedChat[], before: ConsoleState) => outlined(chats, before),
    outlinesCame: (all: readonly OutlinedChat[]) => {
      const before = store.get()
      const chats = all.filter(({ sessionId }) => {
        if (before.erased.includes(sessionId) || !list.hasRoom(sessionId)) return false
        list.meet(sessionId)
        return true
      })
      store.set(withOutlines(before, chats))
      outlined(chats, before, true)
    },
    /** `fetchMissing` asks for the messages between, if this one is not the next one of the shown chat. */
    arrived: (message: ChatMessage, fetchMissing: () => void) => {
      const { sessionId, senderType, sequence } = message
      if (!list.hasRoom(sessionId)) return
      list.meet(sessionId)
      const isNew = sequence > knownUpTo(store.get(), sessionId)
      if (senderType === 'visitor') showTyping(sessionId, false)
      const isNext = sequence <= newestSequence(conversation(sessionId)) + 1
      if (!isNext && sessionId === store.get().selected) fetchMissing()
      keep(sessionId, mergeMessages(conversation(sessionId), [message]))
      if (isNew && isMissed(store.get(), message)) onMissed(message)
    },
    /**
     * Messages that a visitor wrote while there was no connection arrive as history; on the first connection they are
     * not news.
     */
    caughtUp: (sessionId: string, messages: ChatMessage[]) => {
      const before = knownUpTo(store.get(), sessionId)
      keep(sessionId, withNewest(conversation(sessionId), messages))
      const missed = wasConnected ? missedAfter(store.get(), sessionId, before) : undefined
      if (missed) onMissed(missed)
    },
    /** Reports a chat that a colleague hands over to its new owner, once. */
    assigned: (frame: Extract<ServerFrame, { type: 'chat_assigned' }>) => {
      const { sessionId, version, to, by, note, timestamp } = frame
      if (!isNewAssignment(store.get().assignments, sessionId, version)) return
      store.set(evolveConsole(store.get(), frame))
      list.meet(sessionId)
      if (to?.staffId !== staffId || by.staffId === staffId) return
      const visitorName = visitorNameIn(sessionId)
      onHandedOver({ sessionId, ...(visitorName !== undefined && { visitorName }), from: by.name, note, timestamp })
    },
    disconnected: () => {
      wasConnected = true
    },
  }
}

export type ConsoleNews = ReturnType<typeof openConsoleNews>
