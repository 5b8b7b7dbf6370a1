import { growingDelay } from '../../backoff.ts'
import type { ServerFrame } from '../../chat-frames.ts'
import type { Ledger } from './ledger.ts'
import { type LineOptions, openLine } from './line.ts'
import { openWriter } from './writer.ts'

/** A console of staff: it is shown all chats, and answers in them. */
export type Desk = {
  answer: (sessionId: string, text: string) => void
  pause: (ms: number) => void
  readonly unsent: number
  /** Every text that it was shown, by session and sequence. */
  readonly shown: ReadonlyMap<string, ReadonlyMap<number, string>>
  close: () => void
}

/**
 * Opens a console. On one connection the news of a chat have to come once and in order, without a hole that no history
 * has filled; what it missed between two connections it asks for.
 */
export const openDesk = ({
  name,
  ledger,
  ...options
}: Pick<LineOptions, 'headers' | 'pickUrl'> & { name: string; ledger: Ledger }): Desk => {
  const shown = new Map<string, Map<number, string>>()
  /** How far this connection has brought each chat: by news, and by the history that was asked for. */
  const live = new Map<string, number>()
  const read = new Map<string, number>()
  let isJoined = false
  let refusals = 0
  let timer: NodeJS.Timeout | undefined

  const note = (sessionId: string, sequence: number, text: string) => {
    const texts = shown.get(sessionId) ?? new Map<number, string>()
    shown.set(sessionId, texts)
    const before = texts.get(sequence)
    if (before !== undefined && before !== text) {
      ledger.flaws.push({ kind: 'out of order', what: `${name} was shown two messages ${sequence} of ${sessionId}` })
    }
    texts.set(sequence, text)
  }

  const follow = (sessionId: string, sequence: number) => {
    const before = live.get(sessionId)
    live.set(sessionId, sequence)
    if (before === undefined) return
    const reached = Math.max(before, read.get(sessionId) ?? 0)
    const what = `${name} was shown ${sequence} after ${before} of ${sessionId}`
    if (sequence <= before) ledger.flaws.push({ kind: 'doubled', what })
    else if (sequence > reached + 1) ledger.flaws.push({ kind: 'out of order', what })
  }

  const join = () => line.send({ type: 'join_admin' })

  const receive = (frame: ServerFrame) => {
    if (writer.hear(frame)) return
    switch (frame.type) {
      case 'active_sessions': {
        isJoined = true
        refusals = 0
        for (const { sessionId, lastSequence } of frame.sessions) {
          const known = shown.get(sessionId)?.size ?? 0
          if (known < lastSequence) line.send({ type: 'get_messages', sessionId })
        }
        return writer.flush()
      }
      case 'chat_history': {
        for (const { sequence, message } of frame.messages) note(frame.sessionId, sequence, message)
        read.set(frame.sessionId, frame.messages.at(-1)?.sequence ?? 0)
        return
      }
      case 'new_message':
        note(frame.sessionId, frame.sequence, frame.message)
        return follow(frame.sessionId, frame.sequence)
      case 'error': {
        if (isJoined) return
        timer = setTimeout(join, (frame.retryAfterS ?? 0) * 1_000 + growingDelay(refusals))
        refusals += 1
        return
      }
      default:
        return
    }
  }

  const line = openLine({
    ...options,
    onOpen: join,
    onFrame: receive,
    onClose: () => {
      isJoined = false
      live.clear()
      read.clear()
      clearTimeout(timer)
    },
  })
  const writer = openWriter(
    () => line,
    () => isJoined,
    ledger,
  )

  return {
    answer: writer.say,
    pause: line.pause,
    get unsent() {
      return writer.unsent
    },
    shown,
    close: () => {
      clearTimeout(timer)
      line.close()
    },
  }
}
