import { randomUUID } from 'node:crypto'
import type { ServerFrame } from '../../chat/sent-frames.ts'
import { type ClientOptions, openClient } from './client.ts'
import type { ShownMessage } from './ledger.ts'

/** How long a visitor waits before they ask again for an end that a node could not store. */
const END_AGAIN_MS = 1_000

/** A chat that has ended, as its visitor was shown it. `endedAt` is how many messages had been shown before its end. */
export type PastChat = { sessionId: string; shown: readonly ShownMessage[]; endedAt: number }

/**
 * A visitor who chats as long as the soak runs, comes back after every loss, and begins a chat after one that ended.
 */
export type Visitor = {
  /** The open chat. */
  readonly sessionId: string | undefined
  /** Every message of that chat as it was shown, in the order in which it came. */
  readonly shown: readonly ShownMessage[]
  readonly past: readonly PastChat[]
  say: (text: string) => void
  /** Ends the open chat; requested again until it has ended. */
  end: () => void
  pause: (ms: number) => void
  /** How many messages have not been accepted yet. */
  readonly unsent: number
  readonly handshakes: number
  close: () => void
}

/** Begins a chat. Whatever comes doubled, out of order or after the end goes into the ledger. */
export const openVisitor = ({
  name,
  ledger,
  ...options
}: Pick<ClientOptions, 'headers' | 'pickUrl' | 'ledger' | 'connect'> & { name: string }): Visitor => {
  const early: string[] = []
  const past: PastChat[] = []
  let joinKey: string = randomUUID()
  let shown: ShownMessage[] = []
  let session: { sessionId: string; resumeToken: string } | undefined
  let endedAt: number | undefined
  let isEnding = false
  let timer: NodeJS.Timeout | undefined

  const show = ({ sequence, text }: ShownMessage) => {
    if (endedAt !== undefined) {
      ledger.flaws.push({ kind: 'out of order', what: `${name} was shown ${sequence} after the end of the chat` })
    }
    if (sequence === shown.length + 1) return shown.push({ sequence, text })
    const kind = sequence <= shown.length ? 'doubled' : 'out of order'
    ledger.flaws.push({ kind, what: `${name} was shown ${sequence} after ${shown.length}` })
  }

  const askForEnd = () => {
    if (isEnding && session && client.isJoined) client.send({ type: 'end_chat', sessionId: session.sessionId })
  }

  /** Begins another chat, once every message of the one that ended has its result. */
  const beginNext = () => {
    if (!session || endedAt === undefined || client.unsent > 0) return
    past.push({ sessionId: session.sessionId, shown, endedAt })
    joinKey = randomUUID()
    shown = []
    session = undefined
    endedAt = undefined
    isEnding = false
    client.rejoin()
  }

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'chat_joined':
        session = { sessionId: frame.sessionId, resumeToken: frame.resumeToken }
        if (endedAt === undefined) for (const text of early.splice(0)) client.say(session.sessionId, text)
        return askForEnd()
      case 'chat_history':
        for (const { sequence, message } of frame.messages) show({ sequence, text: message })
        return
      case 'new_message':
        return void show({ sequence: frame.sequence, text: frame.message })
      case 'chat_ended':
        endedAt ??= shown.length
        return beginNext()
      case 'error':
        if (frame.code === 'unavailable' || frame.code === 'too_many_requests') {
          if (frame.refused === 'end_chat') timer = setTimeout(askForEnd, END_AGAIN_MS)
          return
        }
        return void ledger.flaws.push({ kind: 'refused', what: `${name}: ${frame.code} ${frame.message}` })
      default:
        return
    }
  }

  const client = openClient({
    ...options,
    ledger,
    joinFrame: () => ({
      type: 'join_chat',
      visitorName: name,
      pageUrl: '/pricing',
      ...(session ? { ...session, afterSequence: shown.length } : { joinKey }),
    }),
    onFrame: receive,
    onAnswer: beginNext,
  })

  return {
    get sessionId() {
      return session?.sessionId
    },
    get shown() {
      return shown
    },
    past,
    say: (text) => {
      if (session && endedAt === undefined) client.say(session.sessionId, text)
      else early.push(text)
    },
    end: () => {
      isEnding = session !== undefined && endedAt === undefined
      askForEnd()
    },
    pause: client.pause,
    get unsent() {
      return client.unsent + early.length
    },
    get handshakes() {
      return client.handshakes
    },
    close: () => {
      clearTimeout(timer)
      client.close()
    },
  }
}
