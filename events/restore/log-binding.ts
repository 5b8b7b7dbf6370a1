import { PlainError } from '../base/plain-error.ts'
import { readErased } from '../erasure/erased-subjects.ts'
import type { SubjectKeys } from '../keys/subject-keys.ts'
import type { Queryable } from '../log/decode.ts'
import { readHead } from '../log/read.ts'
import { redisPrefix } from '../stores/redis/prefix.ts'
import { connectRedis, type RedisClient } from '../stores/redis/redis.ts'
import { firstUnknown } from './replayed-erasures.ts'

const ADVICE = 'stop all nodes and workers, then run npm run log -- restore --ledger FILE (api/OPERATIONS.md: Restore)'

/**
 * The log was restored from a backup and must not be served yet; the message is one line that names the command to run.
 */
export class RestoredError extends PlainError {
  override name = 'RestoredError'
}

const reachedKey = (epoch: string) => `${redisPrefix(epoch)}reached`

/** Raises the noted position, never lowers it, and returns the noted one. */
const RAISE = `
local noted = tonumber(redis.call('get', KEYS[1]) or '0')
local position = tonumber(ARGV[1])
if noted >= position then return noted end
redis.call('set', KEYS[1], ARGV[1])
return position`

/**
 * Notes the log's position in Redis, to recognise a log that falls behind it as one from a backup. The noted position
 * never falls. Returns the greatest position that was ever noted.
 */
export const noteReached = async (
  redis: RedisClient,
  { epoch, position }: { epoch: string; position: number },
): Promise<number> => Number(await redis.eval(RAISE, 1, reachedKey(epoch), position))

const setBack = (position: number, reached: number) =>
  new RestoredError(
    `DATABASE_URL: this log is at ${position}, and had come to ${reached}: it was set back to a backup: ${ADVICE}`,
  )

/**
 * Throws if the log is behind the noted position. It reads the head after the note, because the log grows and workers
 * note its position during that time.
 */
const assertReached = async (sql: Queryable, noted: { epoch: string; reached: number }): Promise<void> => {
  const { epoch, position } = await readHead(sql)
  if (epoch === noted.epoch && position < noted.reached) throw setBack(position, noted.reached)
}

/**
 * Notes the head of the log that is served. Throws a RestoredError if the log was reset to a backup since the last
 * note.
 */
export const noteHead = async (sql: Queryable, redis: RedisClient): Promise<void> => {
  const { epoch, position } = await readHead(sql)
  const reached = await noteReached(redis, { epoch, position })
  if (reached <= position) return
  await assertReached(sql, { epoch, reached })
}

const readReached = async (redisUrl: string, epoch: string): Promise<number> => {
  const redis = connectRedis(redisUrl, { retryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true })
  redis.on('error', () => {}) // Redis may be away, or empty: then only the other signs count
  try {
    await redis.connect()
    return Number((await redis.get(reachedKey(epoch))) ?? 0)
  } catch {
    return 0
  } finally {
    redis.disconnect()
  }
}

/**
 * Throws a RestoredError if this log comes from a backup and `restore` has not made it ready. There are three signs: a
 * dump brings the home of the log that it was taken from; a log whose whole cluster was reset is behind the position
 * noted in Redis; and a separate key store knows of erasures that the log does not.
 */
export const assertServable = async (
  sql: Queryable,
  { redisUrl, apart }: { redisUrl: string; apart?: SubjectKeys['apart'] },
): Promise<void> => {
  const [log] = await sql<
    { isAtHome: boolean }[]
  >`select home is not distinct from log_home() as "isAtHome" from log_epoch`
  if (!log?.isAtHome) {
    throw new RestoredError(
      `DATABASE_URL: this log was restored from a backup, and nothing may serve it yet: ${ADVICE}`,
    )
  }
  const { epoch, position } = await readHead(sql)
  const reached = await readReached(redisUrl, epoch)
  if (reached > position) await assertReached(sql, { epoch, reached })
  const unknown = apart && (await firstUnknown(sql, await readErased(apart)))
  if (unknown) {
    throw new RestoredError(
      `KEYS_DATABASE_URL: ${unknown} has been erased, and this log does not know: it was set back to a backup: ${ADVICE}`,
    )
  }
}

/** Notes that no process may serve the log until `bindLog`. Returns the earlier note. */
export const markLogUnbound = async (sql: Queryable): Promise<string | null> => {
  const [before] = await sql<{ home: string | null }[]>`select home from log_epoch`
  await sql`update log_epoch set home = null`
  return before?.home ?? null
}

/** Binds the log to this database, unless another home is given. */
export const bindLog = async (sql: Queryable, home?: string | null): Promise<void> => {
  await sql`update log_epoch set home = ${home === undefined ? sql`log_home()` : home}`
}
