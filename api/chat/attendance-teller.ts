import type { ServerFrame } from '../../events/chat-frames.ts'
import type { ApiNode } from '../node.ts'
import { type Here, readArrivals, readHere } from './attendance.ts'
import type { ChatSocket } from './chat-socket.ts'

/** How often a node with consoles looks who of the visitors that they show is here. */
const LOOK_EVERY_MS = 3_000
/** How often it reads their pages again: of those that are new, consoles are told at once, if nothing is lost. */
const PAGES_EVERY_MS = 30_000
/** What consoles begin to show within this time is looked up together. */
const LOOK_AFTER_MS = 50
/**
 * What a console was told of chats that it no longer shows is kept for at most this many, the last: it may show them
 * again.
 */
const MAX_TOLD = 500
/** What a console is told of a visitor who has left. */
const GONE = JSON.stringify(null)
/**
 * Who was not found is held to be gone at the next look after this time: Redis may just have been emptied, or they may just
 * have come.
 */
const GONE_AFTER_MS = 2_000

/** The chats that a console shows, and what it was told of each. */
type Follower = { sessionIds: readonly string[]; told: Map<string, string> }

type Known = { arrivedAt: number; here: Here }

/** Forgets what tells nothing, and the oldest of what is too much, but never of chats that are shown. */
export const forgetOf = (told: Map<string, string>, shown: ReadonlySet<string>) => {
  const hidden = [...told].filter(([sessionId]) => !shown.has(sessionId))
  const standing = hidden.filter(([, text]) => text !== GONE)
  const kept = new Set(standing.slice(-MAX_TOLD).map(([sessionId]) => sessionId))
  for (const [sessionId] of hidden) if (!kept.has(sessionId)) told.delete(sessionId)
}

/** Where the visitors of chats are, as far as the last look found them. */
const openAttendance = (node: Pick<ApiNode, 'redis' | 'bus' | 'reading'>) => {
  let known = new Map<string, Known>()
  /** Since when visitors were not found. */
  let missed = new Map<string, number>()
  let gone = new Set<string>()
  let pagesDueAt = 0
  return {
    /** Null where a visitor has left; undefined while that is not known. */
    hereOf: (sessionId: string) => (gone.has(sessionId) ? null : known.get(sessionId)?.here),
    /** Looks for the visitors of these chats; the others are no longer known. */
    look: async (sessionIds: ReadonlySet<string>) => {
      const arrivals = await readArrivals(node, [...sessionIds])
      const now = performance.now()
      const isDue = now >= pagesDueAt
      const isKnown = (id: string, arrivedAt: number) => !isDue && known.get(id)?.arrivedAt === arrivedAt
      const here = await readHere(node.reading, new Map([...arrivals].filter((arrival) => !isKnown(...arrival))))
      if (isDue) pagesDueAt = now + PAGES_EVERY_MS
      const found = new Map<string, Known>()
      for (const [id, arrivedAt] of arrivals) {
        const at = here.get(id) ?? known.get(id)?.here
        if (at) found.set(id, { arrivedAt, here: at })
      }
      const absent = [...sessionIds].filter((id) => !arrivals.has(id))
      missed = new Map(absent.map((id) => [id, missed.get(id) ?? now]))
      gone = new Set([...missed].flatMap(([id, missedAt]) => (now - missedAt >= GONE_AFTER_MS ? [id] : [])))
      for (const id of absent) {
        const before = known.get(id)
        if (before && !gone.has(id)) found.set(id, before)
      }
      known = found
    },
  }
}

/**
 * Tells each console where the visitors of the chats are that it shows: only these are looked up, and only changes
 * told.
 */
export const openAttendanceTeller = (node: Pick<ApiNode, 'redis' | 'bus' | 'reading' | 'logger'>) => {
  const followers = new Map<ChatSocket, Follower>()
  const attendance = openAttendance(node)
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  const tell = (looked: ReadonlySet<string>) => {
    for (const [socket, { sessionIds, told }] of followers) {
      const chats = sessionIds.flatMap((sessionId) => {
        const here = attendance.hereOf(sessionId)
        if (here === undefined || !looked.has(sessionId)) return []
        const text = JSON.stringify(here)
        if (told.get(sessionId) === text) return []
        told.set(sessionId, text)
        return [{ sessionId, here }]
      })
      const frame: ServerFrame = { type: 'visitors_here', chats }
      if (chats.length > 0) socket.push(frame)
    }
  }

  const lookIn = (ms: number) => {
    clearTimeout(timer)
    timer = undefined
    if (followers.size > 0 && !isLooking) timer = setTimeout(look, ms)
  }

  const look = async () => {
    isLooking = true
    const before = new Set(followers.values())
    try {
      const shown = new Set([...followers.values()].flatMap((follower) => follower.sessionIds))
      await attendance.look(shown)
      tell(shown)
    } catch (error) {
      // while Redis is away nobody knows: what was told stays
      node.logger.debug({ err: error }, 'chat could not look up which visitors are here')
    }
    isLooking = false
    lookIn([...followers.values()].every((follower) => before.has(follower)) ? LOOK_EVERY_MS : LOOK_AFTER_MS)
  }

  return {
    /** A console shows these chats from now on. */
    follow: (socket: ChatSocket, sessionIds: readonly string[]) => {
      const told = followers.get(socket)?.told ?? new Map()
      forgetOf(told, new Set(sessionIds))
      followers.set(socket, { sessionIds, told })
      lookIn(LOOK_AFTER_MS)
    },
    leave: (socket: ChatSocket) => {
      followers.delete(socket)
      if (followers.size === 0) lookIn(0)
    },
    close: () => {
      followers.clear()
      lookIn(0)
    },
  }
}

export type AttendanceTeller = ReturnType<typeof openAttendanceTeller>
