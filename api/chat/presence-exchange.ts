import * as v from 'valibot'
import type { ApiNode } from '../node.ts'
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

const look = v.object({ sessionId: v.string(), staffId: v.string(), name: v.string(), isTyping: v.boolean() })

/**
 * A node's part: at what each of its staff looks, and which of the sessions that anybody looks at have their visitor on
 * it.
 */
const nodePart = v.object({ looks: v.array(look), visitors: v.optional(v.array(v.string()), []) })

/**
 * What a node tells the others when it changes, all of it every time. It is in Redis before that, as the change from one
 * version of what is kept there (`before`) to the next. Older nodes keep nothing there: they repeat it every two
 * seconds, have no versions, and want others to repeat theirs; some of them tell of no visitors. `asks` is theirs.
 */
const presenceUpdate = v.object({
  node: v.string(),
  ...nodePart.entries,
  asks: v.boolean(),
  before: v.exactOptional(v.string()),
  version: v.exactOptional(v.string()),
})

export type Look = v.InferOutput<typeof look>
export type PresencePart = v.InferOutput<typeof nodePart>
/** What another node has told, and until when that counts: without end as far as Redis keeps it. */
type Other = PresencePart & { until: number; isOlder: boolean }

const parseAs = <Schema extends v.GenericSchema>(schema: Schema, text: string) => {
  try {
    const result = v.safeParse(schema, JSON.parse(text))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

/** What the other nodes have told, as long as it counts. */
const openOtherNodes = (id: string) => {
  const others = new Map<string, Other>()
  return {
    parts: (): PresencePart[] => {
      const now = performance.now()
      for (const [node, { until }] of others) if (until < now) others.delete(node)
      return [...others.values()]
    },
    /**
     * Takes over what Redis keeps of the others. Where it was emptied, those that are missing may not have put theirs
     * back yet.
     */
    takeOver: (nodes: ReadonlyMap<string, string>, isEmptied: boolean) => {
      const goesAt = isEmptied ? performance.now() + KEPT_MS : 0
      for (const [node, other] of others) {
        if (!other.isOlder && !nodes.has(node)) other.until = Math.min(other.until, goesAt)
      }
      for (const [node, text] of nodes) {
        const part = parseAs(nodePart, text)
        if (part && node !== id) others.set(node, { ...part, until: Number.POSITIVE_INFINITY, isOlder: false })
      }
    },
    heard: (node: string, { looks, visitors }: PresencePart, until: number, isOlder: boolean) => {
      if (looks.length + visitors.length > 0) others.set(node, { looks, visitors, until, isOlder })
      else others.delete(node)
    },
    /** Redis is away: what they do is not known for much longer. */
    limit: (until: number) => {
      for (const other of others.values()) other.until = Math.min(other.until, until)
    },
  }
}

/** '' where there is nothing to tell. */
const textOf = (own: PresencePart) => (own.looks.length + own.visitors.length > 0 ? JSON.stringify(own) : '')

type ExchangeOptions = {
  /** This node's own part. */
  ownPart: () => PresencePart
  /** The others' parts may have changed, or time has passed. */
  onChange: () => void
}

/**
 * Exchanges presence with the other nodes. Each keeps its part in Redis for a few seconds, repeats it, and tells the
 * others what changes. What they miss of that, they find in Redis; where Redis was emptied, each node puts its part
 * back. It is one of: in step with a version of what Redis keeps (`known`); out of step, until the next look; lost,
 * since Redis is away.
 */
export const openPresenceExchange = (
  { id, bus, redis, logger }: Pick<ApiNode, 'id' | 'bus' | 'redis' | 'logger'>,
  { ownPart, onChange }: ExchangeOptions,
) => {
  const store = openPresenceStore(redis, { prefix: bus.prefix, node: id })
  const others = openOtherNodes(id)
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

  const keep = async (part: string): Promise<Kept | undefined> => {
    try {
      const kept = await store.keep(part, known)
      if (kept.nodes) others.takeOver(kept.nodes, known === undefined || !isSameLife(known, kept.version))
      known = kept.version
      lostAt = undefined
      return kept
    } catch {
      lostAt ??= performance.now()
      known = undefined
      others.limit(lostAt + KEPT_MS)
      return undefined
    }
  }

  const publish = (part: string, versions: Pick<Kept, 'before' | 'version'> | undefined) => {
    const own: PresencePart = part === '' ? { looks: [], visitors: [] } : JSON.parse(part)
    const news: v.InferOutput<typeof presenceUpdate> = {
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
    const part = textOf(ownPart())
    const isNews = part !== toldLast
    const hasOlder = performance.now() - olderHeardAt < OLDER_EXPIRES_MS
    toldLast = part
    const kept = await keep(part)
    if (isNews || (hasOlder && part !== '')) await publish(part, kept)
    onChange()
  }

  const repeatLater = (pauseMs: number) => {
    clearTimeout(repeating)
    if (isClosed) return
    repeating = setTimeout(async () => {
      onChange()
      await repeat()
      repeatLater(REPEAT_MS * (0.8 + 0.4 * Math.random()))
    }, pauseMs)
  }

  const tell = () => {
    clearTimeout(telling)
    telling = undefined
    onChange()
    repeat()
  }
  const tellSoon = () => {
    telling ??= setTimeout(tell, TELL_AFTER_MS)
  }

  const hear = (text: string) => {
    const news = parseAs(presenceUpdate, text)
    if (!news) return logger.warn('chat got something over Redis that tells nobody')
    const { node, asks, before, version } = news
    if (node === id) return
    const isOlder = version === undefined
    if (isOlder) olderHeardAt = performance.now()
    const until = isOlder ? olderHeardAt + OLDER_EXPIRES_MS : Number.POSITIVE_INFINITY
    others.heard(node, news, until, isOlder)
    // where one is missing in between, the next look into Redis finds what it told
    if (version && before === known) known = version
    onChange()
    if (asks) tellSoon()
  }

  bus.subscribe(CHANNEL, hear)
  bus.onReconnect(() => {
    known = undefined // what was told meanwhile may be lost
    repeatLater(REPEAT_AFTER_RETURN_MS * Math.random())
  })
  repeatLater(0)

  return {
    parts: others.parts,
    /** Whether the others' parts are known: not while Redis is away. */
    get isKnown() {
      return bus.isUp && lostAt === undefined
    },
    tell,
    tellSoon,
    /** Tells the others that this node has nothing any more. */
    close: async () => {
      isClosed = true
      clearTimeout(repeating)
      clearTimeout(telling)
      toldLast = ''
      await publish('', await keep(''))
    },
  }
}
