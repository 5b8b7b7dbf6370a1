import { Gauge, type Registry } from 'prom-client'
import { withDeadline } from '../stores/postgres/deadline.ts'
import type { ConsumerKey } from './checkpoints.ts'
import { readConsumers } from './consumer-lag.ts'
import type { Queryable } from './read.ts'

/** Short, because a scrape waits for the other metrics too. */
const LOG_TIMEOUT_MS = 2_000

/** The metrics of the log and of its consumers. */
export const createConsumerGauges = (registers: Registry[]) => {
  const labelNames = ['consumer'] as const
  return {
    head: new Gauge({ name: 'log_head_position', help: 'Position of the last event of the log', registers }),
    position: new Gauge({
      name: 'log_consumer_position',
      help: 'Position up to which a consumer has taken in the log',
      labelNames,
      registers,
    }),
    lag: new Gauge({
      name: 'log_consumer_lag_events',
      help: 'How many events a consumer has not taken in yet',
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
      help: '1 where a consumer is paused and none has gone on in its place',
      labelNames,
      registers,
    }),
  }
}

export type ConsumerGauges = ReturnType<typeof createConsumerGauges>

/**
 * Measures the log and its consumers, in the versions that are wanted. Without Postgres it leaves them out: old values
 * would mislead.
 */
export const measureConsumers = async (
  sql: Queryable,
  gauges: ConsumerGauges,
  wanted: readonly ConsumerKey[],
): Promise<void> => {
  const read = await withDeadline(readConsumers(sql, wanted), { deadlineMs: LOG_TIMEOUT_MS }).catch(() => undefined)
  for (const gauge of Object.values(gauges)) gauge.reset()
  if (!read) return gauges.head.remove()
  gauges.head.set(read.head)
  for (const { name: consumer, isCurrent, position, lag, waitingMs, haltReason } of read.consumers) {
    if (!isCurrent) continue
    gauges.position.set({ consumer }, position)
    gauges.lag.set({ consumer }, lag)
    gauges.waiting.set({ consumer }, waitingMs / 1000)
    gauges.halted.set({ consumer }, haltReason === null ? 0 : 1)
  }
}
