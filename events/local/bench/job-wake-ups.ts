import { Queue, Worker } from 'bullmq'
import { asConnection } from '../../stores/redis/queues.ts'
import { connectRedis } from '../../stores/redis/redis.ts'

/** Wake-ups by bare BullMQ jobs: a queue and its worker, and nothing else. */
export const openJobWakeUps = async (redisUrl: string) => {
  const producer = connectRedis(redisUrl)
  const consumer = connectRedis(redisUrl, { maxRetriesPerRequest: null })
  const options = { prefix: '{bench}' }
  const queue = new Queue<{ sample: number }>('wake', { connection: asConnection(producer), ...options })
  const waiting = new Map<number, () => void>()
  let samples = 0
  const receive = async ({ data }: { data: { sample: number } }) => waiting.get(data.sample)?.()
  const worker = new Worker<{ sample: number }>('wake', receive, { connection: asConnection(consumer), ...options })
  await worker.waitUntilReady()
  return {
    /** Adds a job; returns after how many milliseconds its worker had it. */
    wake: async (): Promise<number> => {
      const sample = samples++
      const sent = performance.now()
      const arrived = new Promise<number>((resolve) => {
        waiting.set(sample, () => resolve(performance.now() - sent))
      })
      await queue.add('wake', { sample }, { removeOnComplete: true })
      const took = await arrived
      waiting.delete(sample)
      return took
    },
    close: async (): Promise<void> => {
      await Promise.all([worker.close(), queue.close()])
      producer.disconnect()
      consumer.disconnect()
    },
  }
}
