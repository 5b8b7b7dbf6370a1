import type { Database } from './pool.ts'

/**
 * Appends do not wait for the disk under the head's lock, so an event can be read a moment before it is on the disk. A
 * crash of Postgres at that moment removes it, and gives its position to another event. So nothing that was read of the
 * log leaves Postgres before it is durable: no response, no socket frame, no email, no message on the bus. Inside
 * Postgres nothing has to wait: a commit that depends on an event comes after it on the disk. See
 * events/decisions/02-group-commit.md.
 */
export type Durable = {
  /** Waits until all that was committed before is on the disk. Calls that come together share a flush. */
  flush: () => Promise<void>
  /** Waits until the log is on the disk up to a position that was read. */
  upTo: (position: number) => Promise<void>
  /** Notes that the log is on the disk up to a position. */
  reached: (position: number) => void
}

/**
 * Flushes by committing a message that nothing reads: Postgres writes to the disk in the order of commits. Returns the
 * position that is durable then: it was visible before that commit.
 */
const FLUSH = `select (select max(position) from events) as position, pg_logical_emit_message(true, 'agency', '')`

/** Waits for the disk on connections of `sql`; throws their errors. */
export const openDurable = (sql: Pick<Database, 'unsafe'>): Durable => {
  let durable = 0
  let underWay: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const reached = (position: number) => {
    durable = Math.max(durable, position)
  }

  const send = async () => {
    const [head] = await sql.unsafe<{ position: number | null }[]>(FLUSH)
    reached(head?.position ?? 0)
  }

  /** A flush that is under way may have begun before the commit: only one that begins later covers it. */
  const flush = () => {
    next ??= underWay
      .catch(() => {})
      .then(() => {
        underWay = next ?? underWay
        next = undefined
        return send()
      })
    return next
  }

  return {
    flush,
    upTo: async (position) => {
      if (position > durable) await flush()
    },
    reached,
  }
}
