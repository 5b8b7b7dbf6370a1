import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { figureOf, printTable, quantile } from '../events/local/figures.ts'
import { openBus } from '../events/log/bus.ts'
import { asConnection } from '../events/log/queues.ts'
import { connectRedis } from '../events/log/redis.ts'

/**
 * How long a wake-up takes to arrive, 100 a second: published over Redis, as consumers of the log get it, and as a
 * BullMQ job.
 */

const SAMPLES = 1_000
const PAUSE_MS = 10

const redisUrl = process.env.REDIS_URL ?? ''
const onError = (error: Error) => {
  throw error
}

const measure = async (send: (sample: string) => Promise<unknown>, sent: Map<string, number>, lags: number[]) => {
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    sent.set(String(sample), performance.now())
    await send(String(sample))
    await delay(PAUSE_MS)
  }
  while (lags.length < SAMPLES) await delay(PAUSE_MS)
  return lags
}

const byBus = async () => {
  const bus = openBus(redisUrl, { prefix: 'bench:', onError })
  while (!bus.isUp) await delay(PAUSE_MS)
  const sent = new Map<string, number>()
  const lags: number[] = []
  await bus.subscribe('wake', (sample) => lags.push(performance.now() - (sent.get(sample) ?? Number.NaN)))
  return await measure((sample) => bus.publish('wake', sample), sent, lags).finally(bus.close)
}

const byJob = async () => {
  const producer = connectRedis(redisUrl)
  const consumer = connectRedis(redisUrl, { maxRetriesPerRequest: null })
  const options = { prefix: '{bench}' }
  const sent = new Map<string, number>()
  const lags: number[] = []
  const queue = new Queue<{ sample: string }>('wake', { connection: asConnection(producer), ...options })
  const receive = async ({ data }: { data: { sample: string } }) => {
    lags.push(performance.now() - (sent.get(data.sample) ?? Number.NaN))
  }
  const worker = new Worker<{ sample: string }>('wake', receive, { connection: asConnection(consumer), ...options })
  await worker.waitUntilReady()
  await measure((sample) => queue.add('wake', { sample }, { removeOnComplete: true }), sent, lags)
  await Promise.all([worker.close(), queue.close()])
  producer.disconnect()
  consumer.disconnect()
  return lags
}

const row = (name: string, lags: number[]) => [
  name,
  ...[0.5, 0.95, 0.99].map((share) => figureOf(quantile(lags, share))),
]
printTable(['wake-up, ms', 'p50', 'p95', 'p99'], [row('published', await byBus()), row('BullMQ job', await byJob())])
