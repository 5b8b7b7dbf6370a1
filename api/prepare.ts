import { connect } from '../events/log/connection.ts'
import { migrate } from '../events/log/migrate.ts'
import { assertPostgres, assertRedis } from '../events/log/reach.ts'
import type { Config } from './config.ts'
import { addFirstStaff } from './staff/account.ts'

/**
 * What has to be done once before any node runs: reach Postgres and Redis, migrate, make the first staff account.
 * Answers whether that account was made just now.
 */
export const prepare = async ({ databaseUrl, redisUrl, firstStaff }: Config): Promise<boolean> => {
  await Promise.all([assertPostgres(databaseUrl), assertRedis(redisUrl)])
  await migrate(databaseUrl)
  const sql = connect(databaseUrl, { max: 1, name: 'prepare' })
  try {
    return await addFirstStaff(sql, firstStaff)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
