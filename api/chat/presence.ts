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

const look = v.object({ sessionId: v.string(), staffId: v.string(), name: v.string(), isTyping: v.boolean() })

/** What a node tells the others: at what each of its staff looks, all of it every time; `asks` wants the same of them. */
const bulletin = v.object({ node: v.string(), looks: v.array(look), asks: v.boolean() })

type Look = v.InferOutput<typeof look>
type Watch = { sessionId: string; isTyping: boolean; typing: NodeJS.Timeout | undefined }

/** Which staff look at which session, over all nodes. It is in no log: nodes tell one another over the bus, and forget. */
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
const standingOf = (looks: Look[]): Map<string, Onlooker[]> => {
  const sessions = Map.groupBy(looks, ({ sessionId }) => sessionId)
  const standing = [...sessions].map(([sessionId, all]) => {
    const people = Map.groupBy(all, ({ staffId }) => staffId)
    const onlookers = [...people].map(([staffId, [first, ...rest]]) => ({
      staffId,
      name: first?.name ?? '',
      isTyping: [first, ...rest].some((one) => one?.isTyping),
    }))
    return [sessionId, onlookers.sort((a, b) => a.staffId.localeCompare(b.staffId))] as const
  })
  return new Map(standing)
}

/** Opens a node's presence. */
export const openPresence = ({ id, bus, logger }: Pick<ApiNode, 'id' | 'bus' | 'logger'>): Presence => {
  const consoles = new Set<ChatSocket>()
  const watches = new Map<ChatSocket, Watch>()
  const others = new Map<string, { looks: Look[]; heardAt: number }>()
  let shown = new Map<string, Onlooker[]>()
  let telling: NodeJS.Timeout | undefined

  const ownLooks = () =>
    [...watches].flatMap(([{ staff }, { sessionId, isTyping }]) =>
      staff ? [{ sessionId, staffId: staff.id, name: staff.displayName, isTyping }] : [],
    )

  const show = () => {
    const standing = standingOf([...ownLooks(), ...[...others.values()].flatMap(({ looks }) => looks)])
    for (const sessionId of new Set([...shown.keys(), ...standing.keys()])) {
      const staff = standing.get(sessionId) ?? []
      if (JSON.stringify(staff) === JSON.stringify(shown.get(sessionId) ?? [])) continue
      for (const socket of consoles) socket.push({ type: 'presence', sessionId, staff })
    }
    shown = standing
  }

  const publish = (looks: Look[], { asks = false } = {}) =>
    bus.publish(CHANNEL, JSON.stringify({ node: id, looks, asks } satisfies v.InferOutput<typeof bulletin>))

  const tell = () => {
    clearTimeout(telling)
    telling = undefined
    show()
    publish(ownLooks())
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
    show()
    if (news.asks) publish(ownLooks())
  }

  const ask = async () => {
    await bus.subscribe(CHANNEL, hear)
    publish(ownLooks(), { asks: true })
  }

  const heartbeat = setInterval(() => {
    const now = performance.now()
    for (const [node, { heardAt }] of others) if (now - heardAt > NODE_EXPIRES_MS) others.delete(node)
    show()
    if (watches.size > 0) publish(ownLooks())
  }, HEARTBEAT_MS)
  bus.onReconnect(() => {
    if (consoles.size > 0) publish(ownLooks(), { asks: true })
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
    tellSoon()
  }

  return {
    join: (socket) => {
      for (const [sessionId, staff] of shown) socket.push({ type: 'presence', sessionId, staff })
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
      if (!consoles.delete(socket)) return
      if (unwatch(socket)) tell()
      if (consoles.size > 0) return
      bus.unsubscribe(CHANNEL, hear)
      others.clear()
      shown.clear()
    },
    close: async () => {
      clearInterval(heartbeat)
      clearTimeout(telling)
      for (const socket of [...watches.keys()]) unwatch(socket)
      await publish([])
    },
  }
}
