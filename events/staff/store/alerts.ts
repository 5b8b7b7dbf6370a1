import type { Queryable } from '../../log/decode.ts'
import type { Sql } from '../../stores/connection.ts'
import { ALERTS, type Alert, type AlertForm, isForOwners, type StaffRole } from '../staff.ts'
import { isAdmitted, isUnendedSession } from './valid-session.ts'

/**
 * A staff member who gets alerts of leads by email, or of leads and chats on their devices, or both: for each way, of
 * those that came from an instant on, undefined if they get none that way.
 */
export type AlertedStaff = {
  id: string
  email: string | null
  emailedSince: Date | undefined
  pushedSince: Date | undefined
  alerts: Alert[]
}

type Row = {
  id: string
  email: string | null
  since: Date | null
  devicesSince: Date | null
  alerts: Alert[]
  role: StaffRole
}

const later = (one: Date, other: Date | null) => (other && other > one ? other : one)

/**
 * All staff who get alerts of leads or chats; by email only if `canEmail`. Only owners get those of leads without a
 * reply.
 */
export const listAlertedStaff = async (sql: Sql, { canEmail }: { canEmail: boolean }): Promise<AlertedStaff[]> => {
  const rows = await sql<Row[]>`
    select id, alert_email as email, alerts_since as since, devices_since as "devicesSince", alerts, role
    from staff
    left join lateral (
      select min(s.created_at) as devices_since from push_subscriptions s
      join staff_sessions on staff_sessions.id = s.session_id
      where s.staff_id = staff.id and ${isUnendedSession(sql)} and ${isAdmitted(sql)}
    ) devices on true
    where removed_at is null order by id`
  const people = rows.map(({ id, email, since, devicesSince, alerts, role }) => ({
    id,
    email,
    emailedSince: canEmail && email !== null && since ? since : undefined,
    pushedSince: devicesSince ? later(devicesSince, since) : undefined,
    alerts: alerts.filter((alert) => role === 'owner' || !isForOwners(alert)),
  }))
  return people.filter(({ emailedSince, pushedSince }) => emailedSince ?? pushedSince)
}

/** The alerts of an account, and the address of its emails. */
export const readAlertSettings = async (sql: Queryable, id: string): Promise<AlertForm> => {
  const [row] = await sql<AlertForm[]>`select alert_email as email, alerts from staff where id = ${id}`
  return row ?? { email: null, alerts: [...ALERTS] }
}

/** Stores the alerts of an account. A newly chosen alert covers leads from now on. */
export const saveAlertSettings = async (sql: Queryable, id: string, { email, alerts }: AlertForm): Promise<void> => {
  const ofLeads = alerts.filter((alert) => /^(new|late)-/.test(alert))
  await sql`
    update staff set alert_email = ${email}, alerts = ${alerts}, alerts_since = case
      when (alert_email is null and ${email}::text is not null) or not ${ofLeads}::text[] <@ alerts then now()
      else alerts_since
    end
    where id = ${id} and removed_at is null`
}

/** The owners who get emails about paused webhooks, and their addresses. */
export const ownersToEmail = (sql: Queryable): Promise<{ id: string; email: string }[]> => sql`
  select id, alert_email as email from staff
  where removed_at is null and role = 'owner' and alert_email is not null and 'webhook-email' = any(alerts) order by id`

/** Whether an account still exists and gets emails of an alert. */
export const isEmailed = async (sql: Sql, id: string, alert: Extract<Alert, `${string}-email`>): Promise<boolean> => {
  const [row] = await sql`
    select 1 from staff
    where id = ${id} and removed_at is null and alert_email is not null and ${alert} = any(alerts)
      and (role = 'owner' or not ${isForOwners(alert)})`
  return row !== undefined
}
