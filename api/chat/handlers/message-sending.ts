import type { Party } from '../../../events/chat/activity.ts'
import { fileInWords } from '../../../events/chat/file.ts'
import { claimFile } from '../../../events/chat/store/files.ts'
import type { ApiNode } from '../../node/node.ts'
import { assignAnswered } from '../log/assignments.ts'
import { postMessage } from '../log/session-log.ts'
import type { Presence } from '../presence/presence.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { type Frame, FrameError } from '../socket/frame.ts'
import { frameSenderOf } from '../socket/frame-sender.ts'
import type { openMessageLimit } from '../socket/message-limit.ts'

type Sending = {
  hub: ChatHub
  presence: Presence
  limit: ReturnType<typeof openMessageLimit>
}

/** Returns the function that stores a message, confirms it to its sender, then sends it to all participants. */
export const openMessageSending = (node: ApiNode, { hub, presence, limit }: Sending) => {
  /** The file that a message names must be one that the sender's side has stored in this chat. */
  const fileOf = async (sessionId: string, party: Party, id: string | undefined) => {
    if (id === undefined) return undefined
    const file = await claimFile(node.sql, { sessionId, party, id })
    if (!file) throw new FrameError('bad_frame', 'This file is no longer there: choose it again')
    return file
  }

  /** Assigns a chat that is unassigned on this node. The reply is already sent, whether or not this succeeds. */
  const assign = async (sessionId: string, by: string) => {
    try {
      const { event } = await assignAnswered(node, sessionId, by)
      await (event ? hub.publish(event) : hub.catchUp(sessionId))
    } catch (error) {
      node.logger.error({ err: error }, 'an answered chat could not be assigned')
    }
  }

  return async (socket: ChatSocket, { sessionId, message, clientMessageId, fileId }: Frame<'send_message'>) => {
    const sender = frameSenderOf(socket, sessionId)
    await limit.admit({ sessionId, address: socket.address, by: sender.by }, performance.now())
    const file = await fileOf(sessionId, sender.senderType, fileId)
    const text = file ? fileInWords(file) : message
    const stored = await postMessage(node, sessionId, { ...sender, message: text, clientMessageId, file })
    node.metrics.messages.inc()
    const { id, version: sequence, recordedAt } = stored
    const timestamp = recordedAt.toISOString()
    socket.send({ type: 'message_accepted', ...(clientMessageId && { clientMessageId }), id, sequence, timestamp })
    hub.applyOwn(stored)
    presence.type(socket, sessionId, false)
    await hub.publish(stored)
    if (sender.by !== undefined && !hub.isAssigned(sessionId)) await assign(sessionId, sender.by)
  }
}
