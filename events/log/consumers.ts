import type { Queryable } from './read.ts'

/**
 * A consumer stands still once an event has waited for it so long without its moving on. All that heals by itself is
 * over by then: a worker that is replaced (10 s to end, some seconds to start), a step that ran into the 30 s of a
 * statement and is done again.
 */
export const STANDSTILL_MS = 60_000

/** How far a consumer of the log has come. */
export type Consumer = {
  name: string
  version: number
  position: number
  /** How many events it has not taken in yet. */
  lag: number
  /** Since when it could have taken in the next of them and has not, and how long ago that is, by Postgres's clock. */
  waitingSince: Date | null
  waitingMs: number
  /** Why it halted, if it did and no other worker has gone on in its place. */
  haltReason: string | null
  /** False after a restored backup. */
  isOfThisLog: boolean
}

type Row = Omit<Consumer, 'name' | 'lag'> & { name: string | null; head: number }

/** Where the log's head is, and every consumer of the log beside it: one look-up by index for each. */
export const readConsumers = async (sql: Queryable): Promise<{ head: number; consumers: Consumer[] }> => {
  const rows = await sql<Row[]>`
    select h.last_position as head, c.consumer as name, c.version, c.position,
      c.epoch = h.epoch and c.position <= h.last_position as "isOfThisLog",
      next.since as "waitingSince",
      coalesce(greatest(extract(epoch from now() - next.since) * 1000, 0), 0)::float8 as "waitingMs",
      case when c.halted_position = c.position and (c.position <> h.last_position or c.epoch <> h.epoch)
        then c.halt_reason end as "haltReason"
    from log_head h
    left join checkpoints c on true
    left join lateral (
      select greatest(e.recorded_at, c.moved_at) as since
      from events e where e.position > c.position order by e.position limit 1
    ) next on true
    order by c.consumer`
  const consumers = rows.flatMap(({ head, name, ...row }) =>
    name === null ? [] : [{ name, lag: Math.max(head - row.position, 0), ...row }],
  )
  return { head: rows[0]?.head ?? 0, consumers }
}

/** Whether a consumer stands still: nothing of it will go on by itself. */
export const standsStill = ({ isOfThisLog, waitingMs }: Consumer): boolean => !isOfThisLog || waitingMs > STANDSTILL_MS

/** Notes beside its checkpoint that a consumer halted. `reason` is for operators, and holds nothing personal. */
export const noteHalt = async (sql: Queryable, name: string, reason: string): Promise<void> => {
  await sql`update checkpoints set halted_position = position, halt_reason = ${reason} where consumer = ${name}`
}
