import { join } from 'node:path'
import { readOrMakeSecret } from './data-dir.ts'
import { keepRunning, type Supervised } from './keep-running.ts'
import { findPostgres, type LocalService, startPostgres } from './postgres.ts'
import { findRedis, startRedis } from './redis.ts'

/** The user as whom the product's processes use the embedded Postgres; the migration makes it. */
const RUNTIME_USER = 'agency'

export type Stores = {
  databaseUrl: string
  /** The address by which the database's owner migrates; undefined if only DATABASE_URL was given. */
  migrationsUrl: string | undefined
  redisUrl: string
  /** Stops the stores that were started here, Redis first. */
  stop: () => Promise<void>
}

export type StoresWanted = {
  dataDir: string
  /** Addresses that were given: nothing is started for these. */
  databaseUrl?: string | undefined
  migrationsUrl?: string | undefined
  redisUrl?: string | undefined
  print: (line: string) => void
}

/** The variables that hold the addresses of the stores; an empty one counts as unset. */
export function storesEnvironment({ databaseUrl, migrationsUrl, redisUrl }: Stores): Record<string, string> {
  return { DATABASE_URL: databaseUrl, MIGRATIONS_DATABASE_URL: migrationsUrl ?? '', REDIS_URL: redisUrl }
}

/** The embedded Postgres at its owner's address, as the processes use it: by a user of their own. */
function asRuntimeUser(ownerUrl: string, dataDir: string): string {
  const url = new URL(ownerUrl)
  url.username = RUNTIME_USER
  url.password = readOrMakeSecret(join(dataDir, 'database-password'))
  return url.href
}

/**
 * Starts the Postgres and the Redis that were not given, and restarts them on their ports when they end.
 *
 * @throws one line for a person, with nothing left running.
 */
export async function openStores(wanted: StoresWanted): Promise<Stores> {
  const { dataDir, print } = wanted
  const [postgres, redis] = await Promise.allSettled([
    wanted.databaseUrl === undefined
      ? supervise('Postgres', (port) => startPostgres({ dataDir, port }), print)
      : undefined,
    wanted.redisUrl === undefined
      ? supervise('Redis', (port) => startRedis({ dataDir, port, print }), print)
      : undefined,
  ])
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await Promise.all(
      [postgres, redis].map((store) => (store.status === 'fulfilled' ? store.value?.stop() : undefined)),
    )
    throw postgres.status === 'rejected' ? postgres.reason : redis.status === 'rejected' && redis.reason
  }
  const ownerUrl = postgres.value?.current().url
  return {
    ...databaseOf({ ...wanted, ownerUrl }),
    redisUrl: wanted.redisUrl ?? redis.value?.current().url ?? '',
    stop: async () => {
      await redis.value?.stop()
      await postgres.value?.stop()
    },
  }
}

function databaseOf({
  dataDir,
  databaseUrl,
  migrationsUrl,
  ownerUrl,
}: StoresWanted & { ownerUrl: string | undefined }) {
  if (ownerUrl === undefined) return { databaseUrl: databaseUrl ?? '', migrationsUrl }
  return { databaseUrl: asRuntimeUser(ownerUrl, dataDir), migrationsUrl: ownerUrl }
}

/** As `openStores`, but uses the local stores of a running instance if there is one. */
export async function findOrOpenStores(wanted: StoresWanted): Promise<Stores> {
  const ownerUrl = wanted.databaseUrl === undefined ? findPostgres(wanted.dataDir) : undefined
  const found = ownerUrl === undefined ? {} : databaseOf({ ...wanted, ownerUrl })
  return openStores({ ...wanted, ...found, redisUrl: wanted.redisUrl ?? (await findRedis(wanted.dataDir)) })
}

/** Keeps a store running. It comes back on the same port, so that its clients find it. */
function supervise(
  name: string,
  start: (port: number | undefined) => Promise<LocalService>,
  print: (line: string) => void,
): Promise<Supervised<LocalService>> {
  let port: number | undefined
  return keepRunning(
    name,
    async () => {
      const service = await start(port)
      port = Number(new URL(service.url).port)
      return service
    },
    print,
  )
}
