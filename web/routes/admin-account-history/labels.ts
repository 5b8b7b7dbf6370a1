import { nameOf, valueFor } from '../../../events/base/name-of.ts'
import type { AccountEvent } from '../../../events/staff/account-history.ts'
import type { AccountEntry } from '../../../events/staff/account-history-wire.ts'
import { ROLE_NAMES } from '../../staff/account/role.ts'
import { scopesInWords } from '../../staff/account/token-scopes.ts'
import { timeOf } from '../../staff/day.ts'
import { machineInWords, networkInWords } from '../../staff/origin-in-words.ts'
import { topicsInWords } from '../../staff/webhooks/webhook-topics.ts'

/** An entry as shown: the event and its details. Owners should look at a `warning`. */
export type EntryInWords = { title: string; details: string[]; isWarning: boolean }

const UNKNOWN_ACCOUNT = 'an unknown account'
const COMMAND_LINE = 'The command line'

/** An entry of one type of event, with the account that it is about and the actor. */
type EntryOf<Event> = Omit<AccountEntry, 'data'> & {
  data: Event extends AccountEvent ? Event['data'] : never
  accountName: string
  actor: string
}

type Event<Type extends AccountEvent['type']> = Extract<AccountEvent, { type: Type }>

const inRole = ({ data: { role } }: { data: { role: string } }) =>
  `${role === 'owner' ? 'an' : 'a'} ${nameOf(ROLE_NAMES, role)}`

const isOwn = ({ account, by }: Pick<AccountEntry, 'account' | 'by'>) => by !== null && by.id === account?.id

const passwordChanged = (entry: EntryOf<Event<'StaffPasswordChanged'>>) => {
  if (entry.data.byLink) return `${entry.accountName} chose a new password by a link`
  return isOwn(entry)
    ? `${entry.accountName} changed their own password`
    : `${entry.actor} set a new password for ${entry.accountName}`
}

const alertsChanged = ({ accountName, data: { address } }: EntryOf<Event<'StaffAlertsChanged'>>) =>
  address === 'kept'
    ? `${accountName} changed their lead alerts`
    : `${accountName} ${address} the address that their emails go to`

const profileChanged = (entry: EntryOf<Event<'StaffProfileChanged'>>) => {
  const { accountName, actor, data } = entry
  if (data.changed.length > 1) return `${accountName} changed their own name and photo`
  if (data.changed[0] === 'photo') return `${accountName} changed their own photo`
  return isOwn(entry) ? `${accountName} changed their own name` : `${actor} changed the name of ${accountName}`
}

type WebhookEntry = EntryOf<Event<'WebhookChanged'>>

const WEBHOOK_TITLES: Record<WebhookEntry['data']['change'], (entry: WebhookEntry) => string> = {
  made: ({ actor, webhook }) => `${actor} added the webhook to ${webhook}`,
  edited: ({ actor, webhook }) => `${actor} edited the webhook to ${webhook}`,
  paused: ({ actor, webhook }) => `${actor} paused the webhook to ${webhook}`,
  resumed: ({ actor, webhook }) => `${actor} resumed the webhook to ${webhook}`,
  rotated: ({ actor, webhook }) => `${actor} made a new secret for the webhook to ${webhook}`,
  tested: ({ actor, webhook }) => `${actor} sent a test to ${webhook}`,
  failed: ({ webhook }) => `The webhook to ${webhook} was paused: it took nothing for a day, or is gone`,
  removed: ({ actor, webhook }) => `${actor} removed the webhook to ${webhook}`,
}

const TITLES: { [Type in AccountEvent['type']]: (entry: EntryOf<Event<Type>>) => string } = {
  StaffSignedIn: ({ accountName }) => `${accountName} signed in`,
  StaffSignInFailed: ({ accountName, account }) =>
    account ? `A wrong password for ${accountName}` : 'A sign-in with an unknown username',
  StaffSignInsCounted: ({ accountName, account, data: { failures } }) =>
    account ? `${failures} wrong passwords for ${accountName}` : `${failures} sign-ins with unknown usernames`,
  StaffPasswordChanged: passwordChanged,
  StaffRoleChanged: (entry) => `${entry.actor} made ${entry.accountName} ${inRole(entry)}`,
  StaffAccountAdded: (entry) => `${entry.actor} added ${entry.accountName} as ${inRole(entry)}`,
  StaffAccountRemoved: ({ accountName, actor }) => `${actor} removed ${accountName}`,
  StaffSignInLinkMade: ({ accountName, actor }) => `${actor} made a sign-in link for ${accountName}`,
  StaffPasswordLinkMade: ({ accountName, actor, data: { way } }) =>
    way === 'email'
      ? `A password link by email was requested for ${accountName}`
      : `${actor} made a password link for ${accountName}`,
  StaffTwoFactorOn: ({ accountName }) => `${accountName} turned two-factor sign-in on`,
  StaffTwoFactorOff: (entry) =>
    isOwn(entry)
      ? `${entry.accountName} turned their two-factor sign-in off`
      : `${entry.actor} turned two-factor sign-in off for ${entry.accountName}`,
  StaffRecoveryCodesMade: ({ accountName }) => `${accountName} made new recovery codes`,
  StaffRecoveryCodeUsed: ({ accountName, data: { left } }) =>
    `${accountName} signed in by a recovery code; ${left} left`,
  StaffCodeFailed: ({ accountName }) => `A wrong code for ${accountName}, after the right password`,
  StaffSignInRulesChanged: ({ actor, data: { requiresTwoFactor } }) =>
    `${actor} made two-factor sign-in ${requiresTwoFactor ? 'required for all accounts' : 'optional'}`,
  StaffAlertsChanged: alertsChanged,
  StaffProfileChanged: profileChanged,
  ApiTokenMade: ({ actor, token }) => `${actor} made the API token ${token}`,
  ApiTokenRevoked: ({ actor, token }) => `${actor} revoked the API token ${token}`,
  WebhookChanged: (entry) => WEBHOOK_TITLES[entry.data.change](entry),
}

const WARNINGS = new Set<string>(['StaffSignInFailed', 'StaffSignInsCounted', 'StaffCodeFailed'])

const isWarning = ({ type, data }: AccountEntry) =>
  WARNINGS.has(type) || (type === 'WebhookChanged' && data.change === 'failed')

const originOf = (from: AccountEntry['from']) => (from ? [`${machineInWords(from)}, from ${networkInWords(from)}`] : [])

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
  const accountName = entry.account?.displayName ?? UNKNOWN_ACCOUNT
  const described = { ...entry, accountName, actor: entry.by?.displayName ?? COMMAND_LINE } as never
  const inWords = <Value>(table: Words<Value>) => valueFor(table, entry.type)?.(described)
  const typeName = entry.type.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return {
    title: inWords<string>(TITLES) ?? `${typeName}: ${accountName}`,
    details: [...(inWords<string[]>(BEFORE) ?? []), ...originOf(entry.from), ...(inWords<string[]>(AFTER) ?? [])],
    isWarning: isWarning(entry),
  }
}
