import type { Queue } from 'bullmq'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readHeldFiles } from '../../events/chat/store/files.ts'
import { CONSUMERS } from '../../events/consumers/registry.ts'
import { createConsumerGauges, measureConsumers } from '../../events/log/consumer-gauges.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { measureQueues } from './queue-metrics.ts'

/** Scrapes wait for the other metrics too. */
const FILES_TIMEOUT_MS = 2_000

/** A view takes in up to 1,000 events at once. */
const BATCH_BUCKETS = [1, 5, 10, 50, 100, 250, 500, 1_000]

/** The metrics of a worker. Nothing personal is a label. */
export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    attempts: new Counter({
      name: 'email_attempts_total',
      help: 'Attempts of this worker to send an email, by lane and outcome',
      labelNames: ['lane', 'result'] as const,
      registers,
    }),
    batches: new Histogram({
      name: 'projection_batch_events',
      help: 'How many events this worker took into a view at once',
      labelNames: ['view'] as const,
      buckets: BATCH_BUCKETS,
      registers,
    }),
    oldest: new Gauge({
      name: 'queue_oldest_job_age_seconds',
      help: 'How long the oldest job has waited that could be done now; nothing where none waits. Priority 0 has none',
      labelNames: ['queue', 'priority'] as const,
      registers,
    }),
    unreadable: new Counter({
      name: 'unreadable_subjects_total',
      help: 'Leads and chats whose data key is lost, which this worker therefore passed over',
      registers,
    }),
    fileBytes: new Gauge({
      name: 'chat_files_bytes',
      help: 'Bytes of the files that all chats hold, by the side that sent them',
      labelNames: ['party'] as const,
      registers,
    }),
    fileRoom: new Gauge({
      name: 'chat_files_room_used_ratio',
      help: 'How full the room for files of chats is that a side may fill: at 1 no more of its files are taken',
      labelNames: ['party'] as const,
      registers,
    }),
    log: createConsumerGauges(registers),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** The sources of metrics; `redis` has to fail fast. */
type Measured = { sql: Sql; redis: RedisClient; queues: readonly Queue[] }

const measureFiles = async ({ fileBytes, fileRoom }: Metrics, { sql }: Measured) => {
  // without Postgres nothing is shown, rather than old values
  const held = await withDeadline(readHeldFiles(sql), { deadlineMs: FILES_TIMEOUT_MS }).catch(() => [])
  for (const gauge of [fileBytes, fileRoom]) gauge.reset()
  for (const { party, bytes, share } of held) {
    fileBytes.set({ party }, bytes)
    fileRoom.set({ party }, share)
  }
}

/**
 * The metrics in Prometheus's text format: those of this process, and those of the queues, views and files, which are
 * the same on all workers.
 */
export const metricsText = async (metrics: Metrics, measured: Measured): Promise<string> => {
  const [ofQueues] = await Promise.all([
    measureQueues(measured.queues, measured.redis),
    measureConsumers(measured.sql, metrics.log, CONSUMERS),
    measureFiles(metrics, measured),
  ])
  metrics.oldest.reset()
  for (const { ageS, ...labels } of ofQueues.oldest) metrics.oldest.set(labels, ageS)
  return `${await metrics.registry.metrics()}${ofQueues.text}`
}
