import type { Sql } from '../../stores/connection.ts'

/**
 * Whether a session has not expired, and has proved the second factor of its account if that has one, in SQL over
 * `staff_sessions` and `staff`. Until then its devices get notifications.
 */
export const isUnendedSession = (sql: Sql) => sql`(
  staff_sessions.expires_at > now() and (staff.totp_event is null or staff.totp_event = staff_sessions.totp_event))`

/** Whether a session signs its account in, which it does until it is left unused for a day. */
export const isValidSession = (sql: Sql) => sql`(
  ${isUnendedSession(sql)} and staff_sessions.last_seen_at > now() - interval '24 hours')`

/** Whether an account has the second factor if owners require it, in SQL over `staff`. */
export const isAdmitted = (sql: Sql) => sql`
  (staff.totp_event is not null or not exists (select from sign_in_rules where requires_two_factor))`
