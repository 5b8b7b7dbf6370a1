import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { redisPrefix } from '../stores/redis/prefix.ts'
import { asConnection, queuePrefix } from '../stores/redis/queues.ts'
import type { TestStores } from './node.ts'

/** Opens the product's queues of a database, to put jobs into them as workers would. */
export const openTestQueues = async ({ databaseUrl, redisUrl }: TestStores) => {
  const sql = postgres(databaseUrl, { max: 1 })
  const [log] = await sql<{ epoch: string }[]>`select epoch from log_epoch`
  await sql.end()
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null })
  const options = { connection: asConnection(redis), prefix: queuePrefix(redisPrefix(log?.epoch ?? '')) }
  const opened: { close: () => Promise<void> }[] = []

  const open = (name: string) => {
    const queue = new Queue(name, options)
    opened.push(queue)
    return queue
  }
  return {
    open,
    /** Adds a job that fails at once, and stays as failed. */
    fail: async (queue: Queue, name: string, data: object): Promise<string> => {
      const job = await queue.add(name, data)
      const failed = Promise.withResolvers<void>()
      const worker = new Worker(
        queue.name,
        async () => {
          throw new Error('it does not work')
        },
        options,
      )
      worker.on('failed', () => failed.resolve())
      await failed.promise
      await worker.close()
      return job.id ?? ''
    },
    close: async () => {
      await Promise.all(opened.map((each) => each.close()))
      redis.disconnect()
    },
  }
}
