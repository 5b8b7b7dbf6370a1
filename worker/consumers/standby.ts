import type { Sql } from '../../events/log/connection.ts'
import { readConsumers } from '../../events/log/consumers.ts'
import type { Reader } from './consumer.ts'

const LOOK_EVERY_MS = 1_000

/** An event that has waited for so long was not announced: its wake-up is lost, or its job is held by a dead worker. */
const UNANNOUNCED_MS = 3_000

/**
 * Stands behind the jobs: looks each second, in Postgres, which readers the log has something for, and has those read that
 * no job has woken, each second while Redis is away. So views go on without Redis, and a lost job costs seconds. It also
 * has each reader look whether it hangs.
 */
export const startStandby = (
  { sql, readers }: { sql: Sql; readers: readonly Reader[] },
  { isRedisUp }: { isRedisUp: () => boolean },
): { stop: () => Promise<void> } => {
  let isLooking = false
  let looking = Promise.resolve()
  const reads = new Set<Promise<void>>()

  const read = (reader: Reader) => {
    const reading = reader
      .read()
      .catch(() => {}) // it has told its failure itself
      .finally(() => reads.delete(reading))
    reads.add(reading)
  }

  /** Those that the log has something for; all of them where Postgres cannot tell, so that they tell why. */
  const readersBehind = async () => {
    const waits = isRedisUp() ? UNANNOUNCED_MS : 0
    const read = await readConsumers(sql).catch(() => undefined)
    if (!read) return readers
    return readers.filter(({ name, version }) => {
      const consumer = read.consumers.find((each) => each.name === name && each.version === version)
      return consumer && (consumer.waitingMs > waits || !consumer.isFilled || !consumer.isOfThisLog)
    })
  }

  const look = async () => {
    isLooking = true
    for (const reader of readers) reader.look()
    for (const reader of await readersBehind()) if (!reader.isBusy) read(reader)
    isLooking = false
  }

  const timer = setInterval(() => {
    if (!isLooking) looking = look()
  }, LOOK_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      await Promise.all(reads)
    },
  }
}
