import { staffSignInRulesChanged } from '../../events/staff/account-history.ts'
import type { SignInRules } from '../../events/staff/staff.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { holdOwners } from './owners.ts'
import type { Trail } from './trail.ts'

/** The rules of owners for all sign-ins. */
export const readSignInRules = async (sql: Sql): Promise<SignInRules> => {
  const [rules] = await sql<SignInRules[]>`select requires_two_factor as "requiresTwoFactor" from sign_in_rules`
  return rules ?? { requiresTwoFactor: false }
}

/** Changes the requirements for every sign-in. */
export const changeSignInRules = (
  sql: Sql,
  { requiresTwoFactor }: SignInRules,
  { by, from, note }: Trail,
): Promise<void> =>
  inTransaction(sql, async (tx) => {
    await holdOwners(tx, by)
    const changed = await tx`
      insert into sign_in_rules (requires_two_factor) values (${requiresTwoFactor})
      on conflict (id) do update set requires_two_factor = excluded.requires_two_factor
      where sign_in_rules.requires_two_factor <> excluded.requires_two_factor returning 1`
    if (changed.length > 0) await note(staffSignInRulesChanged({ requiresTwoFactor, by, from }))
  })
