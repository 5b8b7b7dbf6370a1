import * as v from 'valibot'
import type { Onlooker } from '../../events/chat-frames.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { isSameLife, KEPT_MS, type Kept, openPresenceStore } from './presence-store.ts'

const CHANNEL = 'chat:presence'
/** How often a node repeats in Redis what it has to tell, and learns what it has missed: give or take a fifth. */
const REPEAT_MS = 2_500
/** When nodes do so after Redis has come back, at most: not all in the same moment. */
const REPEAT_AFTER_RETURN_MS = 500
/** An older node that has not been heard of for this long has died, or is cut off. */
const OLDER_EXPIRES_MS = 7_000
/** What happens within so short a time is told at once. */
const TELL_AFTER_MS = 30
/** A console repeats every two seconds that somebody types. */
const TYPING_EXPIRES_MS = 6_000
/** Longer than a change of page or a reconnect takes: a visitor whom no node has had for so long is away. */
const VISITOR_AWAY_AFTER_MS = 10_000

const look = v.object({ sessionId: v.string(), staffId: v.string(), name: v.string(), isTyping: v.boolean() })

/** At what each of a node's staff looks, and which of the sessions that anybody looks at have their visitor on it. */
const told = v.object({ looks: v.array(look), visitors: v.optional(v.array(v.string()), []) })

/**
 * What a node tells the others when it changes, all of it every time. It is in Redis before that, as the change from one
 * version of what is kept there (`before`) to the next. Older nodes keep nothing there: they repeat it every two
 * seconds, have no versions, and want others to repeat theirs; some of them tell of no visitors. `asks` is theirs.
 */
const bulletin = v.object({
  node: v.string(),
  ...told.entries,
  asks: v.boolean(),
  before: v.exactOptional(v.string()),
  version: v.exactOptional(v.string()),
})

type Look = v.InferOutput<typeof look>
type Told = v.InferOutput<typeof told>
type Standing = { staff: Onlooker[]; isVisitorAway: boolean }
type Watch = { sessionId: string; isTyping: boolean; typing: NodeJS.Timeout | undefined }

/** What another node has told, and until when that counts: without end as far as Redis keeps it. */
type Other = Told & { until: number; isOlder: boolean }

