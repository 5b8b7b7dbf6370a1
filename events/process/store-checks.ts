import { errorCode } from '../base/error-code.ts'
import { PlainError } from '../base/plain-error.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { withDeadline } from '../stores/postgres/deadline.ts'
import { connectRedis } from '../stores/redis/redis.ts'
import type { DatabaseAddresses } from './environment.ts'
import { findPooler, isSameDatabase } from './pooler.ts'

const REACH_TIMEOUT_MS = 5_000

/** Postgres or Redis cannot be reached; the message is one line with the variable, the address and advice. */
export class UnreachableError extends PlainError {
  override name = 'UnreachableError'
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || errorCode(error) || error.name : String(error)

const within = <T>(work: PromiseLike<T>) => withDeadline(work, { deadlineMs: REACH_TIMEOUT_MS })

const endpoints = (address: string) =>
  address
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?].*$/, '')

const assertPostgresResponds = async (
  variable: string,
  databaseUrl: string,
  query: (sql: Sql) => PromiseLike<unknown>,
) => {
  const sql = connect(databaseUrl, { max: 1, name: 'reach' })
  try {
    await within(query(sql))
  } catch (error) {
    const isRefused = /^28/.test(errorCode(error))
    const advice = isRefused
      ? 'correct the user, or run npm run migrate, which makes it'
      : 'start it, or correct the address'
    throw new UnreachableError(
      `${variable}: Postgres at ${endpoints(databaseUrl)} cannot be used (${reasonOf(error)}): ${advice}`,
      { cause: error },
    )
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Throws an UnreachableError if an address is that of a pooler, which work that needs a session cannot use. */
const refusePooler = async (variable: string, databaseUrl: string, advice: string) => {
  const sign = await within(findPooler(databaseUrl)).catch(() => undefined) // assertPostgresResponds reports why it cannot be reached
  if (sign === undefined) return
  throw new UnreachableError(
    `${variable}: ${endpoints(databaseUrl)} is a pooler that gives out connections a transaction at a time (${sign}): ${advice}`,
  )
}

/** Throws an UnreachableError unless Postgres responds at this address, without a pooler between. */
export const assertDirect = async (variable: string, databaseUrl: string): Promise<void> => {
  await refusePooler(variable, databaseUrl, 'set it to the address of Postgres itself')
  await assertPostgresResponds(variable, databaseUrl, (sql) => sql`select 1`)
}

/**
 * Throws an UnreachableError unless Postgres responds and no pooler is at an address that needs a session. Work that
 * needs a session goes to `directUrl`, which has to be the same database.
 */
export const assertPostgres = async ({ databaseUrl, directUrl }: DatabaseAddresses): Promise<void> => {
  if (databaseUrl === directUrl) {
    await refusePooler('DATABASE_URL', databaseUrl, 'set DATABASE_DIRECT_URL to the address of Postgres itself as well')
    return await assertPostgresResponds('DATABASE_URL', databaseUrl, (sql) => sql`select 1`)
  }
  await assertDirect('DATABASE_DIRECT_URL', directUrl)
  await assertPostgresResponds('DATABASE_URL', databaseUrl, (sql) => sql`select 1`)
  if (await within(isSameDatabase(databaseUrl, directUrl))) return
  throw new UnreachableError(
    `DATABASE_DIRECT_URL: ${endpoints(directUrl)} and DATABASE_URL at ${endpoints(databaseUrl)} are not the same database: correct one of them`,
  )
}

/** The errors of Redis for a wrong user or password. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)|^ERR (AUTH|invalid password)/

const cannotUseRedis = (redisUrl: string, reason: string) =>
  `REDIS_URL: Redis at ${endpoints(redisUrl)} cannot be used (${reason}): start it, or correct the address`

/**
 * Returns undefined if Redis responds; otherwise the line that says so, since it may come later. Throws an
 * UnreachableError if waiting would not help: it rejects the login, or may evict keys, which are jobs that have to be
 * done.
 */
export const findRedis = async (redisUrl: string): Promise<string | undefined> => {
  const redis = connectRedis(redisUrl, { retryStrategy: () => null, maxRetriesPerRequest: 0, lazyConnect: true })
  let lastError: unknown
  redis.on('error', (error) => {
    lastError = error
  })
  try {
    const memory = await within(redis.connect().then(() => redis.info('memory')))
    const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1]
    if (policy === undefined || policy === 'noeviction') return undefined
    throw new UnreachableError(cannotUseRedis(redisUrl, `its maxmemory-policy is ${policy}: set it to noeviction`))
  } catch (error) {
    if (error instanceof UnreachableError) throw error
    const line = cannotUseRedis(redisUrl, reasonOf(lastError ?? error))
    if ([lastError, error].some((each) => REFUSED.test(reasonOf(each))))
      throw new UnreachableError(line, { cause: error })
    return line
  } finally {
    redis.disconnect()
  }
}

/** Throws an UnreachableError unless Redis responds and never evicts keys. */
export const assertRedis = async (redisUrl: string): Promise<void> => {
  const line = await findRedis(redisUrl)
  if (line !== undefined) throw new UnreachableError(line)
}
