import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { inject } from 'vitest'
import { REDIS_DATABASES } from '../local/redis.ts'
import { RUNTIME_ROLE } from '../log/runtime-user.ts'
import { forgetTestKeys } from './keys.ts'

/** Made and migrated once for the run; every test database is a clone of it. */
export const TEMPLATE_DATABASE = 'migrated_template'

/** The user of the product's processes in tests: it has only the rights that they need. */
const RUNTIME_USER = 'agency_tests'
const RUNTIME_PASSWORD = 'runtime'

/** The address of a test database as the product's processes use it; through a proxy as well. */
export function asRuntimeUser(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = RUNTIME_USER
  url.password = RUNTIME_PASSWORD
  return url.href
}

/** The same server's address with another database. */
export function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

/** `url` is the owner's address, `runtimeUrl` that of a user with the rights of a node or a worker. */
export type TestDatabase = { url: string; runtimeUrl: string; drop: () => Promise<void> }

const open = (url: string): postgres.Sql => postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })

/** The connection to the server is that of all files of a worker process: a new one costs as much as a clone. */
const shared = globalThis as { testServer?: postgres.Sql }

/**
 * A fresh, migrated database for one test file, with its own log, and so with its own channels. `drop` also ends
 * connections that are still open.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  forgetTestKeys()
  const name = `test_${randomBytes(8).toString('hex')}`
  shared.testServer ??= open(inject('databaseUrl'))
  const sql = shared.testServer
  const [{ version = 0 } = {}] = await sql<{ version: number }[]>`
    select current_setting('server_version_num')::int as version`
  // by way of the write-ahead log, as from Postgres 15 on, a copy takes three times the processor time
  const strategy = version >= 150_000 ? sql`strategy file_copy` : sql``
  await sql`create database ${sql(name)} template ${sql(TEMPLATE_DATABASE)} ${strategy}`
  // copies do not inherit the grants on a template itself
  await sql`grant create on database ${sql(name)} to ${sql(RUNTIME_ROLE)}`
  const url = withDatabase(inject('databaseUrl'), name)
  const own = open(url)
  await own`update log_epoch set epoch = gen_random_uuid(), home = log_home()`
  await own.end()
  return {
    url,
    runtimeUrl: asRuntimeUser(url),
    drop: async () => {
      await sql`drop database if exists ${sql(name)} with (force)`
    },
  }
}

/**
 * An empty key space for one test file: a database number of the run's Redis. Its pub/sub is shared by all numbers:
 * publishers must put their own prefix before their channels. Numbers repeat after 255 files; 0 holds the count.
 */
export async function testRedisUrl(): Promise<string> {
  const url = new URL(inject('redisUrl'))
  const redis = new Redis(url.href)
  try {
    const turn = await redis.incr('next-test-database')
    const number = 1 + (turn % (REDIS_DATABASES - 1))
    await redis.select(number)
    await redis.flushdb()
    url.pathname = `/${number}`
    return url.href
  } finally {
    redis.disconnect()
  }
}
