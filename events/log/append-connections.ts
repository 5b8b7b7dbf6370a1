import { connect, type Sql } from '../stores/connection.ts'
import { withDeadline } from '../stores/postgres/deadline.ts'

/** How long Postgres may take for one statement of an appender, in milliseconds. */
export const STATEMENT_DEADLINE_MS = 4_000

/**
 * The connections of an appender, each opened when it is first used. One stores. During that time one waits for the
 * disk for earlier batches, and one looks up keys. `onFlush` gets the duration of each flush that waited for no other.
 */
export const openAppendConnections = (databaseUrl: string, onFlush: (ms: number) => void) => {
  let storing: Sql | undefined
  let flushing: Sql | undefined
  let keys: Sql | undefined
  let flushes = 0
  const open = (name: string) => connect(databaseUrl, { max: 1, name })

  return {
    get storing(): Sql {
      storing ??= open('append')
      return storing
    },
    get keys(): Sql {
      keys ??= open('keys')
      return keys
    },
    /** Resolves once all that was stored before is on the disk. */
    flush: async (): Promise<void> => {
      flushing ??= open('flush')
      const began = performance.now()
      flushes += 1
      const waitsForNoOther = flushes === 1
      try {
        await withDeadline(flushing.durable.flush(), { deadlineMs: STATEMENT_DEADLINE_MS })
      } finally {
        flushes -= 1
      }
      if (waitsForNoOther) onFlush(performance.now() - began)
    },
    /** Drops the connections that store and flush: the next statement opens new ones. */
    drop: () => {
      for (const pool of [storing, flushing]) pool?.end({ timeout: 0 }).catch(() => {})
      storing = undefined
      flushing = undefined
    },
    end: async (): Promise<void> => {
      await Promise.all([storing, keys, flushing].map((pool) => pool?.end({ timeout: 1 })))
    },
  }
}

export type AppendConnections = ReturnType<typeof openAppendConnections>
