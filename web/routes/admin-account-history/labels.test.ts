import { expect, test } from 'vitest'
import type { AccountEntry } from '../../../events/staff/account-history-wire.ts'
import { entryInWords } from './labels.ts'

const THANDI = { id: 't', displayName: 'Thandi' }
const SIPHO = { id: 's', displayName: 'Sipho' }
const FROM = { network: '203.0.x.x', browser: 'Firefox', system: 'Windows', isHere: false }

const SPAN = { since: '2026-11-22T08:00:00.000Z', until: '2026-11-22T08:15:00.000Z' }

const entry = (parts: Partial<AccountEntry>): AccountEntry => ({
  id: 'e',
  type: 'StaffSignedIn',
  timestamp: '2026-11-22T08:01:00.000Z',
  account: THANDI,
  by: null,
  from: null,
  data: { isKnownDevice: true },
  ...parts,
})

test.each<[Partial<AccountEntry>, string]>([
  [{ type: 'StaffSignedIn' }, 'Thandi signed in'],
  [{ type: 'StaffSignInFailed' }, 'A wrong password for Thandi'],
  [{ type: 'StaffSignInFailed', account: null }, 'A sign-in with an unknown username'],
  [{ type: 'StaffSignInsCounted', data: { ...SPAN, failures: 12 } }, '12 wrong passwords for Thandi'],
  [
    { type: 'StaffSignInsCounted', account: null, data: { ...SPAN, failures: 12 } },
    '12 sign-ins with unknown usernames',
  ],
  [{ type: 'StaffPasswordChanged', by: THANDI }, 'Thandi changed their own password'],
  [{ type: 'StaffPasswordChanged', by: SIPHO }, 'Sipho set a new password for Thandi'],
  [{ type: 'StaffPasswordChanged' }, 'The command line set a new password for Thandi'],
  [{ type: 'StaffRoleChanged', by: SIPHO, data: { role: 'owner' } }, 'Sipho made Thandi an Admin'],
  [{ type: 'StaffAccountAdded', by: SIPHO, data: { role: 'agent' } }, 'Sipho added Thandi as a Member'],
  [{ type: 'StaffAccountRemoved' }, 'The command line removed Thandi'],
  [{ type: 'StaffSignInLinkMade' }, 'The command line made a sign-in link for Thandi'],
  [{ type: 'StaffPasswordLinkMade', by: SIPHO, data: { way: 'owner' } }, 'Sipho made a password link for Thandi'],
  [{ type: 'StaffPasswordLinkMade', data: { way: 'email' } }, 'A password link by email was requested for Thandi'],
  [{ type: 'StaffPasswordChanged', by: THANDI, data: { byLink: true } }, 'Thandi chose a new password by a link'],
  [{ type: 'StaffTwoFactorOn', by: THANDI }, 'Thandi turned two-factor sign-in on'],
  [{ type: 'StaffTwoFactorOff', by: THANDI }, 'Thandi turned their two-factor sign-in off'],
  [{ type: 'StaffTwoFactorOff', by: SIPHO }, 'Sipho turned two-factor sign-in off for Thandi'],
  [{ type: 'StaffRecoveryCodesMade', by: THANDI }, 'Thandi made new recovery codes'],
  [{ type: 'StaffRecoveryCodeUsed', data: { left: 9 } }, 'Thandi signed in by a recovery code; 9 left'],
  [{ type: 'StaffCodeFailed' }, 'A wrong code for Thandi, after the right password'],
  [
    { type: 'StaffSignInRulesChanged', account: null, by: SIPHO, data: { requiresTwoFactor: true } },
    'Sipho made two-factor sign-in required for all accounts',
  ],
  [
    { type: 'StaffSignInRulesChanged', account: null, by: SIPHO, data: { requiresTwoFactor: false } },
    'Sipho made two-factor sign-in optional',
  ],
  [
    { type: 'ApiTokenMade', account: null, by: SIPHO, token: 'Books', data: { scopes: [] } },
    'Sipho made the API token Books',
  ],
  [{ type: 'ApiTokenRevoked', account: null, by: SIPHO, token: 'Books' }, 'Sipho revoked the API token Books'],
  [
    { type: 'WebhookChanged', account: null, by: SIPHO, webhook: 'a.example', data: { change: 'made' } },
    'Sipho added the webhook to a.example',
  ],
  [
    { type: 'WebhookChanged', account: null, webhook: 'a.example', data: { change: 'failed' } },
    'The webhook to a.example was paused: it took nothing for a day, or is gone',
  ],
  [{ type: 'BrandNew' as AccountEntry['type'] }, 'Brand new: Thandi'],
])('%j is told as %s', (parts, title) => {
  expect(entryInWords(entry(parts)).title).toBe(title)
})

test.each<[Partial<AccountEntry>, string[]]>([
  [{ from: FROM, data: { isKnownDevice: true } }, ['Firefox on Windows, from 203.0.x.x']],
  [{ from: FROM, data: { isKnownDevice: false } }, ['Firefox on Windows, from 203.0.x.x', 'First time on this device']],
  [{ type: 'ApiTokenMade', data: { scopes: ['leads:read', 'chats:read'] } }, ['Read and export leads, Read chats']],
  [
    { type: 'WebhookChanged', data: { change: 'made', topics: ['lead.created', 'chat.ended'] } },
    ['Lead created, Chat ended'],
  ],
  [{ from: { ...FROM, isHere: true } }, ['Firefox on Windows, from your own address (203.0.x.x)']],
  [{ from: { ...FROM, network: '2001:db8:x' } }, ['Firefox on Windows, from 2001:db8::/32']],
  [{ from: { ...FROM, network: '0:0:x', isHere: true } }, ['Firefox on Windows, from this network']],
  [{ from: { ...FROM, network: '0:0:x' } }, ['Firefox on Windows, from the server’s own network']],
  [
    { from: { ...FROM, browser: 'other', system: 'other', network: 'other' } },
    ['Unknown browser, from an unknown address'],
  ],
  [{ type: 'StaffSignInsCounted', data: { ...SPAN, failures: 3 } }, ['10:00 to 10:15, the first one separately']],
])('%j tells %j beside it', (parts, details) => {
  expect(entryInWords(entry(parts)).details).toEqual(details)
})
