import { Hono } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readConsumers } from '../events/log/consumers.ts'
import { withDeadline } from '../events/log/deadline.ts'
import { PROJECTIONS } from '../events/projections/views.ts'
import { isFromInside } from './admission/client-address.ts'
import { RequestError } from './errors.ts'
import type { ApiNode } from './node.ts'

/** What scrapes waits for the rest too. */
const LOG_TIMEOUT_MS = 2_000
const LATENCY_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What a node counts. Nothing personal is a label. */
export const createMetrics = (nodeId: string) => {
  const registry = new Registry()
  registry.setDefaultLabels({ node: nodeId })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const labelNames = ['consumer'] as const
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['method', 'route', 'status'],
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    sockets: new Gauge({ name: 'chat_sockets', help: 'Open chat sockets', registers }),
    messages: new Counter({ name: 'chat_messages_total', help: 'Chat messages stored by this node', registers }),
    queued: new Gauge({ name: 'log_queued_requests', help: 'Requests that wait to be appended to the log', registers }),
    log: {
      head: new Gauge({ name: 'log_head_position', help: 'Position of the last event of the log', registers }),
      position: new Gauge({
        name: 'log_consumer_position',
        help: 'Position up to which a consumer has taken in the log',
        labelNames,
        registers,
      }),
      waiting: new Gauge({
        name: 'log_consumer_waiting_seconds',
        help: 'How long the oldest event has waited that a consumer has not taken in; 0 where none waits',
        labelNames,
        registers,
      }),
      halted: new Gauge({
        name: 'log_consumer_halted',
        help: '1 where a consumer halted and none has gone on in its place',
        labelNames,
        registers,
      }),
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Measures the log and its consumers, of views the versions that this node reads. Without Postgres they are left out, not
 * told as they were.
 */
const measureLog = async ({ sql, metrics: { log } }: ApiNode) => {
  const read = await withDeadline(readConsumers(sql, PROJECTIONS), { deadlineMs: LOG_TIMEOUT_MS }).catch(
    () => undefined,
  )
  for (const gauge of Object.values(log)) gauge.reset()
  if (!read) return log.head.remove()
  log.head.set(read.head)
  for (const { name: consumer, isCurrent, position, waitingMs, haltReason } of read.consumers) {
    if (!isCurrent) continue
    log.position.set({ consumer }, position)
    log.waiting.set({ consumer }, waitingMs / 1000)
    log.halted.set({ consumer }, haltReason === null ? 0 : 1)
  }
}

/**
 * `/metrics`, in Prometheus's text format, for loopback and private addresses. They are those of the node that answers,
 * whose id they carry.
 */
export const metricsRoutes = (node: ApiNode) =>
  new Hono().get('/metrics', async (c) => {
    if (!isFromInside(node, c)) throw new RequestError('not_allowed', 'Only for the inner network')
    const { registry, queued } = node.metrics
    queued.set(node.log.queued)
    await measureLog(node)
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
  })
