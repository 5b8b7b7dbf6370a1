/**
 * A stranger at an open screen must not be able to let people or programs in, or to send personal data elsewhere. The
 * routes that do so (`isConfirmed` in their declarations) require a session whose password, and code if the account has
 * a second factor, was entered within the last ten minutes: by signing in, or by `POST /api/me/confirm`.
 */

import type { Context } from 'hono'
import { staffCodeFailed } from '../../events/staff/account-history.ts'
import { inTransaction } from '../../events/stores/connection.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { findStaff } from './account.ts'
import { attempt, countFailure } from './limited-attempt.ts'
import { verifyPassword } from './password.ts'
import { originOf } from './request-origin.ts'
import type { SignedInStaff } from './session.ts'
import type { StaffEnv } from './staff.ts'
import { openTrail } from './trail.ts'
import { claimCode, readSecret, secondFactorLost } from './two-factor.ts'

/** Refuses a change unless the password was entered recently. */
export const expectConfirmed = ({ isConfirmed, hasTwoFactor }: SignedInStaff): void => {
  if (isConfirmed) return
  throw new RequestError('confirmation_required', 'Confirm with your password that it is you', {
    members: { needsCode: hasTwoFactor },
  })
}

/** Marks the session as confirmed, and uses up the code if the account has a second factor. */
const confirmByCode = async (node: ApiNode, c: Context<StaffEnv>, totpEvent: string | null, code: string) => {
  const { id, tokenHash } = c.get('staff')
  const from = originOf(node, c)
  const trail = openTrail(node.log, { by: id, from })
  const secret = totpEvent === null ? undefined : await readSecret(node.sql, totpEvent)
  const isRight = await attempt(node, totpEvent === null ? [] : [['failed_codes', { account: id }]], () =>
    inTransaction(node.sql, async (tx) => {
      if (totpEvent !== null && !(await claimCode(tx, id, { code, secret, from, trail }))) return false
      await tx`update staff_sessions set confirmed_at = now() where token_hash = ${tokenHash}`
      return true
    }),
  )
  if (isRight) return
  await trail.note(staffCodeFailed({ accountId: id, from }))
  if (secret === undefined) throw secondFactorLost()
  throw invalidField('code', 'The code is wrong, or was used already')
}

/** Confirms a session by the password and the code. Wrong ones are counted by account. */
export const confirm = async (
  node: ApiNode,
  c: Context<StaffEnv>,
  { password, code }: { password: string; code: string },
): Promise<void> => {
  const { id, username } = c.get('staff')
  const account = await findStaff(node.sql, username)
  const isRight = await attempt(node, [['failed_password_changes', { account: id }]], () =>
    verifyPassword(password, account?.passwordHash, 'known'),
  )
  if (!account || !isRight) {
    countFailure(node, c, id)
    throw invalidField('password', 'This is not your password')
  }
  if (account.totpEvent !== null && code === '') throw invalidField('code', 'A code is required')
  await confirmByCode(node, c, account.totpEvent, code)
}
