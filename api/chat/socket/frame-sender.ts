import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ChatSocket } from './chat-socket.ts'
import { FrameError } from './frame.ts'

/** Who the sender of a frame is in the session that it is about. Throws a FrameError where they take no part in it. */
export const frameSenderOf = (socket: ChatSocket, sessionId: string) => {
  const { role, staff } = socket
  if (role?.type === 'visitor' && role.sessionId === sessionId) {
    return { senderType: 'visitor', senderName: role.name, by: undefined } as const
  }
  if (role?.type === 'admin' && staff) {
    return { senderType: 'admin', senderName: SUPPORT_TEAM_NAME, by: staff.id } as const
  }
  if (!role) throw new FrameError('not_joined', 'Send join_chat first')
  throw new FrameError('not_allowed', 'This socket takes part in another session')
}

/** Others who have a link to a chat take part in it, and no more. */
export const expectOwnDevice = (socket: ChatSocket, sessionId: string, act: string) => {
  frameSenderOf(socket, sessionId)
  if (socket.role?.type === 'visitor' && socket.role.isOwn) return
  throw new FrameError('not_allowed', `Only the device that began the chat may ${act}`)
}
