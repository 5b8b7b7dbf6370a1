import { MAX_LISTED_SESSIONS } from '../../chat/outline.ts'
import type { ServerFrame } from '../../chat/sent-frames.ts'
import { type ClientOptions, openClient } from './client.ts'
import type { Ledger, ShownMessage } from './ledger.ts'

/** How long an agent waits before it repeats a request that a node could not serve. */
const ASK_AGAIN_MS = 1_000

type Frame<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>

/**
 * A console of staff. One that gets outlines, as today's page does, receives the text of the chat that it views; any
 * other receives all chats.
 */
export type Agent = {
  name: string
  getsOutlines: boolean
  /** Opens a chat: the messages that it lacks come as history. */
  look: (sessionId: string) => void
  /** The chat that it views. */
  readonly opened: string | undefined
  answer: (sessionId: string, text: string) => void
  end: (sessionId: string) => void
  pause: (ms: number) => void
  readonly unsent: number
  /** How many chats it still has to get the history of. */
  readonly asked: number
  /** Every text that it was shown, by session and sequence. */
  readonly shown: ReadonlyMap<string, ReadonlyMap<number, string>>
  /** For the chats that it viewed as they ended: up to which message it had been shown them before the end. */
  readonly ends: ReadonlyMap<string, number>
  /** The chats that it lists as open. */
  readonly list: ReadonlySet<string>
  /** Up to which message the outlines of the listed chats have come; empty if it gets none. */
  readonly outlines: ReadonlyMap<string, number>
  close: () => void
}

/** The messages of a chat as a agent has them, in order. */
export const messagesOf = (texts: ReadonlyMap<number, string>): ShownMessage[] =>
  [...texts].map(([sequence, text]) => ({ sequence, text })).sort((one, other) => one.sequence - other.sequence)

/** The last message up to which nothing is missing. */
const unbrokenUpTo = (texts: ReadonlyMap<number, string> | undefined) => {
  let last = 0
  while (texts?.has(last + 1)) last += 1
  return last
}

/**
 * Opens a console. On one connection the messages of a chat have to come once and in order, without a hole that no
 * history has filled, and none after the end; it requests those that it missed between two connections.
 */
