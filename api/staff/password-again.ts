import type { Context } from 'hono'
import { invalidField } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { findStaff } from './account.ts'
import { attempt, countFailure } from './attempt.ts'
import { verifyPassword } from './password.ts'
import type { StaffEnv } from './staff.ts'

/**
 * Asks for the password again: the person at an open screen may be somebody else. What leads to another way to sign in
 * (the second factor, the address for links) is changed with it alone. Throws the refusal of the field `password`; wrong
 * ones are counted by account.
 */
export const askPasswordAgain = async (node: ApiNode, c: Context<StaffEnv>, password: string): Promise<void> => {
  if (password === '') throw invalidField('password', 'Enter your password')
  const { id, username } = c.get('staff')
  const account = await findStaff(node.sql, username)
  const isRight = await attempt(node, [['failed_password_changes', { account: id }]], () =>
    verifyPassword(password, account?.passwordHash, 'known'),
  )
  if (isRight) return
  countFailure(node, c, id)
  throw invalidField('password', 'This is not your password')
}
