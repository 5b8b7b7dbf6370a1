import { Redis } from 'ioredis'
import { openWaker, openWorkQueue } from '../../events/consumers/wake-ups.ts'
import { openAppender } from '../../events/log/append.ts'
import { readHead } from '../../events/log/read.ts'
import { connect } from '../../events/stores/connection.ts'
import { redisPrefix } from '../../events/stores/redis/prefix.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { startTestWorker } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'

/** Workers as processes on a log of their own, with a Redis that can be taken from them. */
export type TestWorkers = Awaited<ReturnType<typeof openTestWorkers>>

/** Opens the log, and the tests' tools to inspect it. No worker runs yet. */
export const openTestWorkers = async () => {
  const database = await createTestDatabase()
  const redisUrl = await testRedisUrl()
  const redis = await openFaultProxy(redisUrl)
  const direct = new Redis(redisUrl)
  const sql = connect(database.url, { max: 4, name: 'test', keys: TEST_KEYS })
  const queue = openWorkQueue(direct, { prefix: redisPrefix((await readHead(sql)).epoch), onError: () => {} })
  const waker = openWaker(queue)
  const log = openAppender(database.url, { keys: TEST_KEYS, onCommit: (types) => waker.wake(types) })
  const stores = { databaseUrl: database.url, redisUrl: redis.url }
  const running = new Set<TestProcess>()

  return {
    database,
    stores,
    /** The way to Redis that workers take. */
    redis,
    /** Redis itself, whatever has happened to the proxy. */
    direct,
    sql,
    queue,
    log,
    running,
    /** Starts some workers; `env` adds to their environment. Returns the first of them. */
    start: async (count = 1, env: Record<string, string> = {}): Promise<TestProcess> => {
      const started = await Promise.all(Array.from({ length: count }, () => startTestWorker(stores, env)))
      for (const worker of started) running.add(worker)
      const [first] = started
      if (!first) throw new Error('No worker was asked for')
      return first
    },
    /** Kills one that runs. */
    kill: async () => {
      const [worker] = running
      if (!worker) return
      running.delete(worker)
      worker.kill('SIGKILL')
      await worker.ended
    },
    /** Stops one that runs, as a deploy does. */
    stop: async (worker: TestProcess) => {
      running.delete(worker)
      await worker.stop()
    },
    /** Kills Redis and starts it again, empty; `meanwhile` runs while it is away. */
    loseRedis: async (meanwhile: () => Promise<unknown> = async () => {}) => {
      await redis.refuse()
      await direct.flushdb()
      await meanwhile()
      await redis.resume()
    },
    /** Stops all workers, and empties Redis, after each test. */
    reset: async () => {
      await redis.resume()
      await Promise.all([...running].map((worker) => worker.stop()))
      running.clear()
      await direct.flushdb()
    },
    close: async () => {
      await log.close()
      await queue.close()
      await Promise.all([redis.close(), sql.end()])
      direct.disconnect()
      await database.drop()
    },
  }
}
