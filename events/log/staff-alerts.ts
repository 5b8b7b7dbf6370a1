import type { LeadAlert } from '../lead-alert.ts'
import type { AlertChoice } from '../staff.ts'
import type { Sql } from './connection.ts'

/** Somebody who gets emails about leads, from the ones that came at `since` on. */
export type AlertedStaff = { id: string; email: string; since: Date; alerts: LeadAlert[] }

/** Everybody who gets emails about leads. Of leads without an answer owners are told alone. */
export const listAlertedStaff = async (sql: Sql): Promise<AlertedStaff[]> => {
  const rows = await sql<{ id: string; email: string; since: Date; onNew: boolean; onLate: boolean }[]>`
    select id, alert_email as email, alerts_since as since, alerts_new as "onNew",
      alerts_late and role = 'owner' as "onLate"
    from staff where removed_at is null and alert_email is not null and alerts_since is not null order by id`
  return rows.map(({ onNew, onLate, ...person }) => ({
    ...person,
    alerts: [...(onNew ? (['new'] as const) : []), ...(onLate ? (['late'] as const) : [])],
  }))
}

/** Which emails about leads an account gets, and where. */
export const readAlertSettings = async (sql: Sql, id: string): Promise<AlertChoice> => {
  const [row] = await sql<AlertChoice[]>`
    select alert_email as email, alerts_new as "onNew", alerts_late as "onLate" from staff where id = ${id}`
  return row ?? { email: null, onNew: true, onLate: true }
}

/** Keeps which emails about leads an account gets. Where it got none before, it gets those about leads from now on. */
export const saveAlertSettings = async (sql: Sql, id: string, { email, onNew, onLate }: AlertChoice): Promise<void> => {
  await sql`
    update staff set alert_email = ${email}, alerts_new = ${onNew}, alerts_late = ${onLate},
      alerts_since = case
        when ${email}::text is null then null
        when alert_email is null or (${onNew} and not alerts_new) or (${onLate} and not alerts_late) then now()
        else alerts_since
      end
    where id = ${id} and removed_at is null`
}

/** Whether an account is still there and gets emails about leads. */
export const isAlerted = async (sql: Sql, id: string): Promise<boolean> => {
  const [row] = await sql`select 1 from staff where id = ${id} and removed_at is null and alert_email is not null`
  return row !== undefined
}
