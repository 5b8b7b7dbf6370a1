import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ClientFrame } from '../../../events/chat/frames.ts'
import { createStore } from '../../client/store.ts'
import type { Connection } from '../messaging/connection.ts'
import type { Conversation } from '../messaging/conversation.ts'
import { openDelivery } from '../messaging/outgoing-messages.ts'
import { openReporter, reached } from '../messaging/receipts.ts'
import { TYPING_HOLDS_MS } from '../messaging/typing.ts'
import { withConversation } from './console-evolution.ts'
import { type ConsoleState, conversationOf, emptyConsole, isLookedAt, receiptsOf } from './console-state.ts'
import { keepConsole, readKeptConsole } from './stored-console.ts'

/** Whether the page is visible and has the focus. */
export const isAttended = () => !document.hidden && document.hasFocus()

/**
 * The shared core of a console: its state, and the effects of a change of a conversation: to store it, to report
 * receipts, and to send waiting messages.
 */
export const openConsoleCore = (staffId: string) => {
  const store = createStore<ConsoleState>({
    ...emptyConsole,
    ...readKeptConsole(staffId),
    isAttended: isAttended(),
    shownFor: { whose: 'all', staffId },
  })
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let connection: Connection | undefined
  const delivery = openDelivery({
    connection: () => connection,
    sender: () => ({ senderType: 'admin', senderName: SUPPORT_TEAM_NAME }),
  })
  /** Returns whether there is a connection that accepts the frame. */
  const send = (frame: ClientFrame) => connection?.send(frame) ?? false
  const reporter = openReporter((sessionId, receipt) => send({ type: 'receipt', sessionId, ...receipt }))
  const conversation = (sessionId: string) => conversationOf(store.get(), sessionId)

  const showTyping = (sessionId: string, isTyping: boolean) => {
    clearTimeout(timers.get(sessionId))
    if (isTyping) {
      const stop = setTimeout(() => showTyping(sessionId, false), TYPING_HOLDS_MS)
      timers.set(sessionId, stop)
    }
    store.set({ typing: { ...store.get().typing, [sessionId]: isTyping } })
  }

  return {
    staffId,
    store,
    delivery,
    reporter,
    send,
    conversation,
    showTyping,
    /** Changes a conversation, and sends its waiting messages. */
    keep: (sessionId: string, changed: Conversation) => {
      const { seen } = store.get()
      const { unsent } = conversation(sessionId)
      store.set(withConversation(store.get(), sessionId, changed))
      const state = store.get()
      if (state.seen !== seen || changed.unsent !== unsent) keepConsole(staffId, state)
      const known = receiptsOf(state, sessionId).admin
      reporter.report(sessionId, reached(changed, 'visitor', known, isLookedAt(state, sessionId)), known)
      delivery.deliver(sessionId, () => conversation(sessionId))
    },
    /** Sets the connection over which all frames are sent. */
    connect: (opened: Connection) => {
      connection = opened
    },
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      delivery.close()
      connection?.close()
    },
  }
}

export type ConsoleCore = ReturnType<typeof openConsoleCore>
