import { connect } from './connection.ts'
import { withDeadline } from './deadline.ts'
import { connectRedis } from './redis.ts'

const REACH_TIMEOUT_MS = 5_000

/** Postgres or Redis cannot be reached; the message is one line that names the variable, the address and what to do. */
export class UnreachableError extends Error {
  override name = 'UnreachableError'
}

const reasonOf = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}

const within = <T>(work: PromiseLike<T>) => withDeadline(work, { deadlineMs: REACH_TIMEOUT_MS })

const endpoints = (address: string) =>
  address
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?].*$/, '')

/** Throws an UnreachableError unless Postgres answers. */
export const assertPostgres = async (databaseUrl: string): Promise<void> => {
  const sql = connect(databaseUrl, { max: 1, name: 'reach' })
  try {
    await within(sql`select 1`)
  } catch (error) {
    throw new UnreachableError(
      `DATABASE_URL: Postgres at ${endpoints(databaseUrl)} cannot be used (${reasonOf(error)}): start it, or correct the address`,
      { cause: error },
    )
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Throws an UnreachableError unless Redis answers and never evicts keys, which are jobs that have to be done. */
export const assertRedis = async (redisUrl: string): Promise<void> => {
  const redis = connectRedis(redisUrl, { retryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true })
  let lastError: unknown
  redis.on('error', (error) => {
    lastError = error
  })
  try {
    const memory = await within(redis.connect().then(() => redis.info('memory')))
    const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1]
    if (policy !== undefined && policy !== 'noeviction') {
      throw new Error(`its maxmemory-policy is ${policy}: set it to noeviction`)
    }
  } catch (error) {
    throw new UnreachableError(
      `REDIS_URL: Redis at ${endpoints(redisUrl)} cannot be used (${reasonOf(lastError ?? error)}): start it, or correct the address`,
      { cause: error },
    )
  } finally {
    redis.disconnect()
  }
}
