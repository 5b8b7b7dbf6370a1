import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../local/postgres.ts'
import { startRedis } from '../local/redis.ts'
import { buildWebIfStale } from '../local/web-build.ts'
import { migrate } from '../log/migrate.ts'
import { asRuntimeUser, TEMPLATE_DATABASE, withDatabase } from './database.ts'
import { makeTestFolder, sweepFoldersOfDeadRuns, TEST_REDIS_PROGRAMS } from './folders.ts'
import { chooseTestServices, installedPostgres } from './services-kind.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's Postgres. Tests want a database of their own: `createTestDatabase()`. */
    databaseUrl: string
    /** The run's Redis. Tests want a key space of their own: `testRedisUrl()`. */
    redisUrl: string
  }
}

export type TestServices = { databaseUrl: string; redisUrl: string; stop: () => Promise<void> }

/**
 * Several test files at once, each with the pools of several processes. Nothing waits for the disk: tests kill
 * Postgres, but never the machine.
 */
const POSTGRES_SETTINGS = [
  'max_connections=300',
  'fsync=off',
  'full_page_writes=off',
  'checkpoint_timeout=1h',
  'max_wal_size=512MB',
]

/** Each project of Vitest loads this file for itself: their shared state is here. */
const shared = globalThis as { testServices?: { started: Promise<TestServices>; users: number } }

/**
 * Vitest's global set-up of the projects that need more than code: one Postgres and one Redis for the whole run, the
 * migrated database that files clone, and a current build of the web pages.
 */
export default async function startTestServices(project: TestProject): Promise<() => Promise<void>> {
  shared.testServices ??= { started: startWithTemplate(), users: 0 }
  const { testServices } = shared
  testServices.users += 1
  const { databaseUrl, redisUrl, stop } = await testServices.started
  project.provide('databaseUrl', databaseUrl)
  project.provide('redisUrl', redisUrl)
  return async () => {
    testServices.users -= 1
    if (testServices.users === 0) await stop()
  }
}

async function startWithTemplate(): Promise<TestServices> {
  const [services] = await Promise.all([start(), buildWebIfStale(resolve('.'))])
  try {
    await makeTemplate(services.databaseUrl)
    return services
  } catch (error) {
    await services.stop()
    throw error
  }
}

async function start(): Promise<TestServices> {
  if (chooseTestServices().kind === 'local') return startLocal()
  const { startTestContainers } = await import('./containers.ts')
  return startTestContainers(POSTGRES_SETTINGS)
}

async function startLocal(): Promise<TestServices> {
  sweepFoldersOfDeadRuns()
  const dataDir = makeTestFolder()
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  // a run that Ctrl-C ends stops its servers by closing their pipes, and waits for nothing
  process.once('exit', remove)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const [database, redis] = await Promise.all([
    startPostgres({ dataDir, settings: POSTGRES_SETTINGS, installed: installedPostgres }),
    startRedis({ dataDir, print, programs: TEST_REDIS_PROGRAMS, isPersistent: false }),
  ])
  return {
    databaseUrl: database.url,
    redisUrl: redis.url,
    stop: async () => {
      await Promise.all([database.stop(), redis.stop()])
      remove()
      process.off('exit', remove)
    },
  }
}

async function makeTemplate(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`create database ${sql(TEMPLATE_DATABASE)}`
  } finally {
    await sql.end()
  }
  const templateUrl = withDatabase(databaseUrl, TEMPLATE_DATABASE)
  await migrate(templateUrl, { runtimeUrl: asRuntimeUser(templateUrl) })
}
