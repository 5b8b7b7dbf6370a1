import { nameOf, valueFor } from '../../../events/name-of.ts'
import type { AccountEntry } from '../../../events/wire/account-history.ts'
import { timeOf } from '../../staff/leads/day.ts'
import { machineInWords, networkInWords } from '../../staff/machine.ts'
import { ROLE_NAMES } from '../../staff/role.ts'
import { scopesInWords } from '../../staff/token-scopes.ts'
import { topicsInWords } from '../../staff/webhook-topics.ts'

/** An entry as it is read: what happened, and what is to know about it. A `warning` is what an owner should look at. */
export type EntryInWords = { title: string; details: string[]; isWarning: boolean }

const NOBODY = 'nobody’s account'
const COMMAND_LINE = 'The command line'

type Words = (entry: AccountEntry & { who: string; doer: string }) => string

const inRole = ({ role }: AccountEntry) => {
  if (role === 'owner') return 'an owner'
  return role === 'agent' ? 'an agent' : nameOf(ROLE_NAMES, role ?? '')
}

const isOwn = ({ account, by }: AccountEntry) => by !== null && by.id === account?.id

const TITLES: Record<string, Words> = {
  signed_in: ({ who }) => `${who} signed in`,
  wrong_password: ({ who, account }) =>
    account ? `A wrong password for ${who}` : 'A sign-in with a username that nobody has',
  wrong_passwords: ({ who, account, failures = 0 }) =>
    account ? `${failures} wrong passwords for ${who}` : `${failures} sign-ins with usernames that nobody has`,
  password_changed: (entry) =>
    isOwn(entry) ? `${entry.who} changed their own password` : `${entry.doer} set a new password for ${entry.who}`,
  password_chosen: ({ who }) => `${who} chose a new password by a link`,
  password_link_made: ({ who, doer, way }) =>
    way === 'email'
      ? `Somebody asked for a password link by email for ${who}`
      : `${doer} made a password link for ${who}`,
  two_factor_on: ({ who }) => `${who} turned two-factor sign-in on`,
  two_factor_off: (entry) =>
    isOwn(entry)
      ? `${entry.who} turned their two-factor sign-in off`
      : `${entry.doer} turned two-factor sign-in off for ${entry.who}`,
  recovery_codes_made: ({ who }) => `${who} made new recovery codes`,
  recovery_code_used: ({ who, left = 0 }) => `${who} signed in by a recovery code; ${left} left`,
  wrong_code: ({ who }) => `A wrong code for ${who}, after the right password`,
  two_factor_required: ({ doer }) => `${doer} made two-factor sign-in required of everybody`,
  two_factor_optional: ({ doer }) => `${doer} made two-factor sign-in optional`,
  alerts_changed: ({ who }) => `${who} changed which leads they are told of`,
  alert_address_changed: ({ who }) => `${who} changed the address that their emails go to`,
  alert_address_removed: ({ who }) => `${who} removed the address that their emails go to`,
  name_changed: (entry) =>
    isOwn(entry) ? `${entry.who} changed their own name` : `${entry.doer} changed the name of ${entry.who}`,
  photo_changed: ({ who }) => `${who} changed their own photo`,
  profile_changed: ({ who }) => `${who} changed their own name and photo`,
  token_made: ({ doer, token }) => `${doer} made the API token ${token}`,
  token_revoked: ({ doer, token }) => `${doer} revoked the API token ${token}`,
  webhook_made: ({ doer, webhook }) => `${doer} added the webhook to ${webhook}`,
  webhook_edited: ({ doer, webhook }) => `${doer} edited the webhook to ${webhook}`,
  webhook_paused: ({ doer, webhook }) => `${doer} paused the webhook to ${webhook}`,
  webhook_resumed: ({ doer, webhook }) => `${doer} had the webhook to ${webhook} go on`,
  webhook_rotated: ({ doer, webhook }) => `${doer} made a new secret for the webhook to ${webhook}`,
  webhook_tested: ({ doer, webhook }) => `${doer} sent a test to ${webhook}`,
  webhook_failed: ({ webhook }) => `The webhook to ${webhook} was paused: it took nothing for a day, or is gone`,
  webhook_removed: ({ doer, webhook }) => `${doer} removed the webhook to ${webhook}`,
  role_changed: (entry) => `${entry.doer} made ${entry.who} ${inRole(entry)}`,
  added: (entry) => `${entry.doer} added ${entry.who} as ${inRole(entry)}`,
  removed: ({ who, doer }) => `${doer} removed ${who}`,
  link_made: ({ who, doer }) => `${doer} made a sign-in link for ${who}`,
}

const WARNINGS = new Set<string>(['wrong_password', 'wrong_passwords', 'wrong_code', 'webhook_failed'])

const whereOf = (from: AccountEntry['from']) => (from ? [`${machineInWords(from)}, from ${networkInWords(from)}`] : [])

const spanOf = ({ since, until, failures = 0 }: AccountEntry) => {
  if (!since || !until) return []
  return [`${timeOf(since)} to ${timeOf(until)}${failures > 1 ? ', the first one told by itself' : ''}`]
}

const scopesOf = ({ scopes }: AccountEntry) => (scopes ? [scopesInWords(scopes)] : [])

const topicsOf = ({ topics }: AccountEntry) => (topics ? [topicsInWords(topics)] : [])

/** Tells an entry in words. One of a kind that this page does not know yet is told by the name of its kind. */
export const entryInWords = (entry: AccountEntry): EntryInWords => {
  const who = entry.account?.displayName ?? NOBODY
  const title = valueFor(TITLES, entry.kind)?.({ ...entry, who, doer: entry.by?.displayName ?? COMMAND_LINE })
  const device = entry.isKnownDevice === false ? ['First time on this device'] : []
  return {
    title: title ?? `${nameOf({}, entry.kind)}: ${who}`,
    details: [...scopesOf(entry), ...topicsOf(entry), ...whereOf(entry.from), ...spanOf(entry), ...device],
    isWarning: WARNINGS.has(entry.kind),
  }
}
