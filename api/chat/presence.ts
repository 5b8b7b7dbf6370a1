import * as v from 'valibot'
import type { Onlooker } from '../../events/chat-frames.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'

const CHANNEL = 'chat:presence'
const HEARTBEAT_MS = 2_000
/** A node that has not been heard of for so long has died, or is cut off: its staff look at nothing any more. */
const NODE_EXPIRES_MS = 7_000
/** What happens within so short a time is told at once. */
const TELL_AFTER_MS = 30
/** A console repeats every two seconds that somebody types. */
const TYPING_EXPIRES_MS = 6_000
/** Longer than a change of page or a reconnect takes: a visitor whom no node has had for so long is away. */
const VISITOR_AWAY_AFTER_MS = 10_000

const look = v.object({ sessionId: v.string(), staffId: v.string(), name: v.string(), isTyping: v.boolean() })

/**
 * What a node tells the others: at what each of its staff looks, and which of the sessions that anybody looks at have
 * their visitor on it, all of it every time; `asks` wants the same of them. Nodes that have nothing to tell keep silent:
 * what is told grows with the staff, not with the nodes. Older nodes tell of no visitors.
 */
const bulletin = v.object({
  node: v.string(),
  looks: v.array(look),
  visitors: v.optional(v.array(v.string()), []),
  asks: v.boolean(),
})

type Look = v.InferOutput<typeof look>
type Standing = { staff: Onlooker[]; isVisitorAway: boolean }
type Watch = { sessionId: string; isTyping: boolean; typing: NodeJS.Timeout | undefined }

/**
 * Which staff look at which session, and whether its visitor is there, over all nodes. It is in no log: nodes tell one
 * another over the bus, and forget.
 */
export type Presence = {
  /** Lets a console know the present standing, soon, and all changes. */
  join: (socket: ChatSocket) => void
  /** A console shows this session now, or none. */
  watch: (socket: ChatSocket, sessionId: string | null) => void
  /** Somebody types, or no longer, in the session that their console shows. */
  type: (socket: ChatSocket, sessionId: string, isTyping: boolean) => void
  leave: (socket: ChatSocket) => void
  /** Tells the other nodes that nobody is here any more. */
  close: () => Promise<void>
}

