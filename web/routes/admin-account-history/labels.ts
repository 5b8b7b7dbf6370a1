import { nameOf, valueFor } from '../../../events/base/name-of.ts'
import type { AccountEvent } from '../../../events/staff/account-history.ts'
import type { AccountEntry } from '../../../events/staff/account-history-wire.ts'
import { timeOf } from '../../staff/day.ts'
import { machineInWords, networkInWords } from '../../staff/origin-in-words.ts'
import { ROLE_NAMES } from '../../staff/role.ts'
import { scopesInWords } from '../../staff/token-scopes.ts'
import { topicsInWords } from '../../staff/webhook-topics.ts'

/** An entry as shown: the event and its details. Owners should look at a `warning`. */
export type EntryInWords = { title: string; details: string[]; isWarning: boolean }

const UNKNOWN_ACCOUNT = 'an unknown account'
const COMMAND_LINE = 'The command line'

/** An entry of one type of event, with the account that it is about and the actor. */
type EntryOf<Event> = Omit<AccountEntry, 'data'> & {
  data: Event extends AccountEvent ? Event['data'] : never
  who: string
  doer: string
}

type Event<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>

const inRole = ({ data: { role } }: { data: { role: string } }) => {
  if (role === 'owner') return 'an owner'
  return role === 'agent' ? 'an agent' : nameOf(ROLE_NAMES, role)
}

const isOwn = ({ account, by }: Pick<AccountEntry, 'account' | 'by'>) => by !== null && by.id === account?.id

const passwordChanged = (entry: EntryOf<Event<'StaffPasswordChanged'>>) => {
  if (entry.data.byLink) return `${entry.who} chose a new password by a link`
  return isOwn(entry) ? `${entry.who} changed their own password` : `${entry.doer} set a new password for ${entry.who}`
}

const alertsChanged = ({ who, data: { address } }: EntryOf<Event<'StaffAlertsChanged'>>) =>
  address === 'kept' ? `${who} changed their lead alerts` : `${who} ${address} the address that their emails go to`

const profileChanged = (entry: EntryOf<Event<'StaffProfileChanged'>>) => {
  const { who, doer, data } = entry
  if (data.changed.length > 1) return `${who} changed their own name and photo`
  if (data.changed[0] === 'photo') return `${who} changed their own photo`
  return isOwn(entry) ? `${who} changed their own name` : `${doer} changed the name of ${who}`
}

type WebhookEntry = EntryOf<Event<'WebhookChanged'>>

const WEBHOOK_TITLES: Record<WebhookEntry['data']['change'], (entry: WebhookEntry) => string> = {
  made: ({ doer, webhook }) => `${doer} added the webhook to ${webhook}`,
  edited: ({ doer, webhook }) => `${doer} edited the webhook to ${webhook}`,
  paused: ({ doer, webhook }) => `${doer} paused the webhook to ${webhook}`,
  resumed: ({ doer, webhook }) => `${doer} resumed the webhook to ${webhook}`,
  rotated: ({ doer, webhook }) => `${doer} made a new secret for the webhook to ${webhook}`,
  tested: ({ doer, webhook }) => `${doer} sent a test to ${webhook}`,
  failed: ({ webhook }) => `The webhook to ${webhook} was paused: it took nothing for a day, or is gone`,
  removed: ({ doer, webhook }) => `${doer} removed the webhook to ${webhook}`,
}

