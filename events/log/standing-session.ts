import type { Sql } from './connection.ts'

/** Whether a session has ended by its time, or since nobody used it for a day, in SQL over `staff_sessions`. */
export const isOverSession = (sql: Sql) => sql`(
  staff_sessions.expires_at <= now() or staff_sessions.last_seen_at <= now() - interval '24 hours')`

/**
 * Whether a session goes on, and has proved the second factor of its account where that has one, in SQL over
 * `staff_sessions` and `staff`.
 */
export const isStandingSession = (sql: Sql) => sql`(
  not ${isOverSession(sql)} and (staff.totp_event is null or staff.totp_event = staff_sessions.totp_event))`

/** Whether an account has the second factor that owners may require, in SQL over `staff`. */
export const isAdmitted = (sql: Sql) => sql`
  (staff.totp_event is not null or not exists (select from sign_in_rules where requires_two_factor))`
