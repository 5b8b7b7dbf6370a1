import type { ChatMessage } from '../../events/chat.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'

/** A session's messages as they pass through one node: each once, in sequence, without holes, however they arrive. */
export type Feed = {
  readonly sessionId: string
  /** The sequence number of the last message that was delivered. */
  readonly last: number
  isEnded: boolean
  /** Takes a message that was published: old ones are dropped, a jump is filled from the log. */
  accept: (message: ChatMessage) => void
  /** Delivers what the log holds beyond the last message delivered. */
  catchUp: () => Promise<void>
}

/**
 * Opens a session's feed after the message `last`. `readAfter` reads a page of the session's messages from the log, in
 * order; `deliver` sends a frame to everybody on this node who takes part.
 */
export const openFeed = ({
  sessionId,
  last,
  isEnded,
  readAfter,
  deliver,
  onError,
}: {
  sessionId: string
  last: number
  isEnded: boolean
  readAfter: (sequence: number) => Promise<ChatMessage[]>
  deliver: (frame: ServerFrame) => void
  onError: (error: unknown) => void
}): Feed => {
  let reached = last
  let seen = last
  let catchingUp: Promise<void> | undefined

  const pass = (message: ChatMessage) => {
    if (message.sequence !== reached + 1) return
    reached = message.sequence
    deliver({ type: 'new_message', ...message })
  }

  /** Reads on until there is no more, and again where something was published meanwhile. */
  const read = async () => {
    try {
      let from: number
      let known: number
      do {
        from = reached
        known = seen
        for (const message of await readAfter(from)) pass(message)
      } while (reached > from || seen > known)
    } catch (error) {
      onError(error)
    } finally {
      catchingUp = undefined
    }
  }

  const catchUp = () => {
    catchingUp ??= read()
    return catchingUp
  }

  return {
    sessionId,
    get last() {
      return reached
    },
    isEnded,
    accept: (message) => {
      seen = Math.max(seen, message.sequence)
      if (message.sequence > reached + 1) catchUp()
      else pass(message)
    },
    catchUp,
  }
}
