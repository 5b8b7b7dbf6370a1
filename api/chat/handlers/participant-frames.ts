import { endChat } from '../../../events/chat/store/end-chat.ts'
import { noteReceipt } from '../../../events/chat/store/receipts.ts'
import type { ApiNode } from '../../node/node.ts'
import { storeEmail } from '../log/given-email.ts'
import { rateChat } from '../log/rating.ts'
import { readSession } from '../log/sessions.ts'
import type { Presence } from '../presence/presence.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { type Frame, FrameError } from '../socket/frame.ts'
import { expectOwnDevice, frameSenderOf } from '../socket/frame-author.ts'
import { openMessageLimit } from '../socket/message-limit.ts'
import { type MessageSending, openMessageSending } from './message-sending.ts'
import { openReceiptBook } from './receipts.ts'

/** The frames of visitors and staff in a chat that they take part in. Each handler throws a FrameError to refuse one. */
export type ParticipantFrames = {
  /** Stores a message, confirms it to its sender, then sends it to all participants. */
  send: MessageSending
  /** Counts with the messages. Others who have a link to the chat can neither give an address nor see it. */
  takeEmail: (socket: ChatSocket, frame: Frame<'give_email'>) => Promise<void>
  /** Counts with the messages, and is accepted only from the device that began the chat. */
  takeRating: (socket: ChatSocket, frame: Frame<'rate_chat'>) => Promise<void>
  end: (socket: ChatSocket, sessionId: string) => Promise<void>
  /** Drops typing signals over the limit. */
  showTyping: (socket: ChatSocket, frame: Frame<'typing'>) => void
  /** Every client that reconnects reports again, so a lost receipt is only late. */
  takeReceipt: (socket: ChatSocket, frame: Frame<'receipt'>) => Promise<void>
  /** Stores the receipts that clients have reported. */
  close: () => Promise<void>
}

/** Opens a node's message handler. */
export const openParticipantFrames = (
  node: ApiNode,
  { hub, presence }: { hub: ChatHub; presence: Presence },
): ParticipantFrames => {
  const { logger } = node
  const limit = openMessageLimit(node.admission)
  const send = openMessageSending(node, { hub, presence, limit })

  const receipts = openReceiptBook(
    async (sessionId, party, reported) => {
      const receipt = await noteReceipt(node.sql, sessionId, party, reported)
      if (receipt) hub.publish({ kind: 'receipt', sessionId, party, ...receipt })
    },
    { onError: (error) => logger.error({ err: error }, 'a receipt could not be stored') },
  )

  const takeEmail = async (socket: ChatSocket, { sessionId, ...given }: Frame<'give_email'>) => {
    expectOwnDevice(socket, sessionId, 'give an address')
    await limit.admit({ sessionId, address: socket.address, by: undefined }, performance.now())
    const event = await storeEmail(node, sessionId, given)
    socket.send({ type: 'email_accepted', sessionId, clientMessageId: given.clientMessageId })
    if (event) hub.publish(event)
  }

  const takeRating = async (socket: ChatSocket, frame: Frame<'rate_chat'>) => {
    const { sessionId } = frame
    expectOwnDevice(socket, sessionId, 'rate it')
    await limit.admit({ sessionId, address: socket.address, by: undefined }, performance.now())
    const event = await rateChat(node, frame)
    socket.send({ type: 'rating_accepted', sessionId })
    if (event) hub.publish(event)
  }

  const end = async (socket: ChatSocket, sessionId: string) => {
    const { senderType } = frameSenderOf(socket, sessionId)
    if (hub.hasEnded(sessionId)) return // all participants are notified
    if (!(await readSession(node, sessionId))) throw new FrameError('unknown_session', 'There is no such chat')
    const event = await endChat(node, sessionId, senderType)
    if (event) hub.publish(event)
    else await hub.catchUp(sessionId)
  }

  const showTyping = (socket: ChatSocket, { sessionId, isTyping }: Frame<'typing'>) => {
    const { senderType } = frameSenderOf(socket, sessionId)
    presence.type(socket, sessionId, isTyping)
    if (socket.mayType(performance.now())) hub.publish({ kind: 'typing', sessionId, senderType, isTyping })
  }

  const takeReceipt = async (socket: ChatSocket, { sessionId, delivered, seen }: Frame<'receipt'>) => {
    const { senderType } = frameSenderOf(socket, sessionId)
    const isKnown = hub.knows(sessionId) || (await readSession(node, sessionId))
    if (!isKnown) throw new FrameError('unknown_session', 'There is no such chat')
    receipts.report(sessionId, senderType, { delivered, seen })
  }

  return { send, takeEmail, takeRating, end, showTyping, takeReceipt, close: () => receipts.close() }
}
