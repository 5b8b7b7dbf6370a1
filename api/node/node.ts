/**
 * Overload. Each node has three lanes to Postgres: writes, chat and sessions (5 connections, and 3 for appends),
 * searches and lists of staff (2), and its own health (1). Requests that wait too long for a lane are refused with 503
 * and Retry-After. Searches that hang delay no visitor and make no node unready (api/overload.slow.test.ts). An export
 * has a connection of its own.
 */

import type { Logger } from 'pino'
import type { Appender } from '../../events/log/append.ts'
import type { LiveSettings } from '../../events/settings/store/live-settings.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import type { Admission } from '../admission/admission.ts'
import type { ProxyFlaw } from '../admission/proxy-watch.ts'
import type { Config } from './config.ts'
import type { Metrics } from './metrics.ts'

/** One API node: everything that its routes and sockets work with. */
export type ApiNode = {
  /** Names the node in the X-Node header and in its log lines. */
  id: string
  config: Config
  /** For the requests that visitors wait for: writes, chat, sessions. */
  sql: Sql
  /** For searches and lists of staff, which may take long: a few separate connections with a bounded queue. */
  reading: Sql
  /** For queries about the node's own state, so that load elsewhere never makes it look unwell. */
  health: Sql
  log: Appender
  bus: Bus
  redis: RedisClient
  /** Adds jobs on a connection of its own, so that no request waits behind them. */
  jobs: RedisClient
  settings: LiveSettings
  /** Called before any action that a stranger could repeat too often. */
  admission: Admission
  /** Called if a request came through other proxies than configured. */
  onProxyFlaw: (flaw: ProxyFlaw) => void
  logger: Logger
  metrics: Metrics
  /** Set when the node is about to stop: it takes no new traffic. */
  isDraining: boolean
}

/** Opens something once per node, when it is first needed. */
export const perNode = <T>(open: (node: ApiNode) => T): ((node: ApiNode) => T) => {
  const opened = new WeakMap<ApiNode, { it: T }>()
  return (node) => {
    const known = opened.get(node) ?? { it: open(node) }
    opened.set(node, known)
    return known.it
  }
}