/**
 * Which staff look at which session, and whether its visitor is there, over all nodes. It is in no log: each node keeps
 * its part in Redis for a few seconds, repeats it, and tells the others what changes. What they miss of that, they find
 * in Redis; where Redis was emptied, each node puts its part back.
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

const parseAs = <Schema extends v.GenericSchema>(schema: Schema, text: string) => {
  try {
    const result = v.safeParse(schema, JSON.parse(text))
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
  { id, bus, redis, logger }: Pick<ApiNode, 'id' | 'bus' | 'redis' | 'logger'>,
  hasVisitor: (sessionId: string) => boolean,
): Presence => {
  const store = openPresenceStore(redis, { prefix: bus.prefix, node: id })
  const consoles = new Set<ChatSocket>()
  const watches = new Map<ChatSocket, Watch>()
  const others = new Map<string, Other>()
  /** When any node last had the visitor, for the sessions that somebody looks at; at first, since when they do. */
  const visitorHereAt = new Map<string, number>()
  let shown = new Map<string, Standing>()
  let telling: NodeJS.Timeout | undefined
  let repeating: NodeJS.Timeout | undefined
  let isClosed = false
  /** The version of what Redis keeps that `others` come from. */
  let known: string | undefined
  /** What was last told to others. */
  let toldLast = ''
  /** Since when Redis has not answered. */
  let lostAt: number | undefined
  let olderHeardAt = Number.NEGATIVE_INFINITY

  const ownLooks = () =>
    [...watches].flatMap(([{ staff }, { sessionId, isTyping }]) =>
      staff ? [{ sessionId, staffId: staff.id, name: staff.displayName, isTyping }] : [],
    )
  const ownVisitors = () => [...shown.keys()].filter(hasVisitor)

  /** '' where there is nothing to tell. */
  const ownPart = () => {
    const own: Told = { looks: ownLooks(), visitors: ownVisitors() }
    return own.looks.length + own.visitors.length > 0 ? JSON.stringify(own) : ''
  }

  const noteVisitors = (looked: ReadonlySet<string>) => {
    const now = performance.now()
    const elsewhere = new Set([...others.values()].flatMap(({ visitors }) => visitors))
    for (const sessionId of visitorHereAt.keys()) if (!looked.has(sessionId)) visitorHereAt.delete(sessionId)
    for (const sessionId of looked) {
      // while Redis is away, nothing is known of the other nodes' visitors
      const isUnknown = !bus.isUp || lostAt !== undefined || !visitorHereAt.has(sessionId)
      if (isUnknown || elsewhere.has(sessionId) || hasVisitor(sessionId)) visitorHereAt.set(sessionId, now)
    }
  }
  const isVisitorAway = (sessionId: string) =>
    performance.now() - (visitorHereAt.get(sessionId) ?? Number.POSITIVE_INFINITY) > VISITOR_AWAY_AFTER_MS

  const show = () => {
    const now = performance.now()
    for (const [node, { until }] of others) if (until < now) others.delete(node)
    const onlookers = onlookersOf([...ownLooks(), ...[...others.values()].flatMap(({ looks }) => looks)])
    noteVisitors(new Set(onlookers.keys()))
    const standing = new Map(
      [...onlookers].map(([sessionId, staff]) => [sessionId, { staff, isVisitorAway: isVisitorAway(sessionId) }]),
    )
    for (const sessionId of new Set([...shown.keys(), ...standing.keys()])) {
      const stands = standing.get(sessionId) ?? NOBODY
      if (JSON.stringify(stands) === JSON.stringify(shown.get(sessionId) ?? NOBODY)) continue
      for (const socket of consoles) socket.push({ type: 'presence', sessionId, ...stands })
    }
    shown = standing
  }

  /** Takes over what Redis keeps of the others. Where it was emptied, those that are missing may not have put theirs back yet. */
  const takeOver = (nodes: ReadonlyMap<string, string>, isEmptied: boolean) => {
    const goesAt = isEmptied ? performance.now() + KEPT_MS : 0
    for (const [node, other] of others) {
      if (!other.isOlder && !nodes.has(node)) other.until = Math.min(other.until, goesAt)
    }
    for (const [node, text] of nodes) {
      const part = parseAs(told, text)
      if (part && node !== id) others.set(node, { ...part, until: Number.POSITIVE_INFINITY, isOlder: false })
    }
  }

  const keep = async (part: string): Promise<Kept | undefined> => {
    try {
      const kept = await store.keep(part, known)
      if (kept.nodes) takeOver(kept.nodes, known === undefined || !isSameLife(known, kept.version))
      known = kept.version
      lostAt = undefined
      return kept
    } catch {
      // Redis is away: what the other nodes do is not known for much longer
      lostAt ??= performance.now()
      known = undefined
      for (const other of others.values()) other.until = Math.min(other.until, lostAt + KEPT_MS)
      return undefined
    }
  }

  const publish = (part: string, versions: Pick<Kept, 'before' | 'version'> | undefined) => {
    const own: Told = part === '' ? { looks: [], visitors: [] } : JSON.parse(part)
    const news: v.InferOutput<typeof bulletin> = {
      node: id,
      ...own,
      asks: false,
      before: versions?.before ?? '',
      version: versions?.version ?? '',
    }
    return bus.publish(CHANNEL, JSON.stringify(news))
  }

  /** Keeps what is so now, and tells it where that is news, or older nodes want to hear it over and over. */
  const repeat = async () => {
    const part = ownPart()
    const isNews = part !== toldLast
    const hasOlder = performance.now() - olderHeardAt < OLDER_EXPIRES_MS
    toldLast = part
    const kept = await keep(part)
    if (isNews || (hasOlder && part !== '')) await publish(part, kept)
    show()
  }

  const repeatLater = (pauseMs: number) => {
    clearTimeout(repeating)
    if (isClosed) return
    repeating = setTimeout(async () => {
      show()
      await repeat()
      repeatLater(REPEAT_MS * (0.8 + 0.4 * Math.random()))
    }, pauseMs)
  }

  const tell = () => {
    clearTimeout(telling)
    telling = undefined
    show()
    repeat()
  }
  const tellSoon = () => {
    telling ??= setTimeout(tell, TELL_AFTER_MS)
  }

  const hear = (text: string) => {
    const news = parseAs(bulletin, text)
    if (!news) return logger.warn('chat got something over Redis that tells nobody')
    const { node, looks, visitors, asks, before, version } = news
    if (node === id) return
    const isOlder = version === undefined
    if (isOlder) olderHeardAt = performance.now()
    const until = isOlder ? olderHeardAt + OLDER_EXPIRES_MS : Number.POSITIVE_INFINITY
    if (looks.length + visitors.length > 0) others.set(node, { looks, visitors, until, isOlder })
    else others.delete(node)
    // where one is missing in between, the next look into Redis finds what it told
    if (version && before === known) known = version
    show()
    if (asks) tellSoon()
  }

  bus.subscribe(CHANNEL, hear)
  bus.onReconnect(() => {
    known = undefined // what was told meanwhile may be lost
    repeatLater(REPEAT_AFTER_RETURN_MS * Math.random())
  })
  repeatLater(0)

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
      isClosed = true
      clearTimeout(repeating)
      clearTimeout(telling)
      for (const socket of [...watches.keys()]) unwatch(socket)
      toldLast = ''
      await publish('', await keep(''))
    },
  }
}
