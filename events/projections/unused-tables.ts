import { randomBytes } from 'node:crypto'
import { errorCode } from '../base/error-code.ts'
import { type ConsumerKey, lockCheckpoint, removeCheckpoint } from '../log/checkpoints.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'
import { schemaOf, tryRebuildLock } from './projection.ts'

/** A version of a view that another version has left behind is removed after an event has waited for it this long. */
const SUPERSEDED_AFTER_HOURS = 12

/** How long the removal of tables waits at a time: well under Postgres's `deadlock_timeout` of 1 s. */
const REMOVAL_LOCK_TIMEOUT_MS = 200

/** Tables that a rebuild has replaced, or left unfinished. */
const UNUSED_TABLE = /_(next|old)_[0-9a-f]+$/

/** Postgres's codes for a lock that was not given in time, and for a deadlock. */
const isLockFailure = (error: unknown) => ['55P03', '40P01'].includes(errorCode(error))

/**
 * Removes the tables that rebuilds have replaced, and those of rebuilds that broke off, of one view (`schema`) or of
 * all, except those of a running rebuild. Tables that are being read (by a backup, maybe for hours) stay until the next
 * call: a backup may hold one of them and be about to take the next, in an order of its own, which must not end in a
 * deadlock.
 */
export const removeUnusedTables = async (sql: Sql, schema?: string): Promise<void> => {
  const rows = await sql<{ name: string }[]>`select nspname as name from pg_namespace where nspname like 'view\\_%'`
  const unused = rows.flatMap(({ name }) =>
    UNUSED_TABLE.test(name) ? [{ name, live: name.replace(UNUSED_TABLE, '') }] : [],
  )
  for (const { name, live } of unused) {
    if (schema !== undefined && live !== schema) continue
    try {
      await inTransaction(sql, async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${REMOVAL_LOCK_TIMEOUT_MS}`)
        if (await tryRebuildLock(tx, live)) await tx.unsafe(`drop schema if exists ${name} cascade`)
      })
    } catch (error) {
      if (!isLockFailure(error)) throw error
    }
  }
}

/**
 * Versions that no worker runs any longer: an event has waited for them for 12 hours, and another version of the same
 * consumer has processed that event. When it did so does not count: on a quiet site there may have been no event since.
 * But that version must not have left an event waiting for as long: then all workers may have been away. A deploy
 * leaves an older version behind, a rollback a newer one, which holds personal data too.
 */
const findSuperseded = (sql: Sql) => sql<ConsumerKey[]>`
  select c.consumer as name, c.version
  from checkpoints c
  cross join lateral checkpoint_position(c.consumer, c.version) own
  cross join lateral (
    select e.position, e.recorded_at from events e where e.position > own.position order by e.position limit 1
  ) next
  where greatest(next.recorded_at, own.reached_at) < now() - ${SUPERSEDED_AFTER_HOURS} * interval '1 hour'
    and exists (
      select from checkpoints o cross join lateral checkpoint_position(o.consumer, o.version) other
      where o.consumer = c.consumer and o.version <> c.version and o.filled_at is not null
        and other.position >= next.position
        and other.reached_at >= next.recorded_at
        and not exists (
          select from (
            select recorded_at from events e where e.position > other.position order by e.position limit 1
          ) waiting
          where waiting.recorded_at < now() - ${SUPERSEDED_AFTER_HOURS} * interval '1 hour'
        )
    )`

/**
 * Removes the checkpoints of versions that no worker runs any longer, and leaves their tables to `removeUnusedTables`. If
 * a worker of that version returns, it fills its view again. Returns the removed versions.
 */
export const retireSuperseded = async (sql: Sql): Promise<ConsumerKey[]> => {
  const retired: ConsumerKey[] = []
  for (const key of await findSuperseded(sql)) {
    const schema = schemaOf(key)
    const isDone = await inTransaction(sql, async (tx) => {
      if (!(await tryRebuildLock(tx, schema)) || !(await lockCheckpoint(tx, key))) return false
      await removeCheckpoint(tx, key)
      const [existing] = await tx`select from pg_namespace where nspname = ${schema}`
      if (existing) await tx.unsafe(`alter schema ${schema} rename to ${schema}_old_${randomBytes(4).toString('hex')}`)
      return true
    })
    if (isDone) retired.push(key)
  }
  return retired
}
