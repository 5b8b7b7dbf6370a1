import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { CONSUMERS } from '../../events/consumers/registry.ts'
import { createConsumerGauges, measureConsumers } from '../../events/log/consumer-gauges.ts'
import { route } from '../http/route.ts'

const LATENCY_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of a node. No label is personal data. */
export const createMetrics = (nodeId: string) => {
  const registry = new Registry()
  registry.setDefaultLabels({ node: nodeId })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
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
    waiting: new Gauge({ name: 'chat_joins_waiting', help: 'Joins of chats that wait for their turn', registers }),
    waitedTooLong: new Counter({
      name: 'chat_joins_refused_total',
      help: 'Joins of chats that waited too long and were asked to try again',
      registers,
    }),
    messages: new Counter({ name: 'chat_messages_total', help: 'Chat messages stored by this node', registers }),
    queued: new Gauge({ name: 'log_queued_requests', help: 'Requests that wait to be appended to the log', registers }),
    log: createConsumerGauges(registers),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of the node that responds, labelled with its id, in Prometheus's text format. */
export const metricsRoute = route('GET', '/metrics', {
  access: 'inner network',
  summary: 'Metrics for Prometheus',
  answer: { mediaType: 'text/plain' },
  handler: async ({ node, c }) => {
    const { registry, queued } = node.metrics
    queued.set(node.log.queued)
    await measureConsumers(node.health, node.metrics.log, CONSUMERS)
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
  },
})
