import type { LeadAlert } from '../../lead/email/alert.ts'
import type { Queryable } from '../../log/decode.ts'
import type { Sql } from '../../stores/connection.ts'
import type { AlertForm } from '../staff.ts'
import { isAdmitted, isUnendedSession } from './valid-session.ts'

/** The alerts of an account: leads by the ways that it has chosen, chats (`chat`) only on its devices. */
export type StaffAlert = LeadAlert | 'chat'

/**
 * A staff member who gets alerts of leads by email, or of leads and chats on their devices, or both: for each way, of
 * those that came from an instant on, undefined if they get none that way.
 */
export type AlertedStaff = {
  id: string
  email: string | null
  emailedSince: Date | undefined
  pushedSince: Date | undefined
  alerts: StaffAlert[]
}

type Row = {
  id: string
  email: string | null
  since: Date | null
  devicesSince: Date | null
  onNew: boolean
  onLate: boolean
  onChats: boolean
}

const later = (one: Date, other: Date | null) => (other && other > one ? other : one)

/**
 * All staff who get alerts of leads or chats; by email only if `canEmail`. Only owners get those of leads without a
 * reply.
 */
export const listAlertedStaff = async (sql: Sql, { canEmail }: { canEmail: boolean }): Promise<AlertedStaff[]> => {
  const rows = await sql<Row[]>`
    select id, alert_email as email, alerts_since as since, devices_since as "devicesSince", alerts_new as "onNew",
      alerts_late and role = 'owner' as "onLate", alerts_chats as "onChats"
    from staff
    left join lateral (
      select min(s.created_at) as devices_since from push_subscriptions s
      join staff_sessions on staff_sessions.id = s.session_id
      where s.staff_id = staff.id and ${isUnendedSession(sql)} and ${isAdmitted(sql)}
    ) devices on true
    where removed_at is null order by id`
  const people = rows.map(({ id, email, since, devicesSince, onNew, onLate, onChats }) => ({
    id,
    email,
    emailedSince: canEmail && email !== null && since ? since : undefined,
    pushedSince: devicesSince ? later(devicesSince, since) : undefined,
    alerts: [
      ...(onNew ? (['new'] as const) : []),
      ...(onLate ? (['late'] as const) : []),
      ...(onChats ? (['chat'] as const) : []),
    ],
  }))
  return people.filter(({ emailedSince, pushedSince }) => emailedSince ?? pushedSince)
}

/** The alerts of an account, and where they go. */
export const readAlertSettings = async (sql: Queryable, id: string): Promise<AlertForm> => {
  const [row] = await sql<AlertForm[]>`
    select alert_email as email, alerts_new as "onNew", alerts_late as "onLate", alerts_chats as "onChats"
    from staff where id = ${id}`
  return row ?? { email: null, onNew: true, onLate: true, onChats: true }
}

/** Stores the alerts of an account. A newly chosen alert covers leads from now on. */
export const saveAlertSettings = async (
  sql: Queryable,
  id: string,
  { email, onNew, onLate, onChats }: AlertForm,
): Promise<void> => {
  await sql`
    update staff set alert_email = ${email}, alerts_new = ${onNew}, alerts_late = ${onLate}, alerts_chats = ${onChats},
      alerts_since = case
        when (alert_email is null and ${email}::text is not null) or (${onNew} and not alerts_new) or (${onLate} and not alerts_late) then now()
        else alerts_since
      end
    where id = ${id} and removed_at is null`
}

/** The owners who get emails, and their addresses. */
export const ownersToEmail = (sql: Queryable): Promise<{ id: string; email: string }[]> => sql`
  select id, alert_email as email from staff
  where removed_at is null and role = 'owner' and alert_email is not null order by id`

/** Whether an account still exists and gets emails, as an owner if they are for owners only. */
export const isAlerted = async (sql: Sql, id: string, { isForOwners }: { isForOwners: boolean }): Promise<boolean> => {
  const [row] = await sql`
    select 1 from staff
    where id = ${id} and removed_at is null and alert_email is not null and (role = 'owner' or not ${isForOwners})`
  return row !== undefined
}
