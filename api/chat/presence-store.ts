import { randomUUID } from 'node:crypto'
import type { RedisClient } from '../../events/log/redis.ts'

/** What a node has not repeated for this long is no longer true: the node has died, or is cut off. */
export const KEPT_MS = 8_000
/** When the last of it all goes, where no node is left to remove it. */
const EXPIRES_MS = 60_000

/**
 * Keeps what a node tells (nothing where it is empty) and removes what has not been repeated. Answers the version before
 * it changed its own part, which counts those that were removed, so that others find out about them too; the version by
 * now; and all that is kept, node by node, unless the caller knows it: from `known`, its own part aside.
 * A version is a count of changes, after a name that is new where Redis was emptied. KEYS: what nodes tell; until when;
 * the version. ARGV: the node, what it tells, for how many ms, until when it all expires, `known`, a new name.
 */
const KEEP = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local before = redis.call('get', KEYS[3]) or (ARGV[6] .. ':0')
local expired = redis.call('zrangebyscore', KEYS[2], '-inf', now)
for _, node in ipairs(expired) do
  redis.call('zrem', KEYS[2], node)
  redis.call('hdel', KEYS[1], node)
end
local changes = 0
if ARGV[2] == '' then
  redis.call('zrem', KEYS[2], ARGV[1])
  changes = changes + redis.call('hdel', KEYS[1], ARGV[1])
else
  redis.call('zadd', KEYS[2], now + ARGV[3], ARGV[1])
  if redis.call('hget', KEYS[1], ARGV[1]) ~= ARGV[2] then
    redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
    changes = changes + 1
  end
end
local name, count = string.match(before, '^(.*):(%d+)$')
local removed = name .. ':' .. (count + math.min(#expired, 1))
local version = name .. ':' .. (count + math.min(#expired, 1) + changes)
redis.call('set', KEYS[3], version, 'px', ARGV[4])
for part = 1, 2 do redis.call('pexpire', KEYS[part], ARGV[4]) end
if ARGV[5] == before and #expired == 0 then return { removed, version } end
return { removed, version, redis.call('hgetall', KEYS[1]) }`

/** What Redis knew when it was asked: `nodes`, what each node tells, only where that was not known. */
export type Kept = { before: string; version: string; nodes: Map<string, string> | undefined }

const pairsOf = (flat: string[]) => {
  const pairs = new Map<string, string>()
  for (let index = 0; index + 1 < flat.length; index += 2) pairs.set(flat[index] ?? '', flat[index + 1] ?? '')
  return pairs
}

/** Whether two versions count the changes of one Redis that was not emptied in between. */
export const isSameLife = (one: string, other: string) => one.split(':')[0] === other.split(':')[0]

/**
 * What nodes tell one another about who is present, in Redis, where it expires after KEPT_MS. All of it is in keys of one
 * slot of a Cluster.
 */
export const openPresenceStore = (redis: RedisClient, { prefix, node }: { prefix: string; node: string }) => {
  const keys = ['told', 'until', 'version'].map((part) => `${prefix}chat-presence:${part}`)
  return {
    /** Keeps what this node tells, '' for nothing. Rejects while Redis is away. */
    keep: async (told: string, known: string | undefined): Promise<Kept> => {
      const values = [node, told, KEPT_MS, EXPIRES_MS, known ?? '', randomUUID()]
      const answer = (await redis.eval(KEEP, keys.length, ...keys, ...values)) as [string, string, string[]?]
      const [before, version, nodes] = answer
      return { before, version, nodes: nodes && pairsOf(nodes) }
    },
  }
}
