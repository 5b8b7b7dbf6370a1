import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ChatSocket } from './chat-socket.ts'
import { FrameError } from './frame.ts'

/**
 * The sender of a frame by their role in its session.
 * @throws a FrameError if they do not take part in it.
 */
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

/** Refuses visitors who only have a link to the chat: they take part in it, and no more. */
export const expectOwnDevice = (socket: ChatSocket, sessionId: string, act: string) => {
  frameSenderOf(socket, sessionId)
  if (socket.role?.type === 'visitor' && socket.role.isOwn) return
  throw new FrameError('not_allowed', `Only the device that began the chat may ${act}`)
}
