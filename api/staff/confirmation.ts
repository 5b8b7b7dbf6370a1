/**
 * What lets people and programs in, or sends what is known of people elsewhere, is changed only a while after the
 * password was given, and the code where there is a second factor: the person at an open screen may be somebody else.
 * Signing in counts. Later `POST /api/me/confirm` asks again. Which routes that is says `CONFIRMED_ROUTES` in
 * api/access.ts.
 */

import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { staffCodeFailed } from '../../events/account-history.ts'
import { inTransaction } from '../../events/log/connection.ts'
import { confirmation } from '../../events/staff.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { findStaff } from './account.ts'
import { attempt, countFailure } from './attempt.ts'
import { verifyPassword } from './password.ts'
import type { StaffEnv } from './staff.ts'
import { openTrail } from './trail.ts'
import { claimCode, readSecret, secondFactorLost } from './two-factor.ts'
import { whereFrom } from './where-from.ts'

/** Refuses a change where the password was not given lately. */
export const expectConfirmed = (c: Context<StaffEnv>): void => {
  const { isConfirmed, hasTwoFactor } = c.get('staff')
  if (isConfirmed) return
  throw new RequestError('confirmation_required', 'Confirm with your password that it is you', {
    members: { needsCode: hasTwoFactor },
  })
}

/** Lets only those through who gave their password lately; comes after `requireStaff`. */
export const requireConfirmed = createMiddleware<StaffEnv>(async (c, next) => {
  expectConfirmed(c)
  await next()
})

/** Notes that the session was confirmed, by the code that is used up where its account has a second factor. */
const confirmByCode = async (node: ApiNode, c: Context<StaffEnv>, totpEvent: string | null, code: string) => {
  const { id, tokenHash } = c.get('staff')
  const from = whereFrom(node, c)
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

/** Answers `POST /api/me/confirm`. Wrong passwords and codes are counted by account. */
export const confirm = async (node: ApiNode, c: Context<StaffEnv>) => {
  const { password, code } = await readBody(c, confirmation)
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
  return c.body(null, 204)
}
