import { SENDERS } from '../../../events/chat/parties.ts'
import { readReceiptsOf } from '../../../events/chat/store/receipts.ts'
import type { ApiNode } from '../../node/node.ts'
import { findValidSessions } from '../../staff/session.ts'
import type { Presence } from '../presence/presence.ts'
import type { ChatHub } from '../room/hub.ts'
import { isAfter } from '../room/room.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { type Frame, FrameError } from '../socket/frame.ts'

/** The frames of staff's consoles. Each handler throws a FrameError to refuse one. */
export type ConsoleFrames = {
  join: (socket: ChatSocket, frame: Frame<'join_admin'>) => Promise<void>
  showHistory: (socket: ChatSocket, sessionId: string) => Promise<void>
  /** Subscribes a console to a chat's messages and receipts: sends the missing ones as history, then each new one. */
  openChat: (socket: ChatSocket, frame: Frame<'open_chat'>) => Promise<void>
  watch: (socket: ChatSocket, sessionId: string | null) => void
  /** Subscribes a console to the presence of these chats' visitors. */
  followVisitors: (socket: ChatSocket, sessionIds: readonly string[]) => void
}

/** Opens a node's console handler. */
export const openConsoleFrames = (
  node: ApiNode,
  { hub, presence }: { hub: ChatHub; presence: Presence },
): ConsoleFrames => {
  const join = async (socket: ChatSocket, { listed }: Frame<'join_admin'>) => {
    const validSessions = socket.staff && (await findValidSessions(node, [socket.staff.tokenHash]))
    if (!validSessions?.size) throw new FrameError('not_allowed', 'Sign in at /login first')
    if (socket.role?.type === 'visitor') throw new FrameError('not_allowed', 'This socket is a visitor: open another')
    const active = await hub.enterStaff(socket, listed)
    socket.role = { type: 'admin' }
    presence.join(socket)
    await socket.sendWhole({ type: 'active_sessions', ...active })
    socket.flush(() => true)
  }

  const showHistory = async (socket: ChatSocket, sessionId: string) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may ask for a history')
    socket.pause()
    try {
      const messages = await hub.readForStaff(sessionId)
      await socket.sendWhole({ type: 'chat_history', sessionId, messages })
      socket.flush(isAfter(sessionId, messages.at(-1)?.sequence ?? 0))
    } catch (error) {
      socket.flush(() => true)
      throw error
    }
  }

  const openChat = async (socket: ChatSocket, { sessionId, afterSequence = 0 }: Frame<'open_chat'>) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may open a chat')
    if (sessionId === null) return hub.openChat(socket, null)
    socket.pause()
    hub.openChat(socket, sessionId)
    try {
      const [page, receipts] = await Promise.all([
        hub.readForStaff(sessionId, afterSequence),
        readReceiptsOf(node.sql, sessionId),
      ])
      const last = page.at(-1)?.sequence ?? 0
      for (const party of SENDERS) {
        if (receipts[party].delivered > 0) socket.send({ type: 'receipt', sessionId, party, ...receipts[party] })
      }
      const messages = page.filter(({ sequence }) => sequence > afterSequence)
      await socket.sendWhole({ type: 'chat_history', sessionId, messages })
      hub.recordSentUpTo(socket, sessionId, last)
      socket.flush(isAfter(sessionId, last))
    } catch (error) {
      socket.flush(() => true)
      throw error
    }
  }

  const watch = (socket: ChatSocket, sessionId: string | null) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may watch a chat')
    presence.watch(socket, sessionId)
  }

  const followVisitors = (socket: ChatSocket, sessionIds: readonly string[]) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may follow visitors')
    presence.follow(socket, sessionIds)
  }

  return { join, showHistory, openChat, watch, followVisitors }
}
