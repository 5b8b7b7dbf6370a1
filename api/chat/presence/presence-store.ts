import * as v from 'valibot'
import type { Sent } from '../../../events/base/word.ts'
import { readNewestPages } from '../../../events/chat/store/pages.ts'
import type { visitorPlace } from '../../../events/chat/wire.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import type { ApiNode } from '../../node/node.ts'
import { type NodePart, nodeLooks } from './presence-state.ts'

/** A node's part expires if it is not renewed for this long: the node has died or is cut off. */
const EXPIRES_AFTER_MS = 5_000
/**
 * The field of a node's hash that holds the chats that its staff view. The names of the other fields are session ids.
 */
const LOOKS = 'looks'

type Store = Pick<ApiNode, 'redis'> & { bus: Pick<ApiNode['bus'], 'prefix'> }

/** The page of a connected visitor, and since when they are on it. */
export type SentPlace = Sent<typeof visitorPlace>

const nodesKey = ({ bus }: Store) => `${bus.prefix}chat-presence`
const partKey = (store: Store, node: string) => `${nodesKey(store)}:${node}`

const parseLooks = (text: string) => {
  try {
    return v.parse(nodeLooks, JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Reads the parts of all nodes, with the arrivals of these sessions. Rejects while Redis is unavailable. */
export const readParts = async (store: Store, sessionIds: readonly string[]): Promise<Map<string, NodePart>> => {
  const nodes = await store.redis.smembers(nodesKey(store))
  const parts = await Promise.all(
    nodes.map(async (node) => {
      const [text, ...times] = await store.redis.hmget(partKey(store, node), LOOKS, ...sessionIds)
      if (!text) await store.redis.srem(nodesKey(store), node)
      const looks = text && parseLooks(text)
      if (!looks) return []
      const arrivals = sessionIds.flatMap((id, index) => (times[index] ? [[id, Number(times[index])] as const] : []))
      return [[node, { ...looks, arrivals: new Map(arrivals) }] as const]
    }),
  )
  return new Map(parts.flat())
}

/** Reads since when the visitors of some sessions are connected to any node, in ms, by session id. */
export const readArrivals = async (store: Store, sessionIds: readonly string[]): Promise<Map<string, number>> => {
  const arrivals = new Map<string, number>()
  if (sessionIds.length === 0) return arrivals
  for (const part of (await readParts(store, sessionIds)).values()) {
    for (const [id, at] of part.arrivals) arrivals.set(id, Math.min(at, arrivals.get(id) ?? at))
  }
  return arrivals
}

/** Reads the pages that visitors are on, by session id. They are in Postgres, encrypted. */
export const readPlaces = async (sql: Sql, arrivals: ReadonlyMap<string, number>): Promise<Map<string, SentPlace>> => {
  const pages = arrivals.size > 0 ? await readNewestPages(sql, [...arrivals.keys()]) : undefined
  return new Map(
    [...arrivals].map(([sessionId, arrivedAt]) => {
      const page = pages?.get(sessionId)
      const since = Math.max(arrivedAt, page ? Date.parse(page.timestamp) : 0)
      return [sessionId, { pageUrl: page?.pageUrl ?? null, since: new Date(since).toISOString() }]
    }),
  )
}

/**
 * A node's part in Redis: a hash that expires, and the node's name in the set of all nodes. All keys are in one slot of
 * a Redis Cluster.
 */
export class PresenceStore {
  readonly #store: Store
  readonly #node: string
  /** The sessions whose arrivals are stored in Redis. */
  #written = new Set<string>()

  constructor(store: Store, node: string) {
    this.#store = store
    this.#node = node
  }

  /**
   * Writes the changes of this node's part, or all of it if Redis was emptied, and renews it. Rejects while Redis is
   * unavailable.
   */
  async write({ arrivals, ...looks }: NodePart, expiresAfterMs = EXPIRES_AFTER_MS): Promise<void> {
    const key = partKey(this.#store, this.#node)
    const added = [...arrivals].filter(([id]) => !this.#written.has(id))
    const removed = [...this.#written].filter((id) => !arrivals.has(id))
    const steps = this.#store.redis.multi().exists(key)
    steps.hset(key, LOOKS, JSON.stringify(looks), ...added.flat())
    if (removed.length > 0) steps.hdel(key, ...removed)
    steps
      .pexpire(key, expiresAfterMs)
      .sadd(nodesKey(this.#store), this.#node)
      .pexpire(nodesKey(this.#store), expiresAfterMs)
    const results = (await steps.exec()) ?? []
    for (const [error] of results) if (error) throw error
    const wasEmptied = results[0]?.[1] === 0 && this.#written.size > 0
    this.#written = new Set(wasEmptied ? [] : arrivals.keys())
    if (wasEmptied) await this.write({ arrivals, ...looks }, expiresAfterMs)
  }

  /**
   * Reads the earlier arrivals of visitors who are new on this node: the times since when they are connected to other
   * nodes.
   */
  async readEarlier(arrivals: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const added = [...arrivals.keys()].filter((id) => !this.#written.has(id))
    const known = await readArrivals(this.#store, added)
    return new Map([...known].filter(([id, at]) => at < (arrivals.get(id) ?? at)))
  }
}
