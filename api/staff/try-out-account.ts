import { EnvironmentError } from '../../events/process/environment.ts'
import { TRY_OUT_PASSWORD } from '../../events/staff/try-out.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { FIRST_USERNAME } from '../node/config.ts'
import { findStaff } from './account.ts'
import { verifyPassword } from './password.ts'

/**
 * Refuses to start if an account from a try-out, whose password is public, still has that password when the site goes
 * public with other secrets.
 *
 * @throws EnvironmentError that names the account
 */
export const refuseTryOutAccount = async (sql: Sql, username: string): Promise<void> => {
  for (const name of new Set([FIRST_USERNAME, username])) {
    const account = await findStaff(sql, name)
    if (account === undefined || !(await verifyPassword(TRY_OUT_PASSWORD, account.passwordHash, 'known'))) continue
    throw new EnvironmentError(
      `The account ${name} has the public password of a try-out: run npm run staff -- passwd ${name}`,
    )
  }
}
