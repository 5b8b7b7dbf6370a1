import type { ServerFrame } from '../../chat-frames.ts'
import { type ClientOptions, openClient } from './client.ts'

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
}: Pick<ClientOptions, 'headers' | 'pickUrl' | 'ledger'> & { name: string }): Desk => {
  const shown = new Map<string, Map<number, string>>()
  /** How far this connection has brought each chat: by news, and by the history that was asked for. */
  const live = new Map<string, number>()
  const read = new Map<string, number>()

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

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'active_sessions':
        for (const { sessionId, lastSequence } of frame.sessions) {
          const known = shown.get(sessionId)?.size ?? 0
          if (known < lastSequence) client.send({ type: 'get_messages', sessionId })
        }
        return
      case 'chat_history': {
        for (const { sequence, message } of frame.messages) note(frame.sessionId, sequence, message)
        read.set(frame.sessionId, frame.messages.at(-1)?.sequence ?? 0)
        return
      }
      case 'new_message':
        note(frame.sessionId, frame.sequence, frame.message)
        return follow(frame.sessionId, frame.sequence)
      default:
        return
    }
  }

  const client = openClient({
    ...options,
    ledger,
    joinFrame: () => ({ type: 'join_admin' }),
    onFrame: receive,
    onClose: () => {
      live.clear()
      read.clear()
    },
  })

  return {
    answer: client.say,
    pause: client.pause,
    get unsent() {
      return client.unsent
    },
    shown,
    close: client.close,
  }
}
