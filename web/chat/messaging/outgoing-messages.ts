import { growingDelay } from '../../../events/base/backoff.ts'
import type { MessageSender } from '../../../events/chat/client-frames.ts'
import type { ErrorCode } from '../../../events/chat/server-frames.ts'
import type { Connection } from './connection.ts'
import type { Conversation } from './conversation.ts'

const ACCEPT_TIMEOUT_MS = 10_000
/** The least time before a message that was refused for now is sent again. */
const RETRY_DELAY_MS = 3_000

type Timer = ReturnType<typeof setTimeout>

/**
 * The longest delay after which a page retries automatically, in seconds; beyond it the server's sentence says when
 * there is room.
 */
const LONGEST_WAIT_S = 120

/**
 * By the code of a refusal: a message refused with it stays unsent and is sent again automatically, after a delay or
 * once the chat is joined again. `say` is the sentence for a visitor who waits to join, by default the server's. Any
 * other code is final.
 */
const REFUSALS: { [code in ErrorCode]?: { retry: 'later' | 'join'; sentence?: string } } = {
  unavailable: { retry: 'later', sentence: 'Connecting to chat...' },
  too_many_requests: { retry: 'later' },
  not_joined: { retry: 'join' },
}

export const refusalOf = (code: ErrorCode) => REFUSALS[code]

/** Whether a message refused with this code is sent again: the server could not accept it at the moment. */
export const passes = (code: ErrorCode, retryAfterS = 0) => code in REFUSALS && retryAfterS <= LONGEST_WAIT_S

/**
 * Sends unsent messages until the server has accepted them: one at a time per session, to keep their order even after
 * refusals. A message without a response within 10 s means that the connection has died unnoticed; a new one sends the
 * message again, with its own `clientMessageId`. Each message names its `sender`; the server uses the identity of the
 * socket.
 */
export const openDelivery = ({
  connection,
  sender,
}: {
  connection: () => Connection | undefined
  sender: () => MessageSender
}) => {
  /** By session, the message that waits for its response, or for its next attempt. */
  const underWay = new Map<string, { clientMessageId: string; timer: Timer }>()
  /** The number of messages in a row that were refused for now. */
  let refusals = 0

  const drop = (sessionId: string) => {
    clearTimeout(underWay.get(sessionId)?.timer)
    underWay.delete(sessionId)
  }

  /** Sends the next message, unless an unsent one is still under way. */
  const deliver = (sessionId: string, conversation: () => Conversation) => {
    const waiting = () => conversation().unsent.filter(({ refused }) => refused === undefined)
    const isWaiting = (id: string | undefined) => waiting().some(({ clientMessageId }) => clientMessageId === id)
    if (isWaiting(underWay.get(sessionId)?.clientMessageId)) return
    if (underWay.has(sessionId)) refusals = 0
    drop(sessionId)
    const [next] = waiting()
    if (!next) return
    const { clientMessageId, message, file } = next
    const named = file && { fileId: file.id }
    const frame = { type: 'send_message', sessionId, ...sender(), message, clientMessageId, ...named } as const
    if (!connection()?.send(frame)) return
    const timer = setTimeout(() => {
      if (isWaiting(clientMessageId)) connection()?.restart()
    }, ACCEPT_TIMEOUT_MS)
    underWay.set(sessionId, { clientMessageId, timer })
  }

  const deliverAgain = (sessionId: string, conversation: () => Conversation) => {
    drop(sessionId)
    deliver(sessionId, conversation)
  }

  return {
    /** Sends the next message, if none is under way: called whenever a conversation has changed. */
    deliver,
    /** Starts again with the first unsent message, on a new connection. */
    deliverAgain,
    /**
     * Starts again after growing delays, since the server could not accept a message at the moment; not within `afterS`
     * seconds, if it has sent that. A new connection starts at once.
     */
    deliverLater: (sessionId: string, conversation: () => Conversation, afterS = 0) => {
      const refused = underWay.get(sessionId)
      if (!refused) return
      clearTimeout(refused.timer)
      const waitMs = Math.max(RETRY_DELAY_MS, afterS * 1_000) + growingDelay(refusals)
      refused.timer = setTimeout(deliverAgain, waitMs, sessionId, conversation)
      refusals += 1
    },
    close: () => {
      for (const sessionId of [...underWay.keys()]) drop(sessionId)
    },
  }
}
