import type { Party } from '../../events/chat-activity.ts'
import { fileInWords } from '../../events/chat-file.ts'
import { claimFile } from '../../events/log/chat-files.ts'
import type { ChatNotification } from '../../events/log/chat-notifications.ts'
import type { ApiNode } from '../node.ts'
import { assignAnswered } from './assignments.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Frame, FrameError } from './frame.ts'
import { frameSenderOf } from './frame-sender.ts'
import type { openMessageLimit } from './message-limit.ts'
import type { Presence } from './presence.ts'
import type { Rooms } from './rooms.ts'
import { postMessage } from './session-log.ts'

type Sending = {
  rooms: Rooms
  presence: Presence
  limit: ReturnType<typeof openMessageLimit>
  publish: (notification: ChatNotification) => Promise<void>
}

/** Returns what stores a message, accepts it to its sender, then tells it to all who take part. */
export const openMessageSending = (node: ApiNode, { rooms, presence, limit, publish }: Sending) => {
  /** What a message names as its file has to be one that its sender's side has stored in this chat. */
  const fileOf = async (sessionId: string, party: Party, id: string | undefined) => {
    if (id === undefined) return undefined
    const file = await claimFile(node.sql, { sessionId, party, id })
    if (!file) throw new FrameError('bad_frame', 'This file is no longer there: choose it again')
    return file
  }

  /** The first answer of a chat on this node: it is told already, and stands however this goes. */
  const assign = async (sessionId: string, by: string) => {
    try {
      const { version, isNew } = await assignAnswered(node, sessionId, by)
      if (isNew) await publish({ kind: 'assigned', sessionId, version })
      else await rooms.tellAssignment(sessionId, version)
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
    const { id, sequence, timestamp } = stored
    socket.send({ type: 'message_accepted', ...(clientMessageId && { clientMessageId }), id, sequence, timestamp })
    const staffName = socket.role?.type === 'admin' && socket.staff ? { staffName: socket.staff.displayName } : {}
    const told = { ...stored, ...staffName }
    rooms.tellNext(told)
    presence.type(socket, sessionId, false)
    await publish({ kind: 'posted', message: told })
    if (sender.by !== undefined && !rooms.isAssigned(sessionId)) await assign(sessionId, sender.by)
  }
}
