import type { ChatMessage, ChatSession } from '../../events/chat.ts'
import type { Consoles } from './consoles.ts'
import type { Room } from './room.ts'
import type { RoomRegistry } from './room-registry.ts'
import type { StaffWatch } from './staff-watch.ts'

/** Brings what the log says about sessions to the visitors and staff on this node: beginning, messages, end, erasure. */
export const openSessionUpdates = ({
  registry,
  staff,
  watch,
}: {
  registry: RoomRegistry
  staff: Consoles
  watch: StaffWatch
}) => {
  const begin = (session: ChatSession) => {
    const { sessionId } = session
    if (!watch.isOn || watch.begun.has(sessionId) || watch.ended.has(sessionId)) return
    watch.begun.add(sessionId)
    staff.tell({ type: 'new_chat_session', ...session })
  }

  /** What was said before the end comes first, even where its notification is late. */
  const tellEnd = async (room: Room) => {
    const { sessionId } = room.feed
    await room.feed.catchUp()
    // from here on without a pause: those who enter meanwhile either hear of it or are told as they enter
    room.feed.isEnded = true
    if (watch.isOn) watch.ended.add(sessionId)
    for (const socket of room.visitors.keys()) socket.push({ type: 'chat_ended', sessionId })
    staff.tell({ type: 'chat_ended', sessionId })
  }

  /** The room in which something has happened; undefined where nobody on this node wants to hear of it. */
  const roomFor = async (sessionId: string) =>
    registry.get(sessionId) || registry.isOpening(sessionId) || (staff.size > 0 && !watch.ended.has(sessionId))
      ? await registry.find(sessionId)
      : undefined

  const end = async (sessionId: string) => {
    const room = await roomFor(sessionId)
    if (!room || room.feed.isEnded) return
    room.ending ??= tellEnd(room).finally(() => {
      room.ending = undefined
    })
    await room.ending
    registry.closeIfEmpty(sessionId)
  }

  /** Visitors are told once: they may be in another chat before the log is read. */
  const erase = async (sessionId: string) => {
    await end(sessionId)
    const visitors = registry.get(sessionId)?.visitors
    for (const socket of visitors?.keys() ?? []) socket.push({ type: 'chat_ended', sessionId, isErased: true })
    visitors?.clear()
    staff.tell({ type: 'chat_ended', sessionId, isErased: true })
    registry.closeIfEmpty(sessionId)
  }

  /** A visitor who comes in meanwhile is not told: their own entry checks the links. */
  const revokeLinks = async (sessionId: string) => {
    const visitors = [...(registry.get(sessionId)?.visitors.keys() ?? [])]
    await Promise.all(visitors.map((socket) => socket.onLinksRevoked?.()))
  }

  /** Tells the messages up to a version, which the bus may have lost. */
  const catchUpTo = async (sessionId: string, version: number) => {
    const room = await roomFor(sessionId)
    if (room && room.feed.last < version) await room.feed.catchUp()
  }

  const post = async (message: ChatMessage) => {
    const room = registry.get(message.sessionId)
    if (room && !registry.isOpening(message.sessionId)) room.feed.accept(message)
    else await (await roomFor(message.sessionId))?.feed.catchUp()
  }

  return { begin, post, catchUpTo, tellEnd, end, erase, revokeLinks }
}
