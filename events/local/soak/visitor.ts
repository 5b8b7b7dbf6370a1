import { randomUUID } from 'node:crypto'
import { growingDelay } from '../../backoff.ts'
import type { ServerFrame } from '../../chat-frames.ts'
import type { Ledger, ShownMessage } from './ledger.ts'
import { type LineOptions, openLine } from './line.ts'
import { openWriter } from './writer.ts'

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
}: Pick<LineOptions, 'headers' | 'pickUrl'> & { name: string; ledger: Ledger }): Visitor => {
  const joinKey = randomUUID()
  const shown: ShownMessage[] = []
  const early: string[] = []
  let session: { sessionId: string; resumeToken: string } | undefined
  let isJoined = false
  let refusals = 0
  let timer: NodeJS.Timeout | undefined

  const join = () => {
    const about = session ? { ...session, afterSequence: shown.length } : { joinKey }
    line.send({ type: 'join_chat', visitorName: name, pageUrl: '/pricing', ...about })
  }

  const show = ({ sequence, text }: ShownMessage) => {
    if (sequence === shown.length + 1) return shown.push({ sequence, text })
    const kind = sequence <= shown.length ? 'doubled' : 'out of order'
    ledger.flaws.push({ kind, what: `${name} was shown ${sequence} after ${shown.length}` })
  }

  const receive = (frame: ServerFrame) => {
    if (writer.hear(frame)) return
    switch (frame.type) {
      case 'chat_joined': {
        session = { sessionId: frame.sessionId, resumeToken: frame.resumeToken }
        isJoined = true
        refusals = 0
        for (const text of early.splice(0)) writer.say(session.sessionId, text)
        return writer.flush()
      }
      case 'chat_history':
        for (const { sequence, message } of frame.messages) show({ sequence, text: message })
        return
      case 'new_message':
        return void show({ sequence: frame.sequence, text: frame.message })
      case 'chat_ended':
        return void ledger.flaws.push({ kind: 'refused', what: `the chat of ${name} was ended` })
      case 'error': {
        if (frame.code !== 'unavailable' && frame.code !== 'too_many_requests') {
          ledger.flaws.push({ kind: 'refused', what: `${name}: ${frame.code} ${frame.message}` })
        }
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
      clearTimeout(timer)
    },
  })
  const writer = openWriter(
    () => line,
    () => isJoined,
    ledger,
  )

  return {
    get sessionId() {
      return session?.sessionId
    },
    shown,
    say: (text) => {
      if (session) writer.say(session.sessionId, text)
      else early.push(text)
    },
    pause: line.pause,
    get unsent() {
      return writer.unsent + early.length
    },
    get handshakes() {
      return line.handshakes
    },
    close: () => {
      clearTimeout(timer)
      line.close()
    },
  }
}
