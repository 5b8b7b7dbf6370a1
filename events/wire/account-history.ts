import * as v from 'valibot'
import { TOKEN_SCOPES } from '../api-token.ts'
import { STAFF_ROLES } from '../staff.ts'
import { WEBHOOK_TOPICS } from '../webhook-form.ts'
import { fromWhere } from './staff.ts'
import { oneOf, type Received } from './word.ts'

/** What can happen with an account. `wrong_passwords` tells how many there were in a quarter of an hour. */
export const ACCOUNT_ENTRY_KINDS = [
  'signed_in',
  'wrong_password',
  'wrong_passwords',
  'password_changed',
  'role_changed',
  'added',
  'removed',
  'link_made',
  'password_link_made',
  'password_chosen',
  'two_factor_on',
  'two_factor_off',
  'recovery_codes_made',
  'recovery_code_used',
  'wrong_code',
  'two_factor_required',
  'two_factor_optional',
  'alerts_changed',
  'alert_address_changed',
  'alert_address_removed',
  'name_changed',
  'photo_changed',
  'profile_changed',
  'token_made',
  'token_revoked',
  'webhook_made',
  'webhook_edited',
  'webhook_paused',
  'webhook_resumed',
  'webhook_rotated',
  'webhook_tested',
  'webhook_failed',
  'webhook_removed',
] as const

const instant = v.pipe(v.string(), v.isoTimestamp())

/** Somebody of the staff, also one whose account has been removed. */
const person = v.object({ id: v.string(), displayName: v.string() })

/**
 * One thing that happened with an account. `account` is null where a username was tried that nobody has. `by` is null
 * where the account's own sign-in tells who, and for the command line.
 */
export const accountEntry = v.object({
  id: v.string(),
  kind: oneOf(ACCOUNT_ENTRY_KINDS),
  timestamp: instant,
  account: v.nullable(person),
  by: v.nullable(person),
  from: v.nullable(fromWhere),
  isKnownDevice: v.exactOptional(v.boolean()),
  role: v.exactOptional(oneOf(STAFF_ROLES)),
  way: v.exactOptional(v.string()),
  left: v.exactOptional(v.number()),
  /** The name of a program's token. */
  token: v.exactOptional(v.string()),
  scopes: v.exactOptional(v.array(oneOf(TOKEN_SCOPES))),
  /** The host of a webhook's address. */
  webhook: v.exactOptional(v.string()),
  topics: v.exactOptional(v.array(oneOf(WEBHOOK_TOPICS))),
  failures: v.exactOptional(v.number()),
  since: v.exactOptional(instant),
  until: v.exactOptional(instant),
})

export type AccountEntry = Received<typeof accountEntry>

/** The answer of `GET /api/accounts/history`, newest first. */
export const accountHistory = v.array(accountEntry)