/** The title of an entry, by the type of its event. */
const TITLES: { [Type in AccountEvent['type']]: (entry: EntryOf<Event<Type>>) => string } = {
  StaffSignedIn: ({ who }) => `${who} signed in`,
  StaffSignInFailed: ({ who, account }) =>
    account ? `A wrong password for ${who}` : 'A sign-in with an unknown username',
  StaffSignInsCounted: ({ who, account, data: { failures } }) =>
    account ? `${failures} wrong passwords for ${who}` : `${failures} sign-ins with unknown usernames`,
  StaffPasswordChanged: passwordChanged,
  StaffRoleChanged: (entry) => `${entry.doer} made ${entry.who} ${inRole(entry)}`,
  StaffAccountAdded: (entry) => `${entry.doer} added ${entry.who} as ${inRole(entry)}`,
  StaffAccountRemoved: ({ who, doer }) => `${doer} removed ${who}`,
  StaffSignInLinkMade: ({ who, doer }) => `${doer} made a sign-in link for ${who}`,
  StaffPasswordLinkMade: ({ who, doer, data: { way } }) =>
    way === 'email' ? `A password link by email was requested for ${who}` : `${doer} made a password link for ${who}`,
  StaffTwoFactorOn: ({ who }) => `${who} turned two-factor sign-in on`,
  StaffTwoFactorOff: (entry) =>
    isOwn(entry)
      ? `${entry.who} turned their two-factor sign-in off`
      : `${entry.doer} turned two-factor sign-in off for ${entry.who}`,
  StaffRecoveryCodesMade: ({ who }) => `${who} made new recovery codes`,
  StaffRecoveryCodeUsed: ({ who, data: { left } }) => `${who} signed in by a recovery code; ${left} left`,
  StaffCodeFailed: ({ who }) => `A wrong code for ${who}, after the right password`,
  StaffSignInRulesChanged: ({ doer, data: { requiresTwoFactor } }) =>
    `${doer} made two-factor sign-in ${requiresTwoFactor ? 'required for all accounts' : 'optional'}`,
  StaffAlertsChanged: alertsChanged,
  StaffProfileChanged: profileChanged,
  ApiTokenMade: ({ doer, token }) => `${doer} made the API token ${token}`,
  ApiTokenRevoked: ({ doer, token }) => `${doer} revoked the API token ${token}`,
  WebhookChanged: (entry) => WEBHOOK_TITLES[entry.data.change](entry),
}

const WARNINGS = new Set<string>(['StaffSignInFailed', 'StaffSignInsCounted', 'StaffCodeFailed'])

const isWarning = ({ type, data }: AccountEntry) =>
  WARNINGS.has(type) || (type === 'WebhookChanged' && data.change === 'failed')

const whereOf = (from: AccountEntry['from']) => (from ? [`${machineInWords(from)}, from ${networkInWords(from)}`] : [])

const scopesOf = ({ data }: EntryOf<Event<'ApiTokenMade'>>) => [scopesInWords(data.scopes)]

const topicsOf = ({ data: { topics } }: WebhookEntry) => (topics ? [topicsInWords(topics)] : [])

const spanOf = ({ data: { since, until, failures } }: EntryOf<Event<'StaffSignInsCounted'>>) => [
  `${timeOf(since)} to ${timeOf(until)}${failures > 1 ? ', the first one separately' : ''}`,
]

const deviceOf = ({ data }: EntryOf<Event<'StaffSignedIn'>>) =>
  data.isKnownDevice ? [] : ['First time on this device']

/** Further details of an entry, shown before or after the device and address of the actor. */
const BEFORE = { ApiTokenMade: scopesOf, WebhookChanged: topicsOf }
const AFTER = { StaffSignInsCounted: spanOf, StaffSignedIn: deviceOf }

type Words<Value> = Record<string, (entry: never) => Value>

/** The title and the details of an entry. One of a type that this page does not know yet has the name of its type. */
export const entryInWords = (entry: AccountEntry): EntryInWords => {
  const who = entry.account?.displayName ?? UNKNOWN_ACCOUNT
  const told = { ...entry, who, doer: entry.by?.displayName ?? COMMAND_LINE } as never
  const inWords = <Value>(table: Words<Value>) => valueFor(table, entry.type)?.(told)
  const typeName = entry.type.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return {
    title: inWords<string>(TITLES) ?? `${typeName}: ${who}`,
    details: [...(inWords<string[]>(BEFORE) ?? []), ...whereOf(entry.from), ...(inWords<string[]>(AFTER) ?? [])],
    isWarning: isWarning(entry),
  }
}
