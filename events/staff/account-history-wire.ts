import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { ACCOUNT_EVENTS } from './account-history.ts'
import { actionOrigin } from './wire.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/** A staff member, possibly one whose account has been removed. */
const person = v.object({ id: v.string(), displayName: v.string() })

/**
 * One entry of the history of accounts: the type of its event, and in `data` the rest of the event. `account` is null
 * for a username that no account has. `by` is null if the account's own sign-in identifies the actor, and for the
 * command line. `token` is the name of a program's token, `webhook` the host of a webhook's address.
 */
export const accountEntry = v.object({
  id: v.string(),
  type: oneOf(ACCOUNT_EVENTS),
  timestamp: instant,
  account: v.nullable(person),
  by: v.nullable(person),
  from: v.nullable(actionOrigin),
  token: v.exactOptional(v.string()),
  webhook: v.exactOptional(v.string()),
  data: v.record(v.string(), v.unknown()),
})

export type AccountEntry = Received<typeof accountEntry>

/** The response of `GET /api/accounts/history`, newest first. */
export const accountHistory = v.array(accountEntry)