const parse = (text: string) => {
  try {
    const result = v.safeParse(bulletin, JSON.parse(text))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

/** Who looks at each session; somebody with two consoles counts once. */
const onlookersOf = (looks: Look[]): Map<string, Onlooker[]> => {
  const sessions = Map.groupBy(looks, ({ sessionId }) => sessionId)
  const sorted = [...sessions].map(([sessionId, all]) => {
    const people = Map.groupBy(all, ({ staffId }) => staffId)
    const onlookers = [...people].map(([staffId, [first, ...rest]]) => ({
      staffId,
      name: first?.name ?? '',
      isTyping: [first, ...rest].some((one) => one?.isTyping),
    }))
    return [sessionId, onlookers.sort((a, b) => a.staffId.localeCompare(b.staffId))] as const
  })
  return new Map(sorted)
}

const NOBODY: Standing = { staff: [], isVisitorAway: false }

/** Opens a node's presence. `hasVisitor` tells whether a session's visitor is connected to this very node. */
export const openPresence = (
  { id, bus, logger }: Pick<ApiNode, 'id' | 'bus' | 'logger'>,
  hasVisitor: (sessionId: string) => boolean,
): Presence => {
  const consoles = new Set<ChatSocket>()
  const watches = new Map<ChatSocket, Watch>()
  const others = new Map<string, { looks: Look[]; heardAt: number }>()
  /** When any node last had the visitor, for the sessions that somebody looks at; at first, since when they do. */
  const visitorHereAt = new Map<string, number>()
  let shown = new Map<string, Standing>()
  let telling: NodeJS.Timeout | undefined

  const ownLooks = () =>
    [...watches].flatMap(([{ staff }, { sessionId, isTyping }]) =>
      staff ? [{ sessionId, staffId: staff.id, name: staff.displayName, isTyping }] : [],
    )

  const noteVisitors = (looked: ReadonlySet<string>) => {
    const now = performance.now()
    for (const sessionId of visitorHereAt.keys()) if (!looked.has(sessionId)) visitorHereAt.delete(sessionId)
    for (const sessionId of looked) {
      // while the bus is away, nothing is known of the other nodes' visitors
      if (!bus.isUp || !visitorHereAt.has(sessionId) || hasVisitor(sessionId)) visitorHereAt.set(sessionId, now)
    }
  }
  const isVisitorAway = (sessionId: string) =>
    performance.now() - (visitorHereAt.get(sessionId) ?? Number.POSITIVE_INFINITY) > VISITOR_AWAY_AFTER_MS

  const show = () => {
    const onlookers = onlookersOf([...ownLooks(), ...[...others.values()].flatMap(({ looks }) => looks)])
    noteVisitors(new Set(onlookers.keys()))
    const standing = new Map(
      [...onlookers].map(([sessionId, staff]) => [sessionId, { staff, isVisitorAway: isVisitorAway(sessionId) }]),
    )
    for (const sessionId of new Set([...shown.keys(), ...standing.keys()])) {
      const now = standing.get(sessionId) ?? NOBODY
      if (JSON.stringify(now) === JSON.stringify(shown.get(sessionId) ?? NOBODY)) continue
      for (const socket of consoles) socket.push({ type: 'presence', sessionId, ...now })
    }
    shown = standing
  }

  const ownVisitors = () => [...shown.keys()].filter(hasVisitor)
  const hasNews = () => watches.size > 0 || ownVisitors().length > 0

  const publish = ({ asks = false } = {}) => {
    const news = { node: id, looks: ownLooks(), visitors: ownVisitors(), asks }
    return bus.publish(CHANNEL, JSON.stringify(news satisfies v.InferOutput<typeof bulletin>))
  }

  const tell = () => {
    clearTimeout(telling)
    telling = undefined
    show()
    publish()
  }
  const tellSoon = () => {
    telling ??= setTimeout(tell, TELL_AFTER_MS)
  }

  const hear = (text: string) => {
    const news = parse(text)
    if (!news) return logger.warn('chat got something over Redis that tells nobody')
    if (news.node === id) return
    if (news.looks.length > 0) others.set(news.node, { looks: news.looks, heardAt: performance.now() })
    else others.delete(news.node)
    for (const sessionId of news.visitors) visitorHereAt.set(sessionId, performance.now())
    show()
    if (news.asks && hasNews()) tellSoon() // many that ask at once get one answer
  }

  /** Only consoles want to know at once; other nodes hear it with the next heartbeat. */
  const ask = () => {
    if (consoles.size > 0) publish({ asks: true })
  }
  bus.subscribe(CHANNEL, hear)
  bus.onReconnect(ask)

  const heartbeat = setInterval(() => {
    const now = performance.now()
    for (const [node, { heardAt }] of others) if (now - heardAt > NODE_EXPIRES_MS) others.delete(node)
    show()
    if (hasNews()) publish()
  }, HEARTBEAT_MS)

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
    tellSoon()
  }

  return {
    join: (socket) => {
      for (const [sessionId, standing] of shown) socket.push({ type: 'presence', sessionId, ...standing })
      consoles.add(socket)
      if (consoles.size === 1) ask()
    },
    watch: (socket, sessionId) => {
      if (!consoles.has(socket) || (watches.get(socket)?.sessionId ?? null) === sessionId) return
      unwatch(socket)
      if (sessionId !== null) watches.set(socket, { sessionId, isTyping: false, typing: undefined })
      tellSoon()
    },
    type,
    leave: (socket) => {
      if (consoles.delete(socket) && unwatch(socket)) tell()
    },
    close: async () => {
      clearInterval(heartbeat)
      clearTimeout(telling)
      for (const socket of [...watches.keys()]) unwatch(socket)
      await publish()
    },
  }
}
