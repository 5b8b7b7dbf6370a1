import { expect, test } from 'vitest'
import type { AccountEntry } from '../../../events/wire/account-history.ts'
import { entryInWords } from './labels.ts'

const THANDI = { id: 't', displayName: 'Thandi' }
const SIPHO = { id: 's', displayName: 'Sipho' }
const FROM = { network: '203.0.x.x', browser: 'Firefox', system: 'Windows', isHere: false }

const entry = (parts: Partial<AccountEntry>): AccountEntry => ({
  id: 'e',
  kind: 'signed_in',
  timestamp: '2026-11-22T08:01:00.000Z',
  account: THANDI,
  by: null,
  from: null,
  ...parts,
})

test.each<[Partial<AccountEntry>, string]>([
  [{ kind: 'signed_in' }, 'Thandi signed in'],
  [{ kind: 'wrong_password' }, 'A wrong password for Thandi'],
  [{ kind: 'wrong_password', account: null }, 'A sign-in with a username that nobody has'],
  [{ kind: 'wrong_passwords', failures: 12 }, '12 wrong passwords for Thandi'],
  [{ kind: 'wrong_passwords', failures: 12, account: null }, '12 sign-ins with usernames that nobody has'],
  [{ kind: 'password_changed', by: THANDI }, 'Thandi changed their own password'],
  [{ kind: 'password_changed', by: SIPHO }, 'Sipho set a new password for Thandi'],
  [{ kind: 'password_changed' }, 'The command line set a new password for Thandi'],
  [{ kind: 'role_changed', by: SIPHO, role: 'owner' }, 'Sipho made Thandi an owner'],
  [{ kind: 'added', by: SIPHO, role: 'agent' }, 'Sipho added Thandi as an agent'],
  [{ kind: 'removed' }, 'The command line removed Thandi'],
  [{ kind: 'link_made' }, 'The command line made a sign-in link for Thandi'],
  [{ kind: 'password_link_made', by: SIPHO, way: 'owner' }, 'Sipho made a password link for Thandi'],
  [{ kind: 'password_link_made', way: 'email' }, 'Somebody asked for a password link by email for Thandi'],
  [{ kind: 'password_chosen', by: THANDI }, 'Thandi chose a new password by a link'],
  [{ kind: 'two_factor_on', by: THANDI }, 'Thandi turned two-factor sign-in on'],
  [{ kind: 'two_factor_off', by: THANDI }, 'Thandi turned their two-factor sign-in off'],
  [{ kind: 'two_factor_off', by: SIPHO }, 'Sipho turned two-factor sign-in off for Thandi'],
  [{ kind: 'recovery_codes_made', by: THANDI }, 'Thandi made new recovery codes'],
  [{ kind: 'recovery_code_used', left: 9 }, 'Thandi signed in by a recovery code; 9 left'],
  [{ kind: 'wrong_code' }, 'A wrong code for Thandi, after the right password'],
  [{ kind: 'two_factor_required', account: null, by: SIPHO }, 'Sipho made two-factor sign-in required of everybody'],
  [{ kind: 'two_factor_optional', account: null, by: SIPHO }, 'Sipho made two-factor sign-in optional'],
  [{ kind: 'token_made', account: null, by: SIPHO, token: 'Books' }, 'Sipho made the API token Books'],
  [{ kind: 'token_revoked', account: null, by: SIPHO, token: 'Books' }, 'Sipho revoked the API token Books'],
  [{ kind: 'webhook_made', account: null, by: SIPHO, webhook: 'a.example' }, 'Sipho added the webhook to a.example'],
  [
    { kind: 'webhook_failed', account: null, webhook: 'a.example' },
    'The webhook to a.example was paused: it took nothing for a day, or is gone',
  ],
  [{ kind: 'brand_new' as AccountEntry['kind'] }, 'Brand new: Thandi'],
])('%j is told as %s', (parts, title) => {
  expect(entryInWords(entry(parts)).title).toBe(title)
})

test.each<[Partial<AccountEntry>, string[]]>([
  [{ from: FROM, isKnownDevice: true }, ['Firefox on Windows, from 203.0.x.x']],
  [{ from: FROM, isKnownDevice: false }, ['Firefox on Windows, from 203.0.x.x', 'First time on this device']],
  [{ kind: 'token_made', scopes: ['leads:read', 'chats:read'] }, ['Read and export leads, Read chats']],
  [{ kind: 'webhook_made', topics: ['lead.created', 'chat.ended'] }, ['Lead created, Chat ended']],
  [{ from: { ...FROM, isHere: true } }, ['Firefox on Windows, from your own address (203.0.x.x)']],
  [{ from: { ...FROM, network: '2001:db8:x' } }, ['Firefox on Windows, from 2001:db8::/32']],
  [{ from: { ...FROM, network: '0:0:x', isHere: true } }, ['Firefox on Windows, from this network']],
  [{ from: { ...FROM, network: '0:0:x' } }, ['Firefox on Windows, from the server’s own network']],
  [
    { from: { ...FROM, browser: 'other', system: 'other', network: 'other' } },
    ['Unknown browser, from an unknown address'],
  ],
  [
    { kind: 'wrong_passwords', failures: 3, since: '2026-11-22T08:00:00.000Z', until: '2026-11-22T08:15:00.000Z' },
    ['10:00 to 10:15, the first one told by itself'],
  ],
])('%j tells %j beside it', (parts, details) => {
  expect(entryInWords(entry(parts)).details).toEqual(details)
})
