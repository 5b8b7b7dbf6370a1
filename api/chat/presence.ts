import type { Viewer } from '../../events/chat-frames.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Look, openPresenceExchange } from './presence-exchange.ts'

/** A console repeats every two seconds that somebody types. */
const TYPING_EXPIRES_MS = 6_000
/** Longer than a change of page or a reconnect takes: a visitor whom no node has had for so long is away. */
const VISITOR_AWAY_AFTER_MS = 10_000

type Standing = { staff: Viewer[]; isVisitorAway: boolean }
type Watch = { sessionId: string; isTyping: boolean; typing: NodeJS.Timeout | undefined }

/**
 * Which staff look at which session, and whether its visitor is there, over all nodes. It is in no log: nodes
 * exchange it (presence-exchange.ts).
 */
export type Presence = {
  /** Lets a console know the present standing, and all changes. */
  join: (socket: ChatSocket) => void
  /** A console shows this session now, or none. */
  watch: (socket: ChatSocket, sessionId: string | null) => void
  /** Somebody types, or no longer, in the session that their console shows. */
  type: (socket: ChatSocket, sessionId: string, isTyping: boolean) => void
  leave: (socket: ChatSocket) => void
  /** Tells the other nodes that nobody is here any more. */
  close: () => Promise<void>
}

/** Who looks at each session; somebody with two consoles counts once. */
const viewersOf = (looks: Look[]): Map<string, Viewer[]> => {
  const sessions = Map.groupBy(looks, ({ sessionId }) => sessionId)
  const sorted = [...sessions].map(([sessionId, all]) => {
    const people = Map.groupBy(all, ({ staffId }) => staffId)
    const viewers = [...people].map(([staffId, [first, ...rest]]) => ({
      staffId,
      name: first?.name ?? '',
      isTyping: [first, ...rest].some((one) => one?.isTyping),
    }))
    return [sessionId, viewers.sort((a, b) => a.staffId.localeCompare(b.staffId))] as const
  })
  return new Map(sorted)
}

const NOBODY: Standing = { staff: [], isVisitorAway: false }

/**
 * Which of the sessions that somebody looks at have been without their visitor for a while. `hasVisitor` tells it of this
 * very node.
 */
const openAbsences = (hasVisitor: (sessionId: string) => boolean) => {
  /** When any node last had the visitor, for the sessions that somebody looks at; at first, since when they do. */
  const hereAt = new Map<string, number>()
  return {
    note: (looked: ReadonlySet<string>, elsewhere: ReadonlySet<string>, isElsewhereKnown: boolean) => {
      const now = performance.now()
      for (const sessionId of hereAt.keys()) if (!looked.has(sessionId)) hereAt.delete(sessionId)
      for (const sessionId of looked) {
        const isUnknown = !isElsewhereKnown || !hereAt.has(sessionId)
        if (isUnknown || elsewhere.has(sessionId) || hasVisitor(sessionId)) hereAt.set(sessionId, now)
      }
    },
    isAway: (sessionId: string) =>
      performance.now() - (hereAt.get(sessionId) ?? Number.POSITIVE_INFINITY) > VISITOR_AWAY_AFTER_MS,
  }
}

/** Opens a node's presence. `hasVisitor` tells whether a session's visitor is connected to this very node. */
export const openPresence = (
  node: Pick<ApiNode, 'id' | 'bus' | 'redis' | 'logger'>,
  hasVisitor: (sessionId: string) => boolean,
): Presence => {
  const consoles = new Set<ChatSocket>()
  const watches = new Map<ChatSocket, Watch>()
  const absences = openAbsences(hasVisitor)
  let shown = new Map<string, Standing>()

  const ownLooks = () =>
    [...watches].flatMap(([{ staff }, { sessionId, isTyping }]) =>
      staff ? [{ sessionId, staffId: staff.id, name: staff.displayName, isTyping }] : [],
    )

  const show = () => {
    const others = exchange.parts()
    const viewers = viewersOf([...ownLooks(), ...others.flatMap(({ looks }) => looks)])
    const elsewhere = new Set(others.flatMap(({ visitors }) => visitors))
    absences.note(new Set(viewers.keys()), elsewhere, exchange.isKnown)
    const standing = new Map(
      [...viewers].map(([sessionId, staff]) => [sessionId, { staff, isVisitorAway: absences.isAway(sessionId) }]),
    )
    for (const sessionId of new Set([...shown.keys(), ...standing.keys()])) {
      const stands = standing.get(sessionId) ?? NOBODY
      if (JSON.stringify(stands) === JSON.stringify(shown.get(sessionId) ?? NOBODY)) continue
      for (const socket of consoles) socket.push({ type: 'presence', sessionId, ...stands })
    }
    shown = standing
  }
  const exchange = openPresenceExchange(node, {
    ownPart: () => ({ looks: ownLooks(), visitors: [...shown.keys()].filter(hasVisitor) }),
    onChange: show,
  })

  const unwatch = (socket: ChatSocket) => {
    clearTimeout(watches.get(socket)?.typing)
    return watches.delete(socket)
  }

  const type = (socket: ChatSocket, sessionId: string, isTyping: boolean) => {
    const watch = watches.get(socket)
    if (watch?.sessionId !== sessionId) return
    clearTimeout(watch.typing)
    watch.typing = isTyping ? setTimeout(type, TYPING_EXPIRES_MS, socket, sessionId, false) : undefined
    if (watch.isTyping === isTyping) return
    watch.isTyping = isTyping
    exchange.tellSoon()
  }

  return {
    join: (socket) => {
      for (const [sessionId, standing] of shown) socket.push({ type: 'presence', sessionId, ...standing })
      consoles.add(socket)
    },
    watch: (socket, sessionId) => {
      if (!consoles.has(socket) || (watches.get(socket)?.sessionId ?? null) === sessionId) return
      unwatch(socket)
      if (sessionId !== null) watches.set(socket, { sessionId, isTyping: false, typing: undefined })
      exchange.tellSoon()
    },
    type,
    leave: (socket) => {
      if (consoles.delete(socket) && unwatch(socket)) exchange.tell()
    },
    close: async () => {
      for (const socket of [...watches.keys()]) unwatch(socket)
      await exchange.close()
    },
  }
}
