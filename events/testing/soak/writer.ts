import type { ServerFrame } from '../../chat/sent-frames.ts'
import type { AcceptedMessage, Ledger } from './ledger.ts'
import type { Line } from './line.ts'

/** After at most this long, by chance, a message that could not be stored is sent again. */
const REPEAT_WITHIN_MS = 2_000

/** Sends messages until each is accepted: over every connection again, by the same `clientMessageId`. */
export type Writer = {
  say: (sessionId: string, text: string) => void
  /** Sends the messages that have not been accepted; called once a connection is ready for it. */
  flush: () => void
  /** Notes the result of a message in a frame. Returns whether the frame was one. */
  hear: (frame: ServerFrame) => boolean
  readonly unsent: number
}

/** Opens a writer; a text is its message's `clientMessageId` too, so that none may be used twice. */
export const openWriter = (line: () => Line, isReady: () => boolean, ledger: Ledger): Writer => {
  const unsent = new Map<string, string>()

  const send = (text: string) => {
    const sessionId = unsent.get(text)
    if (sessionId === undefined || !isReady()) return
    line().send({ type: 'send_message', sessionId, message: text, clientMessageId: text })
  }

  return {
    say: (sessionId, text) => {
      unsent.set(text, sessionId)
      send(text)
    },
    flush: () => {
      for (const text of unsent.keys()) send(text)
    },
    hear: (frame) => {
      if (frame.type === 'message_accepted') {
        const text = frame.clientMessageId ?? ''
        const sessionId = unsent.get(text)
        if (sessionId === undefined) return true
        unsent.delete(text)
        const accepted: AcceptedMessage = { sessionId, sequence: frame.sequence, text }
        ledger.messages.push(accepted)
        return true
      }
      if (frame.type !== 'error' || frame.clientMessageId === undefined) return false
      const text = frame.clientMessageId
      if (frame.code === 'unavailable' || frame.code === 'too_many_requests') {
        setTimeout(send, Math.random() * REPEAT_WITHIN_MS, text).unref()
        return true
      }
      const sessionId = unsent.get(text)
      unsent.delete(text)
      if (frame.code !== 'chat_ended') ledger.flaws.push({ kind: 'refused', what: `${text}: ${frame.code}` })
      else if (sessionId !== undefined) ledger.refused.push({ sessionId, text })
      return true
    },
    get unsent() {
      return unsent.size
    },
  }
}
