import type { PushSubscription } from '../../process/push.ts'
import type { Sql } from '../../stores/connection.ts'
import { type Alert, isForOwners } from '../staff.ts'
import { isAdmitted, isUnendedSession } from './valid-session.ts'

/** A person has a few devices: with one more the oldest goes. */
const MAX_DEVICES = 10

type Row = { endpoint: string; p256dh: string; auth: string }

/**
 * Stores the push subscription of a device until the session that made it ends; one of another session, of any account,
 * becomes its own.
 */
export const savePushSubscription = async (
  sql: Sql,
  { id: staffId, tokenHash }: { id: string; tokenHash: Buffer },
  { endpoint, keys: { p256dh, auth } }: PushSubscription,
): Promise<void> => {
  await sql`
    insert into push_subscriptions as s (endpoint, staff_id, session_id, p256dh, auth)
    select ${endpoint}, staff_id, id, ${p256dh}, ${auth} from staff_sessions where token_hash = ${tokenHash} and staff_id = ${staffId}
    on conflict (endpoint) do update set
      staff_id = excluded.staff_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
      created_at = case when s.staff_id = excluded.staff_id then s.created_at else now() end`
  await sql`
    delete from push_subscriptions where endpoint in (
      select endpoint from push_subscriptions where staff_id = ${staffId} order by created_at desc offset ${MAX_DEVICES}
    )`
}

/** Removes a device of a staff member. */
export const endPushSubscription = async (sql: Sql, staffId: string, endpoint: string): Promise<void> => {
  await sql`delete from push_subscriptions where endpoint = ${endpoint} and staff_id = ${staffId}`
}

/** Removes a device that can no longer be reached, unless it has given other keys since. */
export const removeGoneSubscription = async (sql: Sql, { endpoint, keys }: PushSubscription): Promise<void> => {
  await sql`delete from push_subscriptions where endpoint = ${endpoint} and auth = ${keys.auth}`
}

/**
 * The devices of a staff member who still has an account, is signed in on them, and has chosen this alert, as an owner
 * if it is for owners only.
 */
export const devicesToNotify = async (
  sql: Sql,
  staffId: string,
  alert: Extract<Alert, `${string}-device`>,
): Promise<PushSubscription[]> => {
  const wants = sql`${alert} = any(alerts) and (role = 'owner' or not ${isForOwners(alert)})`
  const rows = await sql<Row[]>`
    select endpoint, p256dh, auth from push_subscriptions s
    join staff on staff.id = s.staff_id
    join staff_sessions on staff_sessions.id = s.session_id
    where s.staff_id = ${staffId} and removed_at is null and ${wants} and ${isUnendedSession(sql)} and ${isAdmitted(sql)}`
  return rows.map(({ endpoint, p256dh, auth }) => ({ endpoint, keys: { p256dh, auth } }))
}
