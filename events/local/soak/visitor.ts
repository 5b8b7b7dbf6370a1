import { randomUUID } from 'node:crypto'
import type { ServerFrame } from '../../chat-frames.ts'
import { type ClientOptions, openClient } from './client.ts'
import type { ShownMessage } from './ledger.ts'

/** A visitor who chats for as long as the soak goes on, and comes back after every loss. */
export type Visitor = {
  readonly sessionId: string | undefined
  /** Every message of the chat as it was shown, in the order in which it came. */
  readonly shown: readonly ShownMessage[]
  say: (text: string) => void
  pause: (ms: number) => void
  /** How many messages have not been accepted yet. */
  readonly unsent: number
  readonly handshakes: number
  close: () => void
}

/** Begins a chat. Whatever comes doubled or out of order goes into the ledger. */
export const openVisitor = ({
  name,
  ledger,
  ...options
}: Pick<ClientOptions, 'headers' | 'pickUrl' | 'ledger' | 'connect'> & { name: string }): Visitor => {
  const joinKey = randomUUID()
  const shown: ShownMessage[] = []
  const early: string[] = []
  let session: { sessionId: string; resumeToken: string } | undefined

  const show = ({ sequence, text }: ShownMessage) => {
    if (sequence === shown.length + 1) return shown.push({ sequence, text })
    const kind = sequence <= shown.length ? 'doubled' : 'out of order'
    ledger.flaws.push({ kind, what: `${name} was shown ${sequence} after ${shown.length}` })
  }

  const receive = (frame: ServerFrame) => {
    switch (frame.type) {
      case 'chat_joined':
        session = { sessionId: frame.sessionId, resumeToken: frame.resumeToken }
        for (const text of early.splice(0)) client.say(session.sessionId, text)
        return
      case 'chat_history':
        for (const { sequence, message } of frame.messages) show({ sequence, text: message })
        return
      case 'new_message':
        return void show({ sequence: frame.sequence, text: frame.message })
      case 'chat_ended':
        return void ledger.flaws.push({ kind: 'refused', what: `the chat of ${name} was ended` })
      case 'error':
        if (frame.code === 'unavailable' || frame.code === 'too_many_requests') return
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
  })

  return {
    get sessionId() {
      return session?.sessionId
    },
    shown,
    say: (text) => {
      if (session) client.say(session.sessionId, text)
      else early.push(text)
    },
    pause: client.pause,
    get unsent() {
      return client.unsent + early.length
    },
    get handshakes() {
      return client.handshakes
    },
    close: client.close,
  }
}
