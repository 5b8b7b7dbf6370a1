import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import { passes } from '../messaging/outgoing-messages.ts'
import { openRepeat } from '../messaging/repeated-request.ts'
import type { Session } from './stored-chat.ts'
import { changeChat, visitorChat } from './visitor-state.ts'

/** An address without a response within this time is sent again: the node may have stored it and died. */
const ANSWER_WITHIN_S = 10
/** The least time before an address that was refused for now is sent again. */
const RETRY_AFTER_S = 3

const withoutPending = ({ pendingEmail: _, ...session }: Session): Session => session

/**
 * Sends the address that the visitor has given, until the server confirms it: always with the same `clientMessageId`,
 * so that it is stored once.
 */
export const openEmailLine = (sendFrame: (frame: ClientFrame) => boolean) => {
  const send = () => {
    const { session, isOwn, hasEnded } = visitorChat.get()
    if (!session?.sessionId || !session.pendingEmail || !isOwn || hasEnded) return
    const isSent = sendFrame({ type: 'give_email', sessionId: session.sessionId, ...session.pendingEmail })
    if (isSent) sending.later(ANSWER_WITHIN_S)
  }
  const sending = openRepeat(send)

  /** The session with the pending address that a response is about; undefined if that has changed since then. */
  const sessionWith = (clientMessageId: string | undefined) => {
    const { session } = visitorChat.get()
    return session?.pendingEmail && session.pendingEmail.clientMessageId === clientMessageId ? session : undefined
  }

  return {
    /** Sends the pending address, if there is one: called when it is given, and on each new connection. */
    send,
    stop: sending.stop,
    accepted: ({ clientMessageId }: Extract<ServerFrame, { type: 'email_accepted' }>) => {
      const session = sessionWith(clientMessageId)
      if (!session) return
      sending.succeeded()
      const visitorEmail = session.pendingEmail?.visitorEmail ?? session.visitorEmail
      changeChat({ session: { ...withoutPending(session), visitorEmail } })
    },
    /**
     * Returns whether the refusal is about the pending address. After the chat's end, the address stays pending for the
     * next chat.
     */
    refused: ({ clientMessageId, code, message, retryAfterS }: Extract<ServerFrame, { type: 'error' }>) => {
      const session = sessionWith(clientMessageId)
      if (!session) return false
      if (passes(code)) sending.later(retryAfterS ?? RETRY_AFTER_S)
      else sending.succeeded()
      if (!passes(code) && code !== 'chat_ended') {
        changeChat({ session: withoutPending(session), emailProblem: message })
      }
      return true
    },
  }
}
