import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../stores/connection.ts'
import { connectRedis } from '../../stores/redis/redis.ts'
import { processorTimeOf } from '../processor.ts'

/** The totals so far: processor time in microseconds of each part, statements of Postgres, deliveries of Redis. */
export type Reading = { nodes: number; postgres: number; redis: number; statements: number; deliveries: number }

/** The processes that a process has started. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)

/**
 * Opens the meters of a Postgres with pg_stat_statements, whose folder is under `dataDir`, and of a Redis. Linux only:
 * they read `/proc`.
 */
export const openMeters = async (where: { databaseUrl: string; redisUrl: string; dataDir: string }) => {
  const sql = connect(where.databaseUrl, { max: 1, name: 'meter' })
  await sql`create extension if not exists pg_stat_statements`
  const redis = connectRedis(where.redisUrl)
  const listener = connectRedis(where.redisUrl)
  const postmaster = Number(
    readFileSync(join(where.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])

  /** How often each channel was published on since the last look; and all deliveries that resulted. */
  const published = new Map<string, number>()
  let delivered = 0
  listener.on('pmessage', (_pattern: string, channel: string) => {
    published.set(channel, (published.get(channel) ?? 0) + 1)
  })
  await listener.psubscribe('*')

  /** Redis returns the current number of subscribers of a channel, without this one: it subscribes by a pattern. */
  const countDeliveries = async () => {
    await listener.ping() // all that was published before has arrived
    const channels = [...published]
    published.clear()
    if (channels.length === 0) return delivered
    const told = (await redis.call('pubsub', 'numsub', ...channels.map(([channel]) => channel))) as (string | number)[]
    delivered += channels.reduce((sum, [, times], index) => sum + times * Number(told[index * 2 + 1] ?? 0), 0)
    return delivered
  }

  /** Those of other connections. */
  const countStatements = async () => {
    const [row] = await sql<{ calls: number }[]>`
      select coalesce(sum(calls), 0)::bigint as calls from pg_stat_statements
      where query not like '%pg_stat_%' and toplevel`
    return row?.calls ?? 0
  }

  return {
    read: async (nodes: readonly number[]): Promise<Reading> => {
      const [statements, deliveries] = [await countStatements(), await countDeliveries()]
      return {
        nodes: processorTimeOf(nodes),
        // that of ended processes is no longer Postgres's: connections stay open while it is measured
        postgres: processorTimeOf([postmaster, ...childrenOf(postmaster)]),
        redis: processorTimeOf([redisPid]),
        statements,
        deliveries,
      }
    },
    between: (before: Reading, after: Reading): Reading => ({
      nodes: after.nodes - before.nodes,
      postgres: after.postgres - before.postgres,
      redis: after.redis - before.redis,
      statements: after.statements - before.statements,
      deliveries: after.deliveries - before.deliveries,
    }),
    close: async (): Promise<void> => {
      for (const client of [redis, listener]) client.disconnect()
      await sql.end()
    },
  }
}
