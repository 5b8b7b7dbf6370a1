import { postgresStatus } from '../../events/stores/postgres/health.ts'
import type { ApiNode } from '../node/node.ts'

const LOOK_EVERY_MS = 2_000
/** A node ends if Postgres has not answered it for this long, but has answered another node. */
const SILENT_MS = 20_000
/** How long a node counts as well after Postgres has answered it. */
const WELL_MS = 8_000
/** The key expires after this time without a node. */
const EXPIRES_MS = 60_000

/**
 * Records that a node is well, if it is. Returns how many nodes were well within ARGV[3] ms, by the clock of Redis.
 * KEYS: the time when each node was last well. ARGV: the node, whether it is well, that span, and the ms after which
 * all of it expires.
 */
const NOTE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == 'yes' then
  redis.call('zadd', KEYS[1], now, ARGV[1])
  redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[4])
  redis.call('pexpire', KEYS[1], ARGV[4])
end
return redis.call('zcount', KEYS[1], now - ARGV[3], '+inf')`

/**
 * Calls `onCutOff`, once, if Postgres has not answered this node for `silentMs` and has answered others for as long:
 * its connections hang, or its network is cut off. nginx does not use `/readyz`; it sends nothing more to a node that
 * has ended, and the supervisor starts the node again. In an outage for all nodes none ends: a new process could do no
 * more. After it the first node that is well gives the others as much time. While Redis is away the state of the others
 * is unknown. Returns the function that stops it.
 */
export const watchPostgres = (
  { id, health, redis, bus }: Pick<ApiNode, 'id' | 'health' | 'redis' | 'bus'>,
  onCutOff: () => void,
  silentMs = SILENT_MS,
): (() => void) => {
  let wellAt = performance.now()
  let othersWellSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const look = async () => {
    const isWell = (await postgresStatus(health)) === 'up'
    if (isWell) wellAt = performance.now()
    const values = [id, isWell ? 'yes' : 'no', WELL_MS, EXPIRES_MS]
    const well = await redis.eval(NOTE, 1, `${bus.prefix}well-nodes`, ...values).catch(() => 0)
    const now = performance.now()
    othersWellSince = Number(well) > 0 ? (othersWellSince ?? now) : undefined
    const limitMs = Math.max(silentMs, WELL_MS)
    const areOthersWell = othersWellSince !== undefined && now - othersWellSince > limitMs
    if (!isStopped && now - wellAt > limitMs && areOthersWell) return onCutOff()
    lookLater()
  }
  const lookLater = () => {
    if (!isStopped) timer = setTimeout(look, LOOK_EVERY_MS)
  }
  lookLater()

  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
