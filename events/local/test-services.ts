import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '../log/migrate.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import { TEMPLATE_DATABASE, withDatabase } from './test-database.ts'
import { chooseTestServices } from './test-services-kind.ts'
import { buildWebIfStale } from './web-build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's Postgres. Tests want a database of their own: `createTestDatabase()`. */
    databaseUrl: string
    /** The run's Redis. Tests want a key space of their own: `testRedisUrl()`. */
    redisUrl: string
  }
}

export type TestServices = { databaseUrl: string; redisUrl: string; stop: () => Promise<void> }

/** Several test files at once, each with the pools of several processes. */
const POSTGRES_SETTINGS = ['max_connections=300']
/** Kept between runs, so that Redis is fetched once. */
const REDIS_PROGRAMS = resolve('node_modules/.cache/redis-programs')
const FOLDER_PREFIX = 'agency-site-tests-'

/**
 * Vitest's global set-up: one Postgres and one Redis for the whole run, the migrated database that files clone, and the
 * web pages as they are now.
 */
export default async function startTestServices(project: TestProject): Promise<() => Promise<void>> {
  const [services] = await Promise.all([start(), buildWebIfStale(resolve('.'))])
  try {
    await makeTemplate(services.databaseUrl)
  } catch (error) {
    await services.stop()
    throw error
  }
  project.provide('databaseUrl', services.databaseUrl)
  project.provide('redisUrl', services.redisUrl)
  return services.stop
}

async function start(): Promise<TestServices> {
  if (chooseTestServices().kind === 'local') return startLocal()
  const { startTestContainers } = await import('./test-containers.ts')
  return startTestContainers(POSTGRES_SETTINGS)
}

async function startLocal(): Promise<TestServices> {
  sweepFoldersOfDeadRuns()
  const dataDir = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const [database, redis] = await Promise.all([
    startPostgres({ dataDir, settings: POSTGRES_SETTINGS }),
    startRedis({ dataDir, say, programs: REDIS_PROGRAMS }),
  ])
  return {
    databaseUrl: database.url,
    redisUrl: redis.url,
    stop: async () => {
      await Promise.all([database.stop(), redis.stop()])
      rmSync(dataDir, { recursive: true, force: true })
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
  await migrate(withDatabase(databaseUrl, TEMPLATE_DATABASE))
}

/** A run that was killed leaves its data folder; its servers end by themselves. */
function sweepFoldersOfDeadRuns(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const owner = Number(name.slice(FOLDER_PREFIX.length).split('-')[0])
    if (isAlive(owner)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // another user's
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
