import { createHash, randomUUID } from 'node:crypto'
import { generateSecret, verifySync } from 'otplib'
import { KeyError } from '../../events/keys/key-ring.ts'
import { readEvent } from '../../events/log/read.ts'
import {
  type From,
  staffRecoveryCodesMade,
  staffRecoveryCodeUsed,
  staffTwoFactorOff,
  staffTwoFactorOn,
} from '../../events/staff/account-history.ts'
import { inTransaction, type Sql, type Transaction } from '../../events/stores/connection.ts'
import { RequestError } from '../http/errors.ts'
import { endSessions } from './account.ts'
import { holdOwners } from './owners.ts'
import type { Trail } from './trail.ts'

/** A code of the step before, or of the next one, counts too: clocks differ (RFC 6238, 5.2). In seconds. */
const TOLERANCE_S = 30

/** The number of recovery codes, of 80 random bits each. */
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
const GROUP_CHARACTERS = 4

/** Thrown if two-factor sign-in was turned on or off in between. */
export class TwoFactorStateError extends Error {
  override name = 'TwoFactorStateError'
}

/** The error for a code whose secret cannot be read. */
export const secondFactorLost = () =>
  new RequestError(
    'second_factor_lost',
    'The codes of your authenticator app can no longer be checked here. Use a recovery code, or ask an admin to turn your two-factor sign-in off',
  )

/**
 * The secret in the event that turned two-factor sign-in on; undefined if its key was lost, or the log is from an older
 * backup than the accounts: only recovery codes count then.
 */
export const readSecret = async (sql: Sql, eventId: string): Promise<string | undefined> => {
  try {
    const event = await readEvent(sql, eventId)
    return event?.type === 'StaffTwoFactorOn' ? event.personal?.secret : undefined
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/** The time step of an authenticator app's code if it is right and later than the last one that counted. */
const stepOf = (secret: string, code: string, after: number): number | undefined => {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const result = verifySync({ secret, token, epochTolerance: TOLERANCE_S, afterTimeStep: after })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/** Ignores case, spaces and hyphens. */
const hashOf = (recoveryCode: string) =>
  createHash('sha256')
    .update(recoveryCode.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest()

const claimStep = async (tx: Transaction, id: string, secret: string, code: string) => {
  const [row] = await tx<{ step: number }[]>`select totp_step as step from staff where id = ${id} for update`
  const step = row && stepOf(secret, code, row.step)
  if (step === undefined) return false
  await tx`update staff set totp_step = ${step} where id = ${id}`
  return true
}

/**
 * Uses up a code of the app (if its secret is known) or a recovery code, in the transaction of the change. Returns
 * false if it does not count.
 */
export const claimCode = async (
  tx: Transaction,
  accountId: string,
  {
    code = '',
    secret,
    from,
    trail,
  }: { code: string | undefined; secret: string | undefined; from: From; trail: Trail },
): Promise<boolean> => {
  if (secret !== undefined && (await claimStep(tx, accountId, secret, code))) return true
  const used = await tx`
    delete from staff_recovery_codes where staff_id = ${accountId} and code_hash = ${hashOf(code)} returning 1`
  if (used.length === 0) return false
  const [row] = await tx<{ left: number }[]>`
    select count(*)::integer as left from staff_recovery_codes where staff_id = ${accountId}`
  await trail.note(staffRecoveryCodeUsed({ accountId, from, left: row?.left ?? 0 }))
  return true
}

/** Replaces an account's recovery codes. Returns the new ones, which are stored only as hashes. */
const replaceCodes = async (tx: Transaction, accountId: string): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODES }, () => generateSecret({ length: RECOVERY_BYTES }))
  const rows = codes.map((code) => ({ staff_id: accountId, code_hash: hashOf(code) }))
  await tx`delete from staff_recovery_codes where staff_id = ${accountId}`
  await tx`insert into staff_recovery_codes ${tx(rows)}`
  return codes.map(
    (code) =>
      code
        .match(new RegExp(`.{${GROUP_CHARACTERS}}`, 'g'))
        ?.join('-')
        .toLowerCase() ?? code,
  )
}

/**
 * Turns two-factor sign-in on, by a secret that a first code proves to be in the app, and ends the sessions except
 * `exceptHash`, which has proved it by that code. Returns the recovery codes; undefined for a wrong code.
 *
 * @throws TwoFactorStateError if it is on already
 */
export const turnOn = (
  sql: Sql,
  accountId: string,
  {
    secret,
    code,
    trail: { by, from, note },
    exceptHash,
  }: { secret: string; code: string; trail: Trail; exceptHash: Buffer },
): Promise<string[] | undefined> =>
  inTransaction(sql, async (tx) => {
    const [row] = await tx<{ event: string | null }[]>`
      select totp_event as event from staff where id = ${accountId} and removed_at is null for update`
    if (row?.event !== null) throw new TwoFactorStateError('Two-factor sign-in is on already')
    const step = stepOf(secret, code, 0)
    if (step === undefined) return undefined
    const id = randomUUID()
    await tx`update staff set totp_event = ${id}, totp_step = ${step} where id = ${accountId}`
    const codes = await replaceCodes(tx, accountId)
    await endSessions(tx, accountId, exceptHash)
    await tx`update staff_sessions set totp_event = ${id} where token_hash = ${exceptHash}`
    // with a key of its own: if that is lost the account can have another secret
    await note(staffTwoFactorOn({ accountId, by, from }, { subjectId: id, personal: { secret } }), id)
    return codes
  })

/**
 * Makes new recovery codes, and ends the old ones.
 *
 * @throws TwoFactorStateError if two-factor sign-in is off
 */
export const renewCodes = (sql: Sql, accountId: string, { by, from, note }: Trail): Promise<string[]> =>
  inTransaction(sql, async (tx) => {
    const [row] = await tx`
      select 1 from staff where id = ${accountId} and removed_at is null and totp_event is not null for update`
    if (!row) throw new TwoFactorStateError('Two-factor sign-in is off')
    const codes = await replaceCodes(tx, accountId)
    await note(staffRecoveryCodesMade({ accountId, by, from }))
    return codes
  })

/**
 * Turns two-factor sign-in off; returns false if there is no such account. If it is off it stays off. Sessions that
 * have not proved their second factor end. If another person turns it off, all sessions of the account end: the phone
 * may have been lost with one of them.
 */
export const turnOff = (sql: Sql, accountId: string, { by, from, note }: Trail): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    if (by !== accountId) await holdOwners(tx, by)
    const [row] = await tx<{ event: string | null }[]>`
      select totp_event as event from staff where id = ${accountId} and removed_at is null for update`
    if (!row) return false
    if (row.event === null) return true
    await tx`update staff set totp_event = null where id = ${accountId}`
    await tx`delete from staff_recovery_codes where staff_id = ${accountId}`
    if (by !== accountId) await endSessions(tx, accountId, null)
    else await tx`delete from staff_sessions where staff_id = ${accountId} and totp_event is distinct from ${row.event}`
    await note(staffTwoFactorOff({ accountId, by, from }))
    return true
  })
