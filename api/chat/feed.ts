import type { ChatMessage } from '../../events/chat.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'

/** A session's messages as they pass through one node: each once, in sequence, without holes, however they arrive. */
export type Feed = {
  readonly sessionId: string
  /** The sequence number of the last message that was delivered. */
  readonly last: number
  /** When something was last delivered, or the feed was opened: a time of performance.now(). */
  readonly newsAt: number
  isEnded: boolean
  /** Takes a message that was published: old ones are dropped, a jump is filled from the log. */
  accept: (message: ChatMessage) => void
  /** Takes a message that this node has stored, if it is the next one: what comes before others is published too. */
  acceptNext: (message: ChatMessage) => void
  /**
   * Delivers all that the log holds when this is called. Rejects where the log cannot be read: what was read before
   * that is delivered.
   */
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
  let newsAt = performance.now()
  let reading: Promise<void> | undefined
  /** The reading after the one under way, which may be past what it has to find. */
  let following: Promise<void> | undefined

  const pass = (message: ChatMessage) => {
    if (message.sequence !== reached + 1) return
    reached = message.sequence
    newsAt = performance.now()
    deliver({ type: 'new_message', ...message })
  }

  const read = async () => {
    for (;;) {
      const page = await readAfter(reached)
      if (page.length === 0) return
      for (const message of page) pass(message)
    }
  }

  const begin = () => {
    following = undefined
    reading = read().finally(() => {
      reading = undefined
    })
    return reading
  }

  const catchUp = () => {
    if (!reading) return begin()
    following ??= reading.then(begin, begin)
    return following
  }

  return {
    sessionId,
    get last() {
      return reached
    },
    get newsAt() {
      return newsAt
    },
    isEnded,
    accept: (message) => {
      if (message.sequence > reached + 1) catchUp().catch(onError)
      else pass(message)
    },
    acceptNext: pass,
    catchUp,
  }
}
