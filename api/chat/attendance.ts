/**
 * Which visitors are connected to any node, and since when. Each node repeats its own in Redis, a key for each chat that
 * expires, and tells nobody. Who shows chats looks these up. A node that is killed leaves nothing for long. Where Redis was
 * emptied, the key of the node itself is gone too, and it puts all back. What page somebody is on is in Postgres, encrypted
 * (chat-pages.ts).
 */

import { randomUUID } from 'node:crypto'
import { readNewestPages } from '../../events/log/chat-pages.ts'
import type { Sql } from '../../events/log/connection.ts'
import type { visitorHere } from '../../events/wire/chat.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'

/** Where a visitor is who is connected now. */
export type Here = Sent<typeof visitorHere>

/** Who comes within this time is noted together: before a console asks for them, some 300 ms after they began to chat. */
const NOTE_AFTER_MS = 50
/** How soon a node notes who has gone, and that Redis was emptied. */
const LOOK_EVERY_MS = 1_000
/** How often it repeats who is there, give or take a fifth: not all nodes in the same moment. */
const REPEAT_MS = 10_000
/** What a node has not repeated for this long is no longer true: it has died, or is cut off. */
const KEPT_MS = 25_000
/** Longer than a change of page or a reconnect takes, and than it takes another node that has the visitor to repeat it. */
const KEPT_AFTER_LEAVING_MS = 15_000
/** At most this many chats in one command. */
const BATCH_CHATS = 500

/**
 * Keeps since when visitors are there, unless another node knows an earlier time. ARGV: for how many ms, since when
 * each.
 */
const KEEP = `
for place, key in ipairs(KEYS) do
  if not redis.call('set', key, ARGV[place + 1], 'nx', 'px', ARGV[1]) then redis.call('pexpire', key, ARGV[1]) end
end`

const LEAVE = "for _, key in ipairs(KEYS) do redis.call('pexpire', key, ARGV[1]) end"

type Store = Pick<ApiNode, 'redis'> & { bus: Pick<ApiNode['bus'], 'prefix'> }

const keyOf = ({ bus }: Store, sessionId: string) => `${bus.prefix}chat-here:${sessionId}`

const batchesOf = <Item>(items: readonly Item[]) =>
  Array.from({ length: Math.ceil(items.length / BATCH_CHATS) }, (_, index) =>
    items.slice(index * BATCH_CHATS, (index + 1) * BATCH_CHATS),
  )

/** Since when the visitors of some chats are connected, in ms, by session id; those who are not are left out. */
export const readArrivals = async (store: Store, sessionIds: readonly string[]): Promise<Map<string, number>> => {
  const arrivals = new Map<string, number>()
  for (const batch of batchesOf(sessionIds)) {
    const found = await store.redis.mget(batch.map((id) => keyOf(store, id)))
    for (const [place, id] of batch.entries()) if (found[place]) arrivals.set(id, Number(found[place]))
  }
  return arrivals
}

/** Where these visitors are. `arrivals` says since when each is connected, in ms, by session id. */
export const readHere = async (sql: Sql, arrivals: ReadonlyMap<string, number>): Promise<Map<string, Here>> => {
  const pages = arrivals.size > 0 ? await readNewestPages(sql, [...arrivals.keys()]) : undefined
  return new Map(
    [...arrivals].map(([sessionId, arrivedAt]) => {
      const page = pages?.get(sessionId)
      const since = Math.max(arrivedAt, page ? Date.parse(page.timestamp) : 0)
      return [sessionId, { pageUrl: page?.pageUrl ?? null, since: new Date(since).toISOString() }]
    }),
  )
}

/** Keeps in Redis who is connected to this node. `visited` tells the sessions whose visitors are. */
export const openAttendance = (store: Store, visited: () => string[]) => {
  const arrivals = new Map<string, number>()
  /** Who has come, and is not noted in Redis yet. */
  let come: string[] = []
  let noting: NodeJS.Timeout | undefined
  let nextRepeatAt = 0
  const nodeKey = `${store.bus.prefix}chat-here-node:${randomUUID()}`

  const keep = async (sessionIds: readonly string[]) => {
    for (const batch of batchesOf(sessionIds)) {
      const keys = batch.map((id) => keyOf(store, id))
      await store.redis.eval(KEEP, keys.length, ...keys, KEPT_MS, ...batch.map((id) => arrivals.get(id) ?? Date.now()))
    }
  }

  const leave = async (sessionIds: readonly string[]) => {
    for (const batch of batchesOf(sessionIds)) {
      const keys = batch.map((id) => keyOf(store, id))
      await store.redis.eval(LEAVE, keys.length, ...keys, KEPT_AFTER_LEAVING_MS)
    }
  }

  const look = async () => {
    const now = performance.now()
    const here = new Set(visited())
    const gone = [...arrivals.keys()].filter((id) => !here.has(id))
    for (const id of gone) arrivals.delete(id)
    await leave(gone)
    if (arrivals.size === 0 || (now < nextRepeatAt && (await store.redis.exists(nodeKey)) === 1)) return
    nextRepeatAt = now + REPEAT_MS * (0.8 + 0.4 * Math.random())
    await keep([...arrivals.keys()])
    await store.redis.set(nodeKey, '', 'PX', KEPT_MS)
  }

  const note = () => {
    const noted = come.filter((id) => arrivals.has(id))
    noting = undefined
    come = []
    keep(noted).catch(() => {})
  }

  // while Redis is away nothing is lost: it is all repeated
  const looking = setInterval(() => look().catch(() => {}), LOOK_EVERY_MS)

  return {
    /** A visitor takes part in a session on this node. */
    arrive: (sessionId: string): void => {
      if (arrivals.has(sessionId)) return
      arrivals.set(sessionId, Date.now())
      come.push(sessionId)
      noting ??= setTimeout(note, NOTE_AFTER_MS)
    },
    /** Those who are here come back to another node, or are gone soon. */
    close: async () => {
      clearInterval(looking)
      clearTimeout(noting)
      await leave([...arrivals.keys()]).catch(() => {})
    },
  }
}
