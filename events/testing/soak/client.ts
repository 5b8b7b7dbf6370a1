import { growingDelay } from '../../base/backoff.ts'
import type { ClientFrame } from '../../chat/client-frames.ts'
import type { ServerFrame } from '../../chat/sent-frames.ts'
import type { Ledger } from './ledger.ts'
import { type Line, type LineOptions, openLine } from './line.ts'
import { openWriter, type Writer } from './writer.ts'

/** How a client joins, and its handling of the frames that it is shown. */
export type ClientOptions = Pick<LineOptions, 'headers' | 'pickUrl'> & {
  ledger: Ledger
  /** The frame that joins; asked for on each connection, and again after each refusal. */
  joinFrame: () => ClientFrame
  /** Every frame except those with the result of a message. */
  onFrame: (frame: ServerFrame) => void
  /** Called after each frame with the result of a message. */
  onAnswer?: () => void
  onClose?: () => void
  /** Opens its connection; the soak's own line by default. */
  connect?: (options: LineOptions) => Line
}

/** A participant of a chat: joins on every connection, and has each message accepted in the end. */
export type Client = Pick<Line, 'send' | 'pause' | 'handshakes' | 'close'> &
  Pick<Writer, 'say' | 'unsent'> & {
    /** Joins again on this connection: another chat, or a list that was not there. */
    rejoin: () => void
    /** Whether it has joined on this connection, and may send frames that take part. */
    readonly isJoined: boolean
  }

/** Opens a client of the nodes' chat. If it may not join yet it tries again, later each time. */
export const openClient = (options: ClientOptions): Client => {
  const { headers, pickUrl, ledger, joinFrame, onFrame, onAnswer, onClose, connect = openLine } = options
  let isJoined = false
  let refusals = 0
  let timer: NodeJS.Timeout | undefined

  const join = () => {
    clearTimeout(timer)
    line.send(joinFrame())
  }

  const receive = (frame: ServerFrame) => {
    if (writer.hear(frame)) return onAnswer?.()
    if (frame.type === 'chat_joined' || frame.type === 'active_sessions') {
      isJoined = true
      refusals = 0
      writer.flush()
    } else if (frame.type === 'error' && !isJoined && (frame.refused ?? 'join_chat').startsWith('join_')) {
      timer = setTimeout(join, (frame.retryAfterS ?? 0) * 1_000 + growingDelay(refusals))
      refusals += 1
    }
    onFrame(frame)
  }

  const line = connect({
    headers,
    pickUrl,
    onOpen: join,
    onFrame: receive,
    onClose: () => {
      isJoined = false
      clearTimeout(timer)
      onClose?.()
    },
  })
  const writer = openWriter(
    () => line,
    () => isJoined,
    ledger,
  )

  return {
    send: line.send,
    say: writer.say,
    pause: line.pause,
    rejoin: () => {
      isJoined = false
      join()
    },
    get isJoined() {
      return isJoined
    },
    get unsent() {
      return writer.unsent
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
