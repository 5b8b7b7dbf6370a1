import { type Kept, keepRunning } from './keep-running.ts'
import { findPostgres, type LocalService, startPostgres } from './postgres.ts'
import { findRedis, startRedis } from './redis.ts'

export type Stores = {
  databaseUrl: string
  redisUrl: string
  /** Stops what was started here, Redis first. */
  stop: () => Promise<void>
}

export type StoresWanted = {
  dataDir: string
  /** Addresses that were given: nothing is started for these. */
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
  say: (line: string) => void
}

/**
 * Starts the Postgres and the Redis that were not given, and keeps them running on their ports.
 *
 * @throws one line for a person, with nothing left running.
 */
export async function openStores(wanted: StoresWanted): Promise<Stores> {
  const { dataDir, say } = wanted
  const [postgres, redis] = await Promise.allSettled([
    wanted.databaseUrl === undefined ? keep('Postgres', (port) => startPostgres({ dataDir, port }), say) : undefined,
    wanted.redisUrl === undefined ? keep('Redis', (port) => startRedis({ dataDir, port, say }), say) : undefined,
  ])
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await Promise.all(
      [postgres, redis].map((store) => (store.status === 'fulfilled' ? store.value?.stop() : undefined)),
    )
    throw postgres.status === 'rejected' ? postgres.reason : redis.status === 'rejected' && redis.reason
  }
  return {
    databaseUrl: wanted.databaseUrl ?? postgres.value?.current().url ?? '',
    redisUrl: wanted.redisUrl ?? redis.value?.current().url ?? '',
    stop: async () => {
      await redis.value?.stop()
      await postgres.value?.stop()
    },
  }
}

/** As `openStores`, but uses the local stores of a running instance where there is one. */
export async function findOrOpenStores(wanted: StoresWanted): Promise<Stores> {
  return openStores({
    ...wanted,
    databaseUrl: wanted.databaseUrl ?? findPostgres(wanted.dataDir),
    redisUrl: wanted.redisUrl ?? (await findRedis(wanted.dataDir)),
  })
}

/** A store that is started again comes back on its port, so that those who lost it find it. */
function keep(
  name: string,
  start: (port: number | undefined) => Promise<LocalService>,
  say: (line: string) => void,
): Promise<Kept<LocalService>> {
  let port: number | undefined
  return keepRunning(
    name,
    async () => {
      const service = await start(port)
      port = Number(new URL(service.url).port)
      return service
    },
    say,
  )
}
