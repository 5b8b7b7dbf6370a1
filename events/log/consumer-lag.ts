import type { ConsumerKey } from './checkpoints.ts'
import { type Queryable, readHead } from './read.ts'

/**
 * A consumer counts as behind once an event has waited for it this long without progress. Delays that heal by
 * themselves are over by then: a worker that is replaced (10 s to end, some seconds to start), a step that ran into the
 * 30 s of a statement and is done again.
 */
export const BEHIND_AFTER_MS = 60_000

/** How far a consumer of the log has come. */
export type Consumer = ConsumerKey & {
  /** Whether this version counts: a deploy may leave older and newer ones. */
  isCurrent: boolean
  /** False while a worker fills the tables of a view for the first time. */
  isFilled: boolean
  position: number
  /** How many events it has not taken in yet. */
  lag: number
  /**
   * The time since which it could have taken in its next event and has not, and how long ago that is by Postgres's
   * clock.
   */
  waitingSince: Date | null
  waitingMs: number
  /** The reason for a halt, if it is halted and no other worker has advanced it. */
  haltReason: string | null
  /** False after a restored backup. */
  isSameLog: boolean
}

type Row = Pick<Consumer, 'name' | 'version' | 'isFilled' | 'position' | 'waitingSince' | 'waitingMs'> & {
  epoch: string
  haltNote: string | null
}

/** Returns whether a version counts: the wanted one, or the newest if none is wanted. */
const currentOf = (wanted: readonly ConsumerKey[], rows: readonly ConsumerKey[]) => {
  const versions = new Map<string, number>()
  for (const { name, version } of rows) versions.set(name, Math.max(version, versions.get(name) ?? 0))
  for (const { name, version } of wanted) versions.set(name, version)
  return ({ name, version }: ConsumerKey) => versions.get(name) === version
}

/**
 * Returns the log's head and every consumer of the log: two look-ups by index per consumer. `wanted` are the consumers
 * in the versions that the calling code fills or reads; for other consumers the newest version is the current one.
 */
export const readConsumers = async (
  sql: Queryable,
  wanted: readonly ConsumerKey[] = [],
): Promise<{ head: number; consumers: Consumer[] }> => {
  const rows = await sql<Row[]>`
    select c.consumer as name, c.version, c.epoch, c.filled_at is not null as "isFilled", own.position,
      next.since as "waitingSince",
      coalesce(greatest(extract(epoch from now() - next.since) * 1000, 0), 0)::float8 as "waitingMs",
      case when c.halted_position = own.position then c.halt_reason end as "haltNote"
    from checkpoints c
    cross join lateral checkpoint_position(c.consumer, c.version) own
    left join lateral (
      select greatest(e.recorded_at, own.reached_at) as since
      from events e where e.position > own.position order by e.position limit 1
    ) next on true
    order by c.consumer, c.version`
  // read after the positions: the other way round a consumer could seem to be past the head
  const { epoch, position: head } = await readHead(sql)
  const isCurrent = currentOf(wanted, rows)
  const consumers = rows.map(({ epoch: own, haltNote, ...row }) => {
    const isAtRest = own === epoch && row.waitingSince === null && row.position <= head
    return {
      ...row,
      isCurrent: isCurrent(row),
      lag: row.waitingSince === null ? 0 : Math.max(head - row.position, 0),
      haltReason: isAtRest ? null : haltNote,
      isSameLog: own === epoch && row.position <= head,
    }
  })
  return { head, consumers }
}

/**
 * Whether a current consumer is behind and needs an operator; one that a worker is still filling is not, until that
 * fails.
 */
export const isBehind = ({ isCurrent, isFilled, isSameLog, waitingMs, haltReason }: Consumer): boolean =>
  isCurrent && (!isSameLog || waitingMs > BEHIND_AFTER_MS) && (isFilled || haltReason !== null)

/**
 * Notes a consumer's halt with its checkpoint. `reason` is for operators and holds nothing personal. Repeating the same
 * note writes nothing.
 */
export const noteHalt = async (sql: Queryable, { name, version }: ConsumerKey, reason: string): Promise<void> => {
  await sql`
    update checkpoints c set halted_position = own.position, halt_reason = ${reason}
    from checkpoint_position(${name}, ${version}) own
    where c.consumer = ${name} and c.version = ${version}
      and (c.halted_position, c.halt_reason) is distinct from (own.position, ${reason})`
}
