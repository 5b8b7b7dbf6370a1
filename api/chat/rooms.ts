import type { ChatMessage } from '../../events/chat.ts'
import type { ListedSessions } from '../../events/chat-frames.ts'
import { parseNotification } from '../../events/log/chat-notifications.ts'
import type { ApiNode } from '../node.ts'
import type { Audience } from './activity-updates.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Consoles, openConsoles } from './consoles.ts'
import { readPageAfter, readPageBefore } from './history.ts'
import type { KnownAssignments } from './known-assignments.ts'
import { readOutlines } from './outlines.ts'
import { openRoom } from './room.ts'
import { openRoomChecks } from './room-checks.ts'
import { type Missed, openRoomEntry, type Since } from './room-entry.ts'
import { openRoomRegistry } from './room-registry.ts'
import { readRoomState } from './room-state.ts'
import { openRoomUpdates, type RoomUpdates } from './room-updates.ts'
import { openStaffEntry } from './staff-entry.ts'
import { openStaffNames } from './staff-names.ts'
import { openStaffWatch } from './staff-watch.ts'

/**
 * Who on this node takes part in which session, and what passes to them. Notifications come over the bus; what the bus
 * loses is found by reading on in the log: on each reconnect, every 10 to 25 s, and twice a second while Redis is away.
 */
export type Rooms = {
  /**
   * Brings a visitor into a session. The socket stays paused: the caller sends what was missed, enters again after its last
   * message as long as that is not whole, then flushes the socket.
   */
  enter: (socket: ChatSocket, sessionId: string, since: Since) => Promise<Missed>
  /**
   * Brings staff in and returns the newest open sessions, and the open ones among `listed`. A console without a list gets all
   * messages, others get outlines. The socket stays paused: the caller sends the sessions, then flushes it.
   */
  enterStaff: (socket: ChatSocket, listed?: readonly string[]) => Promise<ListedSessions>
  leave: (socket: ChatSocket) => void
  /** The sessions that have a visitor who is connected to this node. */
  visited: () => string[]
  /** Tells a message that this node has stored at once, as far as nothing that was said before it is under way. */
  tellNext: (message: ChatMessage) => void
  /** Whether this node has a room for a session. */
  knows: (sessionId: string) => boolean
  /** Whether this node has a room for a session, and has told there that it has ended. */
  hasEnded: (sessionId: string) => boolean
  /** The newest page of a session's messages as staff see them, from the log; no further back than after `after`. */
  readForStaff: (sessionId: string, after?: number) => Promise<ChatMessage[]>
  /** A console shows a session from now on, or none. */
  openChat: Consoles['open']
  /** A history has brought the session that a console shows up to a sequence number. */
  broughtTo: Consoles['brought']
  /** Whether staff of this node have been told that the chat is somebody's. */
  isAssigned: KnownAssignments['isAssigned']
  /** Tells staff of this node whose chat it is, unless they know this version. */
  tellAssignment: RoomUpdates['tellAssignment']
  /** Tells staff of this node whose accounts were removed since the last look. */
  tellRemovals: RoomUpdates['tellRemovals']
  /** Reads on in the log now. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a node's rooms. `onSeated` hears of each visitor who comes into a session. */
export const openRooms = (
  node: Pick<ApiNode, 'bus' | 'sql' | 'logger'>,
  onSeated: (sessionId: string) => void = () => {},
): Rooms => {
  const { bus, sql, logger } = node
  const watch = openStaffWatch()
  const withStaffNames = openStaffNames(sql)

  const onError = (error: unknown) => logger.error({ err: error }, 'chat could not read the log')

  const staff = openConsoles({ readOutlines: (ids) => readOutlines(sql, ids), onError })

  const hearAs = (audience: Audience) => (text: string) => {
    const notification = parseNotification(text)
    if (notification) updates.accept(notification, audience)
    else logger.warn('chat got something over Redis that is no notification')
  }

  /**
   * Reads a room as the log was at the reader's position: staff of this node have been told what was before it. What has
   * happened since is told as the room opens, but for a chat of whose end they have been told: a visitor comes back to it.
   */
  const load = async (sessionId: string) => {
    const position = await checks.position()
    const { before: then, now, activity } = await readRoomState(sql, sessionId, position)
    const before = watch.ended.has(sessionId) ? now : then
    const readAfter = async (sequence: number) => withStaffNames(await readPageAfter(sql, sessionId, sequence))
    const room = openRoom({ sessionId, state: before, known: activity, tellStaff: staff.tell, readAfter, onError })
    const bringUp = async () => {
      if (now.isEnded && !before.isEnded) await updates.tellEnd(room)
      else if (now.lastSequence > before.lastSequence) await room.feed.catchUp()
    }
    return { room, bringUp }
  }

  const registry = openRoomRegistry({ bus, hear: hearAs('visitors'), load, isWatched: () => watch.isOn, onSeated })
  const updates = openRoomUpdates({ node, registry, staff, watch, onError })
  const checks = openRoomChecks(node, { registry, updates, onError })
  const staffEntry = openStaffEntry(node, {
    staff,
    watch,
    registry,
    hear: hearAs('staff'),
    check: checks.check,
    tellRemovals: updates.tellRemovals,
  })

  return {
    enter: openRoomEntry(node, registry),
    enterStaff: staffEntry.enter,
    leave: (socket) => {
      staffEntry.leave(socket)
      registry.leave(socket)
    },
    visited: () => registry.all().flatMap(({ feed, visitors }) => (visitors.size > 0 ? [feed.sessionId] : [])),
    tellNext: (message) => {
      if (!registry.isOpening(message.sessionId)) registry.get(message.sessionId)?.feed.acceptNext(message)
    },
    knows: (sessionId) => registry.get(sessionId) !== undefined,
    hasEnded: (sessionId) => registry.get(sessionId)?.feed.isEnded ?? false,
    readForStaff: async (sessionId, after) => withStaffNames(await readPageBefore(sql, sessionId, { after })),
    openChat: staff.open,
    isAssigned: watch.assignments.isAssigned,
    tellAssignment: updates.tellAssignment,
    tellRemovals: updates.tellRemovals,
    broughtTo: staff.brought,
    check: checks.check,
    close: async () => {
      staff.close()
      await checks.close()
    },
  }
}
