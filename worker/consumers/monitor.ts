import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Queue } from 'bullmq'
import { Hono } from 'hono'
import { CONSUMERS } from '../../events/consumers/registry.ts'
import { isBehind, readConsumers } from '../../events/log/consumer-lag.ts'
import { listen } from '../../events/process/listen.ts'
import { isPrivate, unmapped } from '../../events/process/proxies.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import { postgresStatus, statusOf } from '../../events/stores/postgres/health.ts'
import { asConnection, QUEUES, queuePrefix } from '../../events/stores/redis/queues.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { type Metrics, metricsText } from '../process/metrics.ts'

const CONSUMERS_TIMEOUT_MS = 2_000
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Monitored = {
  sql: Sql
  /** It has to fail fast. */
  redis: RedisClient
  prefix: string
  metrics: Metrics
  isStopping: () => boolean
}

/** The names of the consumers of the log that are behind; undefined if Postgres does not reply. */
const consumersBehind = async (sql: Sql): Promise<string[] | undefined> => {
  try {
    const { consumers } = await withDeadline(readConsumers(sql, CONSUMERS), { deadlineMs: CONSUMERS_TIMEOUT_MS })
    return consumers.filter(isBehind).map(({ name }) => name)
  } catch {
    return undefined
  }
}

const readiness = async ({ sql, redis, isStopping }: Monitored) => {
  const apart = sql.keys?.apart
  const [postgres, keys, redisStatus, behind] = await Promise.all([
    postgresStatus(sql),
    apart && postgresStatus(apart),
    statusOf(redis.ping()),
    consumersBehind(sql),
  ])
  const stores = { postgres, ...(keys && { keys }), redis: redisStatus }
  const failing = [
    ...Object.entries(stores).flatMap(([name, status]) => (status === 'down' ? [name] : [])),
    ...(behind ?? (postgres === 'up' ? ['consumers'] : [])),
    ...(isStopping() ? ['stopping'] : []),
  ]
  return { ...stores, behind: behind ?? null, worker: isStopping() ? 'stopping' : 'up', failing }
}

const openQueues = ({ redis, prefix }: Monitored) =>
  Object.values(QUEUES).map((name) => {
    const queue = new Queue(name, {
      connection: asConnection(redis),
      prefix: queuePrefix(prefix),
      skipMetasUpdate: true,
    })
    queue.on('error', () => {}) // the connection's owner reports its errors
    return queue
  })

/**
 * Serves a worker's `/metrics`, `/healthz` (the process lives) and `/readyz` (its stores are available, and the
 * consumers of the log keep up) on its own port, to this machine and private networks only. Throws a PortError if the
 * port is taken.
 */
export const openMonitor = async (port: number, monitored: Monitored): Promise<{ close: () => void }> => {
  const { sql, redis, metrics } = monitored
  const queues = openQueues(monitored)
  const app = new Hono()
    .use(async (c, next) => {
      if (!isPrivate(unmapped(getConnInfo(c).remote.address ?? ''))) return c.text('Only for the inner network', 403)
      return await next()
    })
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const status = await readiness(monitored)
      return c.json(status, status.failing.length > 0 ? 503 : 200)
    })
    .get('/metrics', async (c) =>
      c.body(await metricsText(metrics, { sql, redis, queues }), 200, { 'Content-Type': CONTENT_TYPE }),
    )
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await listen(server, port, { variable: 'WORKER_PORT' })
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
