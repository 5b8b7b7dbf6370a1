import type { Sql } from '../events/log/connection.ts'
import type { StaffRole } from '../events/staff.ts'
import { hashPassword } from './password.ts'

/** An account of somebody who works for the agency. */
export type StaffAccount = { id: string; username: string; displayName: string; passwordHash: string }

/** The account of a username, however it is capitalised. */
export const findStaff = async (sql: Sql, username: string): Promise<StaffAccount | undefined> => {
  const [account] = await sql<StaffAccount[]>`
    select id, username, display_name as "displayName", password_hash as "passwordHash"
    from staff where lower(username) = lower(${username})`
  return account
}

/** Makes an account; answers false where the name is taken. */
export const addStaff = async (sql: Sql, username: string, password: string, role: StaffRole): Promise<boolean> => {
  const passwordHash = await hashPassword(password)
  const made = await sql`
    insert into staff (username, display_name, password_hash, role)
    values (${username}, ${username}, ${passwordHash}, ${role})
    on conflict do nothing returning id`
  return made.length > 0
}

/** Gives an account another password and ends its sessions; answers false where there is no such account. */
export const changePassword = async (sql: Sql, username: string, password: string): Promise<boolean> => {
  const passwordHash = await hashPassword(password)
  const changed = await sql`
    with changed as (
      update staff set password_hash = ${passwordHash} where lower(username) = lower(${username}) returning id
    ), ended as (
      delete from staff_sessions where staff_id in (select id from changed)
    )
    select id from changed`
  return changed.length > 0
}

/** Removes an account and its sessions; answers false where there is no such account. */
export const removeStaff = async (sql: Sql, username: string): Promise<boolean> => {
  const removed = await sql`delete from staff where lower(username) = lower(${username}) returning id`
  return removed.length > 0
}

/** All accounts, by name. */
export const listStaff = (sql: Sql) =>
  sql<{ username: string; createdAt: Date }[]>`
    select username, created_at as "createdAt" from staff order by lower(username)`

/**
 * Makes the first account where there is none; another node may do the same at once. Answers whether it was made here.
 */
export const addFirstStaff = async (
  sql: Sql,
  { username, password }: { username: string; password: string | undefined },
): Promise<boolean> => {
  const [existing] = await sql`select 1 from staff limit 1`
  return !existing && password !== undefined && (await addStaff(sql, username, password, 'owner'))
}
