import type { Bus } from '../../events/log/bus.ts'
import { sessionChannel } from '../../events/log/chat-notifications.ts'
import type { ChatSocket } from './chat-socket.ts'
import type { Room } from './room.ts'

/** How long a room without visitors is kept after its last message, for staff who go on talking there. */
const IDLE_ROOM_MS = 10 * 60 * 1_000
/** At most this many of those are kept: the next notification for one that was closed opens it again. */
const MAX_IDLE_ROOMS = 10_000

/**
 * The rooms of a node, one for each session that somebody here takes part in, and who is where. A room is opening (it is
 * read from the log), open, or closed. It closes once nobody is in it or on the way into it, and no staff are connected who
 * would want to hear of it; with staff it closes after a while.
 */
export type RoomRegistry = {
  /** The room of a session, if it is open or nearly so. */
  get: (sessionId: string) => Room | undefined
  isOpening: (sessionId: string) => boolean
  all: () => Room[]
  /** The room of a session; opens it where it is closed. */
  find: (sessionId: string) => Promise<Room>
  /** Listens to a session's notifications, then finds its room: nothing falls between the two. */
  enter: (sessionId: string) => Promise<Room>
  /** Adds (1) or takes off (-1) somebody who is on the way into a session: its room stays open for them. */
  countEntering: (sessionId: string, step: 1 | -1) => void
  /** Puts a visitor into a room, who has its messages up to a sequence number. */
  seat: (socket: ChatSocket, room: Room, sequence: number) => void
  leave: (socket: ChatSocket) => void
  closeIfEmpty: (sessionId: string) => void
  closeEmpty: () => void
  /** Closes rooms that nobody needs and in which nothing was told since a time of performance.now(). */
  closeIdle: (since: number) => void
}

/**
 * Opens an empty registry. `load` reads a room from the log; its `bringUp` then tells what has happened since. `hear`
 * gets the notifications of the sessions that visitors are in, `onSeated` hears of each visitor who comes into one.
 * `isWatched` says whether staff are connected.
 */
export const openRoomRegistry = ({
  bus,
  hear,
  load,
  isWatched,
  onSeated,
}: {
  bus: Pick<Bus, 'subscribe' | 'unsubscribe'>
  hear: (text: string) => void
  load: (sessionId: string) => Promise<{ room: Room; bringUp: () => Promise<void> }>
  isWatched: () => boolean
  onSeated: (sessionId: string) => void
}): RoomRegistry => {
  const rooms = new Map<string, Room>()
  const opening = new Map<string, Promise<Room>>()
  const sessionOf = new Map<ChatSocket, string>()
  const entering = new Map<string, number>()

  const open = async (sessionId: string) => {
    const { room, bringUp } = await load(sessionId)
    rooms.set(sessionId, room)
    await bringUp()
    return room
  }

  const find = (sessionId: string): Promise<Room> => {
    const known = opening.get(sessionId)
    if (known) return known
    const room = rooms.get(sessionId)
    if (room) return Promise.resolve(room)
    const loading = open(sessionId)
      .catch((error) => {
        rooms.delete(sessionId)
        throw error
      })
      .finally(() => opening.delete(sessionId))
    opening.set(sessionId, loading)
    return loading
  }

  const closeIfEmpty = (sessionId: string) => {
    const room = rooms.get(sessionId)
    if (entering.has(sessionId) || (room && room.visitors.size > 0)) return
    bus.unsubscribe(sessionChannel(sessionId), hear)
    if (opening.has(sessionId) || room?.ending) return
    if (!isWatched() || room?.feed.isEnded) rooms.delete(sessionId)
  }

  return {
    get: (sessionId) => rooms.get(sessionId),
    isOpening: (sessionId) => opening.has(sessionId),
    all: () => [...rooms.values()],
    find,
    enter: async (sessionId) => {
      await bus.subscribe(sessionChannel(sessionId), hear)
      return await find(sessionId)
    },
    countEntering: (sessionId, step) => {
      const count = (entering.get(sessionId) ?? 0) + step
      if (count > 0) entering.set(sessionId, count)
      else entering.delete(sessionId)
    },
    seat: (socket, { feed, visitors }, sequence) => {
      visitors.set(socket, sequence)
      sessionOf.set(socket, feed.sessionId)
      onSeated(feed.sessionId)
    },
    leave: (socket) => {
      const sessionId = sessionOf.get(socket)
      if (sessionId === undefined) return
      sessionOf.delete(socket)
      rooms.get(sessionId)?.visitors.delete(socket)
      closeIfEmpty(sessionId)
    },
    closeIfEmpty,
    closeEmpty: () => {
      for (const sessionId of [...rooms.keys()]) closeIfEmpty(sessionId)
    },
    closeIdle: (since) => {
      const idle = [...rooms]
        .filter(([id, room]) => room.visitors.size === 0 && !entering.has(id) && !opening.has(id) && !room.ending)
        .filter(([, { feed }]) => feed.newsAt < since)
        .sort(([, one], [, other]) => other.feed.newsAt - one.feed.newsAt)
      for (const [index, [id, { feed }]] of idle.entries()) {
        if (index >= MAX_IDLE_ROOMS || feed.newsAt < since - IDLE_ROOM_MS) rooms.delete(id)
      }
    },
  }
}
