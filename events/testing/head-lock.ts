import type { Sql } from '../stores/connection.ts'

/** That of append_events. */
const HEAD_LOCK = 7_283_109

/**
 * For tests: takes the lock under which the log is appended to, so that every append waits in Postgres, and returns a
 * function that releases it; it may be called more than once.
 */
export const holdHead = async (sql: Sql): Promise<() => Promise<void>> => {
  const tx = await sql.reserve()
  await tx`begin`
  await tx`select pg_advisory_xact_lock(${HEAD_LOCK})`
  let isHeld = true
  return async () => {
    if (!isHeld) return
    isHeld = false
    await tx`rollback`
    tx.release()
  }
}

/** For tests: how many appends wait for the head's lock, those of dead writers too. */
export const countWaitingAppends = async (sql: Sql): Promise<number> => {
  const waiting = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'append' and wait_event_type = 'Lock'`
  return waiting.length
}
