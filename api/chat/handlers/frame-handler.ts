import type { ReceivedFrame } from '../../../events/chat/client-frames.ts'
import type { ApiNode } from '../../node/node.ts'
import type { Presence } from '../presence/presence.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { clientMessageIdOf, parseFrame, validateFrame } from '../socket/frame.ts'
import { refusalOf } from '../socket/refusal.ts'
import { openJoinHandler } from '../visitor/join-handler.ts'
import { openConsoleFrames } from './console-frames.ts'
import { openParticipantFrames } from './participant-frames.ts'

/**
 * Responds to a frame that could not be served, with `refused`, the frame's type, and the client's id of its message.
 */
const refuse = (
  socket: ChatSocket,
  sent: unknown,
  { refused, refusal }: { refused: ReceivedFrame['type'] | undefined; refusal: ReturnType<typeof refusalOf> },
) => {
  const clientMessageId = clientMessageIdOf(sent)
  socket.send({
    type: 'error',
    ...(refusal ?? { code: 'unavailable', message: 'Temporarily unavailable: try again' }),
    ...(clientMessageId !== undefined && { clientMessageId }),
    ...(refused && { refused }),
  })
}

/** Passes each frame of a client to the handler of its type, and responds with `error` if it cannot be served. */
export const openFrameHandler = (node: ApiNode, { hub, presence }: { hub: ChatHub; presence: Presence }) => {
  const { logger } = node
  const joins = openJoinHandler(node, hub)
  const messages = openParticipantFrames(node, { hub, presence })
  const consoles = openConsoleFrames(node, { hub, presence })

  const handle = async (socket: ChatSocket, frame: Exclude<ReceivedFrame, { type: 'send_message' }>): Promise<void> => {
    switch (frame.type) {
      case 'join_chat':
        return await joins.join(socket, frame)
      case 'give_email':
        return await messages.takeEmail(socket, frame)
      case 'rate_chat':
        return await messages.takeRating(socket, frame)
      case 'typing':
        return messages.showTyping(socket, frame)
      case 'end_chat':
        return await messages.end(socket, frame.sessionId)
      case 'join_admin':
        return await consoles.join(socket, frame)
      case 'get_messages':
        return await consoles.showHistory(socket, frame.sessionId)
      case 'open_chat':
        return await consoles.openChat(socket, frame)
      case 'receipt':
        return await messages.takeReceipt(socket, frame)
      case 'watch':
        return consoles.watch(socket, frame.sessionId)
      case 'follow_visitors':
        return consoles.followVisitors(socket, frame.sessionIds)
      case 'ping':
        return socket.send({ type: 'pong' })
      default:
        return frame satisfies never
    }
  }

  const answer = (socket: ChatSocket, text: string, onHandled: () => void) => {
    let sent: unknown
    let frame: ReceivedFrame | undefined
    const fail = (error: unknown) => {
      const refusal = refusalOf(error)
      if (!refusal) logger.error({ err: error }, 'chat frame failed')
      refuse(socket, sent, { refused: frame?.type, refusal })
      onHandled()
    }
    try {
      sent = parseFrame(text)
      frame = validateFrame(sent)
      if (!frame) return onHandled()
      logger.debug({ frame: frame.type }, 'chat frame')
      if (frame.type === 'send_message') messages.send(socket, frame, { onHandled, onError: fail })
      else handle(socket, frame).then(onHandled, fail)
    } catch (error) {
      fail(error)
    }
  }

  return {
    /** Handles a frame, then calls back. Never throws. */
    answer,
    leave: joins.leave,
    /** Stores the receipts that clients have reported. */
    close: messages.close,
  }
}
