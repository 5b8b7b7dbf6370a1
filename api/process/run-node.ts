/**
 * Nodes may come and go. On SIGTERM a node turns /readyz to 503, sends its sockets to other nodes and ends within 10
 * seconds. A form that is sent at the very moment when a node closes may get 503: its page repeats it once by itself,
 * and it is stored once. Nodes start while Redis is away, and use it when it comes. A node that Postgres has not
 * answered for 20 s, while it answers another node, ends with status 1 to be started again; in an outage for all nodes
 * each one stays (postgres-watch.ts).
 */

import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import process from 'node:process'
import { createAdaptorServer } from '@hono/node-server'
import type { Context } from 'hono'
import { openWaker, openWorkQueue } from '../../events/consumers/wake-ups.ts'
import { openAppender } from '../../events/log/append.ts'
import { assertSameKeys, openKeys } from '../../events/log/open-keys.ts'
import { readHead } from '../../events/log/read.ts'
import { listen } from '../../events/process/listen.ts'
import { createLogger } from '../../events/process/logger.ts'
import { onShutdown } from '../../events/process/shutdown.ts'
import { assertServable } from '../../events/restore/log-binding.ts'
import type { SiteContent } from '../../events/settings/rendered-content.ts'
import { followSettings } from '../../events/settings/store/live-settings.ts'
import { connect } from '../../events/stores/connection.ts'
import type { Durable } from '../../events/stores/postgres/durable.ts'
import { surviveLostConnections } from '../../events/stores/postgres/pool.ts'
import type { Waiting } from '../../events/stores/postgres/slots.ts'
import { openBus } from '../../events/stores/redis/bus.ts'
import { redisPrefix } from '../../events/stores/redis/prefix.ts'
import { connectRedis } from '../../events/stores/redis/redis.ts'
import { openAdmission } from '../admission/admission.ts'
import { watchProxies } from '../admission/proxy-watch.ts'
import { createApp } from '../app.ts'
import { loadAssets, shareAssets } from '../assets.ts'
import { openGateway } from '../chat/gateway.ts'
import { createSocketServer } from '../chat/sockets.ts'
import { termsTokens } from '../contracts/terms.ts'
import { verifyContract } from '../contracts/verification.ts'
import type { Config } from '../node/config.ts'
import { createMetrics } from '../node/metrics.ts'
import type { ApiNode } from '../node/node.ts'
import { loadPages } from '../pages.ts'
import { watchPostgres } from './postgres-watch.ts'
import { isSocketUpgrade } from './upgrade.ts'

const VISITORS_CONNECTIONS = 5
const READING_CONNECTIONS = 2
const HEALTH_CONNECTIONS = 1
/** A request that waits longer for a connection, or behind more statements, is refused: its caller tries again. */
const VISITORS_WAITING: Waiting = { most: 2_000, ms: 5_000 }
/** A console that reconnects reads up to 200 chats at once, some eight statements each. */
const READING_WAITING: Waiting = { most: 2_000, ms: 8_000 }
/** A person waits for the response. */
const STATEMENT_TIMEOUT_MS = 8_000
const REDIS_COMMAND_TIMEOUT_MS = 2_000
const DRAIN_DEADLINE_MS = 8_500
const REQUESTS_DEADLINE_MS = 5_000
const CLOSE_IDLE_EVERY_MS = 100