export const openAgent = ({
  name,
  ledger,
  getsOutlines,
  ...options
}: Pick<ClientOptions, 'headers' | 'pickUrl'> & { name: string; ledger: Ledger; getsOutlines: boolean }): Agent => {
  const shown = new Map<string, Map<number, string>>()
  const ends = new Map<string, number>()
  const list = new Set<string>()
  const outlines = new Map<string, number>()
  /** The chats whose history it wants, in turn; it asks for one at a time. */
  const wanted = new Set<string>()
  let asking: string | undefined
  let opened: string | undefined
  let timer: NodeJS.Timeout | undefined
  /** Of this connection: how far it has brought each chat, its last news of each, and the chats that have ended on it. */
  const reached = new Map<string, number>()
  const live = new Map<string, number>()
  const over = new Set<string>()

  const flaw = (kind: 'doubled' | 'out of order', what: string) => ledger.flaws.push({ kind, what: `${name} ${what}` })

  const reach = (sessionId: string, sequence: number) =>
    reached.set(sessionId, Math.max(reached.get(sessionId) ?? 0, sequence))

  const note = (sessionId: string, sequence: number, text: string) => {
    const texts = shown.get(sessionId) ?? new Map<number, string>()
    shown.set(sessionId, texts)
    const before = texts.get(sequence)
    if (before !== undefined && before !== text) {
      flaw('out of order', `was shown two messages ${sequence} of ${sessionId}`)
    }
    texts.set(sequence, text)
  }

  const ask = () => {
    const [next] = wanted
    if (asking !== undefined || next === undefined) return
    if (!getsOutlines) {
      if (client.send({ type: 'get_messages', sessionId: next })) asking = next
      return
    }
    const afterSequence = unbrokenUpTo(shown.get(next))
    if (!client.send({ type: 'open_chat', sessionId: next, afterSequence })) return
    asking = next
    opened = next
    reached.delete(next)
    live.delete(next)
  }

  const want = (sessionId: string) => {
    wanted.add(sessionId)
    ask()
  }

  /** News of a chat that this connection brings whole. */
  const follow = (sessionId: string, sequence: number) => {
    const before = reached.get(sessionId)
    const last = live.get(sessionId) ?? 0
    live.set(sessionId, sequence)
    reach(sessionId, sequence)
    if (over.has(sessionId)) flaw('out of order', `was shown ${sequence} of ${sessionId} after its end`)
    if (sequence <= last) flaw('doubled', `was shown ${sequence} after ${last} of ${sessionId}`)
    else if (before !== undefined && sequence > before + 1) {
      flaw('out of order', `was shown ${sequence} after ${before} of ${sessionId}`)
    } else if (before === undefined) want(sessionId)
  }

  type Sessions = Frame<'active_sessions'>['sessions']

  const takeOutlines = (sessions: Sessions) => {
    outlines.clear()
    for (const { sessionId, outline } of sessions) outlines.set(sessionId, outline.lastSequence)
    if (opened) wanted.add(opened)
  }

  const takeWhole = (sessions: Sessions) => {
    for (const { sessionId, lastSequence } of sessions) {
      reach(sessionId, lastSequence)
      if ((shown.get(sessionId)?.size ?? 0) < lastSequence) wanted.add(sessionId)
    }
    // chats that have not ended while it watched may have more
    for (const sessionId of shown.keys()) if (!ends.has(sessionId)) wanted.add(sessionId)
  }

  const takeList = ({ sessions, isPreparing }: Frame<'active_sessions'>) => {
    if (isPreparing) {
      timer = setTimeout(client.rejoin, ASK_AGAIN_MS)
      return
    }
    list.clear()
    for (const { sessionId } of sessions) list.add(sessionId)
    if (getsOutlines) takeOutlines(sessions)
    else takeWhole(sessions)
    asking = undefined
    ask()
  }

  const takeHistory = ({ sessionId, messages }: Frame<'chat_history'>) => {
    for (const { sequence, message } of messages) note(sessionId, sequence, message)
    // if nothing is newer than the messages here, they may be all
    reach(sessionId, Math.max(messages.at(-1)?.sequence ?? 0, unbrokenUpTo(shown.get(sessionId))))
    wanted.delete(sessionId)
    if (asking === sessionId) asking = undefined
    ask()
  }

  const takeEnd = (sessionId: string) => {
    list.delete(sessionId)
    outlines.delete(sessionId)
    const upTo = reached.get(sessionId)
    if (upTo !== undefined && (!getsOutlines || sessionId === opened)) ends.set(sessionId, upTo)
    else if (!getsOutlines && shown.has(sessionId)) want(sessionId)
    over.add(sessionId)
  }

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'active_sessions':
        return takeList(frame)
      case 'new_chat_session':
        list.add(frame.sessionId)
        if (getsOutlines) outlines.set(frame.sessionId, outlines.get(frame.sessionId) ?? 0)
        else reach(frame.sessionId, 0)
        return
      case 'chat_outlines':
        for (const { sessionId, lastSequence } of frame.chats)
          if (list.has(sessionId)) outlines.set(sessionId, lastSequence)
        return
      case 'chat_history':
        return takeHistory(frame)
      case 'new_message':
        note(frame.sessionId, frame.sequence, frame.message)
        // messages of a chat that it no longer views may still arrive
        if (!getsOutlines || (frame.sessionId === opened && reached.has(opened)))
          follow(frame.sessionId, frame.sequence)
        return
      case 'chat_ended':
        return takeEnd(frame.sessionId)
      case 'error':
        if (frame.refused !== 'get_messages' && frame.refused !== 'open_chat') return
        timer = setTimeout(() => {
          asking = undefined
          ask()
        }, ASK_AGAIN_MS)
        return
      default:
        return
    }
  }

  const client = openClient({
    ...options,
    ledger,
    joinFrame: () => ({
      type: 'join_admin',
      ...(getsOutlines && { listed: [...list].slice(-MAX_LISTED_SESSIONS) }),
    }),
    onFrame: receive,
    onClose: () => {
      clearTimeout(timer)
      asking = undefined
      reached.clear()
      live.clear()
      over.clear()
    },
  })

  return {
    name,
    getsOutlines,
    look: want,
    get opened() {
      return opened
    },
    answer: client.say,
    end: (sessionId) => void client.send({ type: 'end_chat', sessionId }),
    pause: client.pause,
    get unsent() {
      return client.unsent
    },
    get asked() {
      return wanted.size
    },
    shown,
    ends,
    list,
    outlines,
    close: () => {
      clearTimeout(timer)
      client.close()
    },
  }
}
