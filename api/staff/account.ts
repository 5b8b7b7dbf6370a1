import { clearAccounts } from '../../events/erasure/removed-accounts.ts'
import {
  staffAccountAdded,
  staffAccountRemoved,
  staffPasswordChanged,
  staffRoleChanged,
} from '../../events/staff/account-history.ts'
import type { Account, LeavingOwner, Profile, StaffRole } from '../../events/staff/staff.ts'
import { inTransaction, type Sql, type Transaction } from '../../events/stores/connection.ts'
import type { AcceptedPassword } from './accepted-password.ts'
import { settlePrograms } from './owned-programs.ts'
import { holdOwners } from './owners.ts'
import { hashPassword } from './password.ts'
import { changeProfile } from './profile.ts'
import type { Trail } from './trail.ts'

/** The account of a staff member, with its credentials. */
export type StaffAccount = Omit<Account, 'createdAt' | 'hasTwoFactor'> & {
  passwordHash: string
  /** The event that turned two-factor sign-in on; null if it is off. */
  totpEvent: string | null
}

/** Without this owner no one could manage accounts. */
export class LastOwnerError extends Error {
  override name = 'LastOwnerError'

  constructor() {
    super('This is the last admin: make another account an admin first')
  }
}

/** The account of a username, in any capitalisation. */
export const findStaff = async (sql: Sql, username: string): Promise<StaffAccount | undefined> => {
  const [account] = await sql<StaffAccount[]>`
    select id, username, display_name as "displayName", role, password_hash as "passwordHash",
      totp_event as "totpEvent"
    from staff where lower(username) = lower(${username}) and removed_at is null`
  return account
}

/** All accounts, by name. */
export const listAccounts = async (sql: Sql): Promise<Account[]> => {
  const rows = await sql<(Omit<Account, 'createdAt'> & { createdAt: Date })[]>`
    select id, username, display_name as "displayName", role, created_at as "createdAt",
      totp_event is not null as "hasTwoFactor"
    from staff where removed_at is null order by lower(display_name), lower(username)`
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

type NewAccount = { username: string; displayName: string; password: AcceptedPassword; role: StaffRole }

const insertStaff = async (
  sql: Sql | Transaction,
  { username, displayName, passwordHash, role }: Omit<NewAccount, 'password'> & { passwordHash: string },
) => {
  const [made] = await sql<{ id: string }[]>`
    insert into staff (username, display_name, password_hash, role)
    values (${username}, ${displayName}, ${passwordHash}, ${role})
    on conflict do nothing returning id`
  return made?.id
}

/** Creates an account and returns its id; undefined if the username is taken. */
export const addStaff = async (
  sql: Sql,
  { password, ...account }: NewAccount,
  { by, from, note }: Trail,
): Promise<string | undefined> => {
  const passwordHash = await hashPassword(password)
  return await inTransaction(sql, async (tx) => {
    await holdOwners(tx, by)
    const id = await insertStaff(tx, { ...account, passwordHash })
    if (id !== undefined) await note(staffAccountAdded({ accountId: id, role: account.role, by, from }))
    return id
  })
}

/**
 * Makes the first account if there is none; another node may do the same at once. Returns whether it was made here. It
 * is the only account without an event in the log: there was no account to make it.
 */
export const addFirstStaff = async (
  sql: Sql,
  { username, password }: { username: string; password: AcceptedPassword | undefined },
): Promise<boolean> => {
  const [existing] = await sql`select 1 from staff limit 1`
  if (existing || password === undefined) return false
  const passwordHash = await hashPassword(password)
  return (await insertStaff(sql, { username, displayName: username, passwordHash, role: 'owner' })) !== undefined
}

const assertOwnerRemains = (owners: readonly string[], leavingId: string) => {
  if (owners.length === 1 && owners[0] === leavingId) throw new LastOwnerError()
}

/** Ends the sessions of an account, except one if it is given. */
export const endSessions = (tx: Transaction, staffId: string, exceptHash: Buffer | null) =>
  tx`delete from staff_sessions where staff_id = ${staffId} and (${exceptHash}::bytea is null or token_hash <> ${exceptHash})`

/** The default for the tokens and webhooks of an owner who is removed or demoted. */
const ENDED: LeavingOwner = { tokens: 'revoke', webhooks: 'pause' }

type Changes = Pick<Profile, 'displayName'> & {
  role?: StaffRole
  password?: AcceptedPassword
  leaving?: LeavingOwner
}

/**
 * Changes an account; returns false if there is none. A new password ends its sessions. A change to the role of agent
 * does too, and ends its tokens and webhooks.
 *
 * @throws LastOwnerError if no owner would be left
 */
export const changeAccount = async (
  sql: Sql,
  id: string,
  { displayName, role, password, leaving }: Changes,
  { by, from, note }: Trail,
): Promise<boolean> => {
  const passwordHash = password === undefined ? null : await hashPassword(password)
  return await inTransaction(sql, async (tx) => {
    const owners = await holdOwners(tx, by)
    if (role === 'agent') assertOwnerRemains(owners, id)
    const [before] = await tx<{ role: StaffRole }[]>`
      select role from staff where id = ${id} and removed_at is null for update`
    if (!before) return false
    if (displayName !== undefined) await changeProfile(tx, id, { displayName }, { by, from, note })
    await tx`
      update staff set
        role = coalesce(${role ?? null}, role),
        password_hash = coalesce(${passwordHash}, password_hash)
      where id = ${id}`
    const isDemoted = role === 'agent' && before.role === 'owner'
    if (isDemoted || passwordHash !== null) await endSessions(tx, id, null)
    if (isDemoted) await settlePrograms(tx, id, leaving ?? ENDED, { by, from, note })
    if (role !== undefined && role !== before.role) await note(staffRoleChanged({ accountId: id, role, by, from }))
    if (passwordHash !== null) await note(staffPasswordChanged({ accountId: id, by, from }))
    return true
  })
}

/**
 * Replaces a password that was entered correctly, or forgotten (`byLink`), and ends the account's sessions except
 * `exceptHash`. Returns false if it has been replaced since then.
 */
export const replacePassword = async (
  sql: Sql,
  { id, passwordHash }: Pick<StaffAccount, 'id' | 'passwordHash'>,
  password: AcceptedPassword,
  { trail: { by, from, note }, exceptHash, byLink }: { trail: Trail; exceptHash: Buffer | null; byLink?: true },
): Promise<boolean> => {
  const nextHash = await hashPassword(password)
  return await inTransaction(sql, async (tx) => {
    const changed = await tx`
      update staff set password_hash = ${nextHash} where id = ${id} and password_hash = ${passwordHash} returning id`
    if (changed.length === 0) return false
    await endSessions(tx, id, exceptHash)
    await note(staffPasswordChanged({ accountId: id, by, from, ...(byLink && { byLink }) }))
    return true
  })
}

/**
 * Removes an account with everything that belongs to it; its name stays on its earlier actions. Returns false if there
 * is none.
 *
 * @throws LastOwnerError for the last owner
 */
export const removeAccount = (
  sql: Sql,
  id: string,
  { by, from, note }: Trail,
  leaving: LeavingOwner = ENDED,
): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    assertOwnerRemains(await holdOwners(tx, by), id)
    const [account] = await tx`select 1 from staff where id = ${id} and removed_at is null for update`
    if (!account) return false
    await clearAccounts(tx, [id])
    await settlePrograms(tx, id, leaving, { by, from, note })
    await note(staffAccountRemoved({ accountId: id, by, from }))
    return true
  })
