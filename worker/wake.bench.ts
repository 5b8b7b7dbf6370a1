import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { openJobWakeUps } from '../events/local/bench/job-wake-ups.ts'
import { figureOf, printTable, quantile } from '../events/local/figures.ts'
import { openBus } from '../events/stores/redis/bus.ts'

/**
 * How long a wake-up takes to arrive, 100 a second: published over Redis, as consumers of the log get it, and as a
 * BullMQ job.
 *
 * Measured on a noisy machine with two cores: p99 0.9 ms by Redis pub/sub, 1.7 ms as a BullMQ job.
 */

const SAMPLES = 1_000
const PAUSE_MS = 10

const redisUrl = process.env.REDIS_URL ?? ''
const onError = (error: Error) => {
  throw error
}

const byBus = async () => {
  const bus = openBus(redisUrl, { prefix: 'bench:', onError })
  while (!bus.isUp) await delay(PAUSE_MS)
  const sent = new Map<string, number>()
  const lags: number[] = []
  await bus.subscribe('wake', (sample) => lags.push(performance.now() - (sent.get(sample) ?? Number.NaN)))
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    sent.set(String(sample), performance.now())
    await bus.publish('wake', String(sample))
    await delay(PAUSE_MS)
  }
  while (lags.length < SAMPLES) await delay(PAUSE_MS)
  bus.close()
  return lags
}

const byJob = async () => {
  const wakeUps = await openJobWakeUps(redisUrl)
  const lags: Promise<number>[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    lags.push(wakeUps.wake())
    await delay(PAUSE_MS)
  }
  return await Promise.all(lags).finally(wakeUps.close)
}

const row = (name: string, lags: number[]) => [
  name,
  ...[0.5, 0.95, 0.99].map((share) => figureOf(quantile(lags, share))),
]
printTable(['wake-up, ms', 'p50', 'p95', 'p99'], [row('published', await byBus()), row('BullMQ job', await byJob())])
