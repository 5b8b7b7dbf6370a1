import { type ChatMessage, forVisitor } from '../../events/chat.ts'
import type { Receipt } from '../../events/chat-activity.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { readEntry } from './history.ts'
import type { RoomRegistry } from './room-registry.ts'

/**
 * From where a visitor comes back: the last sequence number that they have, and the generation of the links they come
 * by.
 */
export type Since = { afterSequence: number; generation: number }

/**
 * What a visitor who enters has missed: a page of the messages, the last sequence number among them, whether these are
 * all, whether the links they came by have been revoked, how far staff have got with theirs, and whether the chat is over.
 */
export type Missed = {
  messages: ChatMessage[]
  last: number
  isWhole: boolean
  isRevoked: boolean
  staffReceipt: Receipt
  hasEnded: boolean
}

/** Brings visitors into the rooms of a node. The socket stays paused; it is flushed where the entry fails. */
export const openRoomEntry = ({ sql }: Pick<ApiNode, 'sql'>, registry: RoomRegistry) => {
  const enter = async (
    socket: ChatSocket,
    sessionId: string,
    { afterSequence, generation }: Since,
  ): Promise<Missed> => {
    const entered = registry.get(sessionId)
    const room = entered?.visitors.has(socket) ? entered : await registry.enter(sessionId)
    const { feed, activity } = room
    if (afterSequence > feed.last) await feed.catchUp()
    // from here on all that happens is held back; what was held back before is in the log
    socket.pause()
    const { last: upTo, isEnded: hasEnded } = feed
    const staffReceipt = activity.receipts.admin
    // nobody has seen more than the log holds, unless it is an older one, restored
    const after = Math.min(afterSequence, upTo)
    registry.seat(socket, room, after)
    // a notification of revoked links finds the visitor in the room from here on
    const entry = await readEntry(sql, sessionId, { afterSequence: after, generation })
    const messages = entry.messages.map(forVisitor)
    const last = messages.at(-1)?.sequence ?? after
    room.visitors.set(socket, last)
    const isWhole = messages.length === 0 || last >= upTo
    return { messages, last, isWhole, isRevoked: entry.isRevoked, staffReceipt, hasEnded }
  }

  return async (socket: ChatSocket, sessionId: string, since: Since): Promise<Missed> => {
    registry.countEntering(sessionId, 1)
    try {
      return await enter(socket, sessionId, since)
    } catch (error) {
      registry.leave(socket)
      socket.flush(() => false)
      throw error
    } finally {
      registry.countEntering(sessionId, -1)
      registry.closeIfEmpty(sessionId)
    }
  }
}
