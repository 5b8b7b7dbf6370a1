import type { Logger } from 'pino'
import { connect } from '../events/log/connection.ts'
import { assertServable } from '../events/log/home.ts'
import { assertPostgres, assertRedis } from '../events/log/reach.ts'
import { assertSchema, SCHEMA_WAIT_MS } from '../events/log/schema.ts'
import type { Config } from './config.ts'
import { addFirstStaff } from './staff/account.ts'

/**
 * What has to be done once before any node runs: reach Postgres and Redis, wait until the database is migrated, make
 * the first staff account. Answers whether that account was made just now.
 */
export const prepare = async (config: Config, logger: Logger): Promise<boolean> => {
  const { databaseUrl, redisUrl, firstStaff } = config
  await Promise.all([assertPostgres(config), assertRedis(redisUrl)])
  const sql = connect(databaseUrl, { max: 1, name: 'prepare' })
  try {
    for (const warning of await assertSchema(sql, { waitMs: SCHEMA_WAIT_MS })) logger.warn(warning)
    await assertServable(sql, { redisUrl })
    return await addFirstStaff(sql, firstStaff)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
