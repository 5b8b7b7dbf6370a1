import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import process from 'node:process'
import { createAdaptorServer } from '@hono/node-server'
import { listen } from '../events/listen.ts'
import { openAppender } from '../events/log/append.ts'
import { openBus } from '../events/log/bus.ts'
import { connect } from '../events/log/connection.ts'
import { LOG_CHANNEL } from '../events/log/follow.ts'
import { assertServable } from '../events/log/home.ts'
import { followSettings } from '../events/log/live-settings.ts'
import { assertKeysAreHere, openKeys } from '../events/log/open-keys.ts'
import { redisPrefix } from '../events/log/prefix.ts'
import { readHead } from '../events/log/read.ts'
import { connectRedis } from '../events/log/redis.ts'
import { createLogger } from '../events/logger.ts'
import { onShutdown } from '../events/shutdown.ts'
import { openAdmission } from './admission/admission.ts'
import { createApp } from './app.ts'
import { openGateway } from './chat/gateway.ts'
import { createSocketServer } from './chat/sockets.ts'
import type { Config } from './config.ts'
import { createMetrics } from './metrics.ts'
import type { ApiNode } from './node.ts'
import { loadPages } from './pages.ts'
import { isSocketUpgrade } from './upgrade.ts'

const POOL_CONNECTIONS = 8
/** Somebody waits for the answer. */
const STATEMENT_TIMEOUT_MS = 8_000
const REDIS_COMMAND_TIMEOUT_MS = 2_000
const DRAIN_DEADLINE_MS = 8_500
const REQUESTS_DEADLINE_MS = 5_000
const CLOSE_IDLE_EVERY_MS = 100

const openNode = async (config: Config): Promise<ApiNode> => {
  const id = randomBytes(4).toString('hex')
  const logger = createLogger({ level: config.logLevel, base: { node: id } })
  const keys = await openKeys(config)
  const sql = connect(config.databaseUrl, {
    max: POOL_CONNECTIONS,
    name: 'api',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    keys,
  })
  await assertServable(sql, { redisUrl: config.redisUrl, apart: keys.apart })
  await assertKeysAreHere(sql, keys)
  const { epoch } = await readHead(sql)
  const onError = (error: Error) => logger.warn({ err: error.message }, 'redis')
  const bus = openBus(config.redisUrl, { prefix: redisPrefix(epoch), onError })
  const redis = connectRedis(config.redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_COMMAND_TIMEOUT_MS,
  })
  redis.on('error', onError)
  const log = openAppender(config.databaseUrl, {
    durable: sql.durable,
    keys,
    onCommit: (position) => {
      bus.publish(LOG_CHANNEL, String(position))
    },
  })
  const settings = await followSettings({
    sql,
    bus,
    onError: (error) => logger.error({ err: error }, 'the settings could not be read'),
  })
  const admission = openAdmission(redis, { prefix: bus.prefix, key: config.secretKeys.limits[0] })
  const metrics = createMetrics(id)
  return { id, config, sql, log, bus, redis, settings, admission, logger, metrics, isDraining: false }
}

/**
 * Stops taking connections and waits for the requests under way, up to 5 s; idle connections are closed as they fall
 * idle.
 */
const closeServer = async (server: Server) => {
  const closed = new Promise((resolve) => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const late = setTimeout(() => server.closeAllConnections(), REQUESTS_DEADLINE_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/**
 * Runs one API node until it is asked to stop: then it takes no new traffic, sends its sockets elsewhere and finishes
 * what is under way.
 */
export const runNode = async (config: Config): Promise<void> => {
  const node = await openNode(config)
  const gateway = openGateway(node)
  const onError = (error: unknown) => node.logger.error({ err: error }, 'the pages could not be filled in')
  const app = createApp(node, { pages: await loadPages(config, node.settings, { onError }), gateway })
  const server = createAdaptorServer({
    fetch: app.fetch,
    websocket: { server: createSocketServer() },
    serverOptions: { shouldUpgradeCallback: isSocketUpgrade },
  }) as Server

  onShutdown(DRAIN_DEADLINE_MS, async (reason) => {
    node.logger.info({ reason }, 'stopping')
    node.isDraining = true
    await gateway.drain()
    await closeServer(server)
    await gateway.close()
    await node.log.close()
    node.settings.stop()
    node.bus.close()
    node.redis.disconnect()
    await Promise.all([node.sql.end({ timeout: 1 }), node.sql.keys?.apart?.end({ timeout: 1 })])
  })

  await listen(server, config.port)
  node.logger.info({ port: config.port }, 'listening')
  if (cluster.isPrimary) process.send?.({ type: 'ready' })
}
