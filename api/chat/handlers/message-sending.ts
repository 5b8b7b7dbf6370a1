import { type ChatFile, fileInWords } from '../../../events/chat/file.ts'
import type { Party } from '../../../events/chat/parties.ts'
import { claimFile } from '../../../events/chat/store/files.ts'
import { inThisContext } from '../../../events/process/context.ts'
import type { ApiNode } from '../../node/node.ts'
import { assignAnswered } from '../log/assignments.ts'
import { type PostedMessage, postMessage } from '../log/messages.ts'
import type { Presence } from '../presence/presence.ts'
import type { ChatHub } from '../room/hub.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { type Frame, FrameError } from '../socket/frame.ts'
import { frameSenderOf } from '../socket/frame-author.ts'
import type { openMessageLimit } from '../socket/message-limit.ts'

type Sending = {
  hub: ChatHub
  presence: Presence
  limit: ReturnType<typeof openMessageLimit>
}

/**
 * Stores a message, confirms it to its sender, then sends it to all participants. Calls `onHandled` once that is done,
 * or `onError`; both may be called at once. Makes no promise unless it has to wait for a limit or a file: every message
 * passes here.
 */
export type MessageSending = (
  socket: ChatSocket,
  frame: Frame<'send_message'>,
  settling: { onHandled: () => void; onError: (error: unknown) => void },
) => void

/** Opens a node's sending of messages. */
export const openMessageSending = (node: ApiNode, { hub, presence, limit }: Sending): MessageSending => {
  /** The file that a message names must be one that the sender's side has stored in this chat. */
  const fileOf = async (sessionId: string, party: Party, id: string) => {
    const file = await claimFile(node.sql, { sessionId, party, id })
    if (!file) throw new FrameError('bad_frame', 'This file is no longer there: choose it again')
    return file
  }

  /** Assigns a chat that is unassigned on this node. The reply is already sent, whether or not this succeeds. */
  const assign = async (sessionId: string, by: string) => {
    try {
      const { event } = await assignAnswered(node, sessionId, by)
      if (event) hub.publish(event)
      else await hub.catchUp(sessionId)
    } catch (error) {
      node.logger.error({ err: error }, 'an answered chat could not be assigned')
    }
  }

  const confirm = (socket: ChatSocket, sessionId: string, posted: PostedMessage) => {
    node.metrics.messages.inc()
    const { id, version: sequence, personal, recordedAt } = posted
    const { clientMessageId } = personal
    const timestamp = recordedAt.toISOString()
    socket.send({ type: 'message_accepted', ...(clientMessageId && { clientMessageId }), id, sequence, timestamp })
    presence.type(socket, sessionId, false)
    hub.publish(posted)
  }

  return (socket, { sessionId, message, clientMessageId, fileId }, { onHandled, onError }) => {
    const sender = frameSenderOf(socket, sessionId)
    const { by, senderType } = sender
    const onPosted = inThisContext((outcome: PostedMessage | Error) => {
      if (outcome instanceof Error) return onError(outcome)
      try {
        confirm(socket, sessionId, outcome)
      } catch (error) {
        // the committer settles the other messages of the batch in the same loop
        node.logger.error({ err: error }, 'a stored message could not be confirmed')
      }
      if (by === undefined || hub.isAssigned(sessionId)) onHandled()
      else assign(sessionId, by).then(onHandled)
    })
    const post = (file?: ChatFile) => {
      const text = file ? fileInWords(file) : message
      postMessage(node, sessionId, { ...sender, message: text, clientMessageId, file }, onPosted)
    }
    const admitting = limit.admit({ sessionId, address: socket.address, by }, performance.now())
    if (!admitting && fileId === undefined) return post()
    Promise.resolve(admitting)
      .then(() => (fileId === undefined ? undefined : fileOf(sessionId, senderType, fileId)))
      .then(post)
      .catch(onError)
  }
}
