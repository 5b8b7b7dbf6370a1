import { type ChatMessage, forVisitor } from '../../events/chat.ts'
import type { Receipt } from '../../events/chat-activity.ts'
import type { ListedSessions } from '../../events/chat-frames.ts'
import { ALL_SESSIONS, parseNotification } from '../../events/log/chat-notifications.ts'
import { LogIntegrityError } from '../../events/log/errors.ts'
import { KeyError } from '../../events/log/key-ring.ts'
import type { ApiNode } from '../node.ts'
import { listActive } from './active-page.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Consoles, openConsoles } from './consoles.ts'
import { readEntry, readPageAfter, readPageBefore } from './history.ts'
import { type KnownAssignments, openKnownAssignments } from './known-assignments.ts'
import { keepChecking } from './log-checks.ts'
import { openLogReader } from './log-reader.ts'
import { readOutlines } from './outlines.ts'
import { openRecent } from './recent.ts'
import { openRoom } from './room.ts'
import { openRoomRegistry } from './room-registry.ts'
import { readRoomState } from './room-state.ts'
import { type Audience, openRoomUpdates, type RoomUpdates, type StaffWatch } from './room-updates.ts'
import { openStaffNames } from './staff-names.ts'
import { refreshActivities } from './stored-activity.ts'

/** From where a visitor comes back: the last sequence number that they have, and the generation of the links they come by. */
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

/** The sessions that a console shows already, and whether it wants outlines of the others. */
type StaffAsked = { listed: string[]; asksForOutlines: boolean }

/**
 * Who on this node takes part in which session, and what passes to them. Notifications come over the bus; what the bus loses is
 * found by reading on in the log: on each reconnect, every 10 to 25 s, and twice a second while Redis is away.
 */
export type Rooms = {
  /**
   * Brings a visitor into a session. The socket stays paused: the caller sends what was missed, enters again after its last
   * message as long as that is not whole, then flushes the socket.
   */
  enter: (socket: ChatSocket, sessionId: string, since: Since) => Promise<Missed>
  /**
   * Brings staff in and answers the newest of the sessions that go on, and those of the `listed` ones that do. The
   * socket stays paused: the caller sends them, then flushes it.
   */
  enterStaff: (socket: ChatSocket, asked?: StaffAsked) => Promise<ListedSessions>
  leave: (socket: ChatSocket) => void
  /** Whether a visitor of the session is connected to this node. */
  hasVisitor: (sessionId: string) => boolean
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
  /** Reads on in the log now. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/** How many sessions' receipts and pages are looked up at a time. */
const ACTIVITIES_A_CHECK = 500
/** How many sessions are remembered as told to staff, so that a late notification does not tell them again. */
const MAX_REMEMBERED = 10_000

/** Opens a node's rooms. */
export const openRooms = (node: Pick<ApiNode, 'bus' | 'sql' | 'logger'>): Rooms => {
  const { bus, sql, logger } = node
  /** How many staff are here or about to be: as long as there are any, they are told of all sessions. */
  let watchers = 0
  const watch: StaffWatch = {
    get isOn() {
      return watchers > 0
    },
    begun: openRecent(MAX_REMEMBERED),
    ended: openRecent(MAX_REMEMBERED),
    assignments: openKnownAssignments(MAX_REMEMBERED),
  }
  const withStaffNames = openStaffNames(sql)
  let nextActivity = 0

  const onError = (error: unknown) => logger.error({ err: error }, 'chat could not read the log')

  const staff = openConsoles({ readOutlines: (ids) => readOutlines(sql, ids), onError })

  const hearAs = (audience: Audience) => (text: string) => {
    const notification = parseNotification(text)
    if (notification) updates.accept(notification, audience)
    else logger.warn('chat got something over Redis that is no notification')
  }
  const hearOfSession = hearAs('visitors')
  const hearForStaff = hearAs('staff')

  /**
   * Reads a room as the log was at the reader's position: staff of this node have been told what was before it. What has
   * happened since is told as the room opens, but for a chat of whose end they have been told: a visitor comes back to it.
   */
  const load = async (sessionId: string) => {
    const position = await reader.position()
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

  const registry = openRoomRegistry({ bus, hear: hearOfSession, load, isWatched: () => watch.isOn })
  const updates = openRoomUpdates({ node, registry, staff, watch, onError })

  const stopWatching = () => {
    watchers -= 1
    if (watchers > 0) return
    bus.unsubscribe(ALL_SESSIONS, hearForStaff)
    watch.begun.clear()
    watch.ended.clear()
    watch.assignments.clear()
    registry.closeEmpty()
  }

  /** A chat that will not be readable by this node, however often it is tried, keeps staff and visitors from no other. */
  const passOver = (error: unknown) => {
    if (!(error instanceof KeyError || error instanceof LogIntegrityError)) throw error
    onError(error)
  }

  const reader = openLogReader(sql, async (facts) => {
    for (const fact of facts) await updates.handleFact(fact).catch(passOver)
  })

  /** Receipts and pages are in no log: some sessions' at a time are compared with what is stored, in turn. */
  const refreshSomeActivities = async () => {
    const activities = registry.all().map(({ activity }) => activity)
    if (nextActivity >= activities.length) nextActivity = 0
    const some = activities.slice(nextActivity, nextActivity + ACTIVITIES_A_CHECK)
    nextActivity += ACTIVITIES_A_CHECK
    if (some.length > 0) await refreshActivities(sql, some)
  }

  const compare = async () => {
    const began = performance.now()
    await reader.readOn()
    // what was told in them is before the reader's position, where they open again
    registry.closeIdle(began)
    await refreshSomeActivities()
  }

  const checks = keepChecking(bus, compare, onError)

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

  const enterStaff = async (socket: ChatSocket, { listed, asksForOutlines }: StaffAsked): Promise<ListedSessions> => {
    const isNew = !staff.has(socket)
    if (isNew) watchers += 1
    socket.pause()
    try {
      await bus.subscribe(ALL_SESSIONS, hearForStaff)
      // what is told from here on is what happens from here on
      await checks.check()
      staff.add(socket, asksForOutlines)
      return await listActive(sql, { listed, asksForOutlines })
    } catch (error) {
      socket.flush(() => false)
      if (isNew) {
        staff.delete(socket)
        stopWatching()
      }
      throw error
    }
  }

  return {
    enter: async (socket, sessionId, since) => {
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
    },
    enterStaff: (socket, asked = { listed: [], asksForOutlines: false }) => enterStaff(socket, asked),
    leave: (socket) => {
      if (staff.delete(socket)) stopWatching()
      registry.leave(socket)
    },
    hasVisitor: (sessionId) => (registry.get(sessionId)?.visitors.size ?? 0) > 0,
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
    broughtTo: staff.brought,
    check: checks.check,
    close: async () => {
      staff.close()
      await checks.close()
    },
  }
}
