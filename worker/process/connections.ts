/** The connections of a worker: Postgres, Redis and the bus. */

import type { Logger } from 'pino'
import { assertSameKeys, openKeys } from '../../events/log/open-keys.ts'
import { readHead } from '../../events/log/read.ts'
import { checkSchema, SCHEMA_WAIT_MS } from '../../events/log/schema.ts'
import { assertDirect, assertPostgres, assertRedis, findRedis } from '../../events/process/store-checks.ts'
import { assertServable } from '../../events/restore/log-binding.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { type Bus, openBus } from '../../events/stores/redis/bus.ts'
import { redisPrefix } from '../../events/stores/redis/prefix.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import type { Config } from './config.ts'

const POOL_CONNECTIONS = 6
const COMMAND_TIMEOUT_MS = 5_000

export type Connections = {
  logger: Logger
  sql: Sql
  keys: Awaited<ReturnType<typeof openKeys>>
  /** Begins the keys and channels of this log in Redis. */
  prefix: string
  bus: Bus
  /** For commands: fails soon if Redis is away. */
  failFast: RedisClient
  /** For workers that wait for jobs: waits for Redis however long it is away. */
  retrying: RedisClient
  /** Called with the errors of Redis. */
  onError: (error: Error) => void
  close: () => Promise<void>
}

const assertDatabases = ({ databaseUrl, directUrl, keysDatabaseUrl }: Config) =>
  Promise.all([
    assertPostgres({ databaseUrl, directUrl }),
    keysDatabaseUrl !== undefined && assertDirect('KEYS_DATABASE_URL', keysDatabaseUrl),
  ])

/** Rejects if Postgres or Redis cannot be reached. */
export const assertStores = (config: Config): Promise<unknown> =>
  Promise.all([assertDatabases(config), assertRedis(config.redisUrl)])

/**
 * Opens the connections of a worker. Throws if a database cannot be reached, is not of this version, or holds another
 * log than this worker's keys or Redis expect. Redis may be away.
 */
export const openConnections = async (config: Config, logger: Logger): Promise<Connections> => {
  const [, away] = await Promise.all([assertDatabases(config), findRedis(config.redisUrl)])
  if (away !== undefined) logger.warn(away)
  for (const warning of await checkSchema(config.databaseUrl, { waitMs: SCHEMA_WAIT_MS })) logger.warn(warning)
  const keys = await openKeys(config)
  const sql = connect(config.databaseUrl, { max: POOL_CONNECTIONS, name: 'worker', keys })
  await assertServable(sql, { redisUrl: config.redisUrl, apart: keys.apart })
  await assertSameKeys(sql, keys)
  const { epoch } = await readHead(sql)
  const prefix = redisPrefix(epoch)
  const onError = (error: Error) => logger.warn({ err: error.message }, 'redis')
  const bus = openBus(config.redisUrl, { prefix, onError })
  const failFast = connectRedis(config.redisUrl, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS })
  const retrying = connectRedis(config.redisUrl, { maxRetriesPerRequest: null })
  failFast.on('error', onError)
  retrying.on('error', onError)
  return {
    logger,
    sql,
    keys,
    prefix,
    bus,
    failFast,
    retrying,
    onError,
    close: async () => {
      bus.close()
      failFast.disconnect()
      retrying.disconnect()
      await Promise.all([sql.end({ timeout: 1 }), keys.apart?.end({ timeout: 1 })])
    },
  }
}
