import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import { passes } from '../messaging/outgoing-messages.ts'
import { openRepeat } from '../messaging/repeated-request.ts'
import { changeChat, visitorChat } from './visitor-state.ts'

/** A rating without a response within this time is sent again: the node may have stored it and died. */
const ANSWER_WITHIN_S = 10
/** The least time before a rating that was refused for now is sent again. */
const RETRY_AFTER_S = 3

/**
 * Sends the visitor's rating of an ended chat, until the server confirms it. The server stores one, however often it
 * arrives.
 */
export const openRatingLine = (sendFrame: (frame: ClientFrame) => boolean) => {
  const send = () => {
    const { session, rating, isOwn } = visitorChat.get()
    if (!session?.sessionId || !rating || !isOwn) return
    const isSent = sendFrame({ type: 'rate_chat', sessionId: session.sessionId, ...rating })
    if (isSent) sending.later(ANSWER_WITHIN_S)
  }
  const sending = openRepeat(send)

  return {
    send,
    stop: sending.stop,
    accepted: () => {
      sending.succeeded()
      const { rating, rated } = visitorChat.get()
      changeChat({ rating: undefined, hasRated: true, rated: rating ?? rated })
    },
    refused: ({ code, message, retryAfterS }: Extract<ServerFrame, { type: 'error' }>) => {
      if (!visitorChat.get().rating) return
      if (passes(code, retryAfterS)) return sending.later(retryAfterS ?? RETRY_AFTER_S)
      sending.succeeded()
      changeChat({ rating: undefined, ratingProblem: message })
    },
  }
}
