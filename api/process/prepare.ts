import type { Logger } from 'pino'
import { assertSchema, SCHEMA_WAIT_MS } from '../../events/log/schema.ts'
import { assertPostgres, findRedis } from '../../events/process/store-checks.ts'
import { assertServable } from '../../events/restore/log-binding.ts'
import { connect } from '../../events/stores/connection.ts'
import type { Config } from '../node/config.ts'
import { addFirstStaff } from '../staff/account.ts'
import { refuseTryOutAccount } from '../staff/try-out-account.ts'

/**
 * The steps to do once before any node runs: reach Postgres, try Redis, which may come later, wait until the database
 * is migrated, make the first staff account. Returns whether that account was made now.
 */
export const prepare = async (config: Config, logger: Logger): Promise<boolean> => {
  const { databaseUrl, redisUrl, firstStaff, outside, warnings } = config
  for (const warning of warnings) logger.warn(warning)
  const [, away] = await Promise.all([assertPostgres(config), findRedis(redisUrl)])
  if (away !== undefined) logger.warn(away)
  const sql = connect(databaseUrl, { max: 1, name: 'prepare' })
  try {
    for (const warning of await assertSchema(sql, { waitMs: SCHEMA_WAIT_MS })) logger.warn(warning)
    await assertServable(sql, { redisUrl })
    const isMade = await addFirstStaff(sql, firstStaff)
    if (outside !== undefined) await refuseTryOutAccount(sql, firstStaff.username)
    return isMade
  } finally {
    await sql.end({ timeout: 1 })
  }
}