/** Opens what a node works with. `closeNode` closes it. */
export const openNode = async (config: Config): Promise<ApiNode> => {
  const id = randomBytes(4).toString('hex')
  const logger = createLogger({ level: config.logLevel, base: { node: id } })
  const keys = await openKeys(config)
  const open = (name: string, lane: { max: number; waiting?: Waiting; durable?: Durable }) =>
    connect(config.databaseUrl, { name, statementTimeoutMs: STATEMENT_TIMEOUT_MS, keys, ...lane })
  const sql = open('api', { max: VISITORS_CONNECTIONS, waiting: VISITORS_WAITING })
  const reading = open('api-reading', { max: READING_CONNECTIONS, waiting: READING_WAITING, durable: sql.durable })
  const health = open('api-health', { max: HEALTH_CONNECTIONS })
  await assertServable(sql, { redisUrl: config.redisUrl, apart: keys.apart })
  await assertSameKeys(sql, keys)
  const { epoch } = await readHead(sql)
  const onError = (error: Error) => logger.warn({ err: error.message }, 'redis')
  const prefix = redisPrefix(epoch)
  const bus = openBus(config.redisUrl, { prefix, onError })
  const openRedis = (options: { enableAutoPipelining?: boolean } = {}) => {
    const redis = connectRedis(config.redisUrl, {
      ...options,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: REDIS_COMMAND_TIMEOUT_MS,
    })
    redis.on('error', onError)
    return redis
  }
  // the counts of one turn are sent in one write, to one server; BullMQ's scripts do not allow that
  const redis = openRedis({ enableAutoPipelining: true })
  const jobs = openRedis() // a connection of their own, so that no request waits behind them
  const waker = openWaker(openWorkQueue(jobs, { prefix, onError }))
  const log = openAppender(config.databaseUrl, {
    durable: sql.durable,
    keys,
    onCommit: (types) => waker.wake(types),
  })
  const settings = await followSettings({
    sql,
    bus,
    onError: (error) => logger.error({ err: error }, 'the settings could not be read'),
  })
  const admission = openAdmission(redis, { prefix: bus.prefix, key: config.signingKeys.limits[0] })
  const metrics = createMetrics(id)
  const onProxyFlaw = watchProxies({ logger, registers: [metrics.registry] })
  return {
    id,
    config,
    sql,
    reading,
    health,
    log,
    bus,
    redis,
    jobs,
    settings,
    admission,
    onProxyFlaw,
    logger,
    metrics,
    isDraining: false,
  }
}

/** Waits for the appends in progress, then closes all connections of a node. */
export const closeNode = async (node: ApiNode): Promise<void> => {
  await node.log.close()
  node.settings.stop()
  node.bus.close()
  node.redis.disconnect()
  node.jobs.disconnect()
  const pools = [node.sql, node.reading, node.health, node.sql.keys?.apart]
  await Promise.all(pools.map((pool) => pool?.end({ timeout: 1 })))
}

/**
 * Stops accepting connections and waits for the requests in progress, up to 5 s; idle connections are closed as they
 * become idle.
 */
const closeServer = async (server: Server) => {
  const closed = new Promise((resolve) => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const deadline = setTimeout(() => server.closeAllConnections(), REQUESTS_DEADLINE_MS)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}

/**
 * Runs one API node until it is asked to stop: then it takes no new traffic, sends its sockets to other nodes and
 * finishes the requests in progress. It stops by itself, with status 1, if Postgres responds to other nodes and not to
 * this one (`silentMs`).
 */
export const runNode = async (config: Config, { silentMs }: { silentMs?: number } = {}): Promise<void> => {
  surviveLostConnections()
  const node = await openNode(config)
  const gateway = openGateway(node)
  const onError = (error: unknown) => node.logger.error({ err: error }, 'the pages could not be filled in')
  const assets = await loadAssets()
  const shared = await shareAssets(node.sql, assets, {
    onError: (error) => node.logger.error({ err: error }, 'the assets could not be stored for other versions'),
  })
  const closing = new AbortController()
  const tokensOf = (content: SiteContent) => termsTokens(node, content)
  const verify = (c: Context, reference: string) => verifyContract(node, c, reference)
  const sources = { onError, verify, tokensOf, assets, findOther: shared.find, signal: closing.signal }
  const app = createApp(node, { pages: await loadPages(config, node.settings, sources), gateway })
  const server = createAdaptorServer({
    fetch: app.fetch,
    websocket: { server: createSocketServer() },
    serverOptions: { shouldUpgradeCallback: isSocketUpgrade },
  }) as Server

  const end = onShutdown(DRAIN_DEADLINE_MS, async (reason) => {
    node.logger.info({ reason }, 'stopping')
    node.isDraining = true
    stopWatching()
    await gateway.drain()
    await closeServer(server)
    await gateway.close()
    shared.stop()
    closing.abort()
    await closeNode(node)
  })

  const stopWatching = watchPostgres(
    node,
    () => {
      node.logger.error('Postgres answers other nodes and not this one, which ends to be started again')
      end('unwell', 1)
    },
    silentMs,
  )
  await listen(server, config.port, { address: config.listenAddress })
  node.logger.info({ port: config.port }, 'listening')
  if (cluster.isPrimary) process.send?.({ type: 'ready' })
}
