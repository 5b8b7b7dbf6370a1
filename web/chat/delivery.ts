import type { Connection } from './connection.ts'
import type { Conversation } from './conversation.ts'

const ACCEPT_TIMEOUT_MS = 10_000
const RETRY_DELAY_MS = 3_000

/**
 * Sends what is unsent until the server has accepted it. A message that gets no answer within 10 s means that the
 * connection is dead without knowing it; a new one sends the message again, with its own `clientMessageId`.
 */
export const openDelivery = (connection: () => Connection | undefined) => {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const underWay = new Map<string, symbol>()
  const after = (delay: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, delay)
    timers.add(timer)
  }

  const deliver = (sessionId: string, conversation: () => Conversation) => {
    for (const { clientMessageId, message, refused } of conversation().unsent) {
      if (refused !== undefined || underWay.has(clientMessageId)) continue
      if (!connection()?.send({ type: 'send_message', sessionId, message, clientMessageId })) return
      const sending = Symbol()
      underWay.set(clientMessageId, sending)
      after(ACCEPT_TIMEOUT_MS, () => {
        const isWaiting = conversation().unsent.some(
          (unsent) => unsent.clientMessageId === clientMessageId && unsent.refused === undefined,
        )
        if (isWaiting && underWay.get(clientMessageId) === sending) connection()?.restart()
      })
    }
  }

  const deliverAgain = (sessionId: string, conversation: () => Conversation) => {
    for (const { clientMessageId } of conversation().unsent) underWay.delete(clientMessageId)
    deliver(sessionId, conversation)
  }

  return {
    /** Sends what has not been sent yet. */
    deliver,
    /** Sends all that is unsent, on a new connection. */
    deliverAgain,
    /** Sends it again in a moment, because the server could not store a message just now. */
    deliverLater: (sessionId: string, conversation: () => Conversation) =>
      after(RETRY_DELAY_MS, () => deliverAgain(sessionId, conversation)),
    /** Connects anew in a moment, because the server could not do just now what a new connection asks for. */
    restartLater: () => after(RETRY_DELAY_MS, () => connection()?.restart()),
    close: () => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
