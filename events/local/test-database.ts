import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { inject } from 'vitest'
import { REDIS_DATABASES } from './redis.ts'

/** Made and migrated once for the run; every test database is a clone of it. */
export const TEMPLATE_DATABASE = 'migrated_template'

/** The same server's address with another database. */
export function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

/**
 * A fresh, migrated database for one test file, whose log is one of its own: so are the channels of those that run on it.
 * `drop` also ends connections that are still open.
 */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(server, (sql) => sql`create database ${sql(name)} template ${sql(TEMPLATE_DATABASE)}`)
  const url = withDatabase(server, name)
  await onServer(url, (sql) => sql`update log_head set epoch = gen_random_uuid()`)
  return {
    url,
    drop: () => onServer(server, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  }
}

/**
 * An empty key space for one test file: a database number of the run's Redis. Its pub/sub is one for all numbers: what
 * publishes must put a prefix of its own before its channels. Numbers come round again after 255 files; 0 keeps count.
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

async function onServer(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
