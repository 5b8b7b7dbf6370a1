import * as v from 'valibot'
import { defineEvent, type NewEvent, type RecordedEvent, type StreamOf } from '../base/definition.ts'
import { WEBHOOK_TOPICS } from '../webhook/form.ts'
import { TOKEN_SCOPES } from './api-token.ts'
import { ALERTS, STAFF_ROLES } from './staff.ts'

const MAX_WORD_CHARACTERS = 60

const uuid = v.pipe(v.string(), v.uuid())
const word = v.pipe(v.string(), v.maxLength(MAX_WORD_CHARACTERS))
const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * The origin of an action, in a form that cannot identify a person. `place` is a keyed hash of the address: the same
 * place has the same one, and it does not reveal the address. `network` is the first half of an IPv4 address, the first
 * quarter of an IPv6 one. `browser` and `system` are our own words.
 */
const from = v.object({ place: word, network: word, browser: word, system: word })

export type From = v.InferOutput<typeof from>

/** The account that it happened to. */
const accountId = uuid
/** The account that did it; null for the command line. */
const by = v.nullable(uuid)
/** Null for the command line. */
const nullableOrigin = v.nullable(from)
const role = v.picklist(STAFF_ROLES)

/** `isKnownDevice`: the account has signed in on this device before. */
export const staffSignedIn = defineEvent({
  type: 'StaffSignedIn',
  schemaVersion: 1,
  data: v.object({ accountId, from, isKnownDevice: v.boolean() }),
  personal: null,
})

/**
 * A wrong password, the first one of its quarter of an hour; `accountId` is null for usernames that no account has.
 * StaffSignInsCounted records how many followed: a flood of them adds two events per quarter of an hour and account.
 */
export const staffSignInFailed = defineEvent({
  type: 'StaffSignInFailed',
  schemaVersion: 1,
  data: v.object({ accountId: v.nullable(accountId), from }),
  personal: null,
})

/** How many wrong passwords there were in a quarter of an hour, the first one too. */
export const staffSignInsCounted = defineEvent({
  type: 'StaffSignInsCounted',
  schemaVersion: 1,
  data: v.object({
    accountId: v.nullable(accountId),
    since: instant,
    until: instant,
    failures: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  }),
  personal: null,
})

/** `byLink`: a staff member who had forgotten it chose a new one, by the link of a StaffPasswordLinkMade. */
export const staffPasswordChanged = defineEvent({
  type: 'StaffPasswordChanged',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin, byLink: v.exactOptional(v.literal(true)) }),
  personal: null,
})

export const staffRoleChanged = defineEvent({
  type: 'StaffRoleChanged',
  schemaVersion: 1,
  data: v.object({ accountId, role, by, from: nullableOrigin }),
  personal: null,
})

export const staffAccountAdded = defineEvent({
  type: 'StaffAccountAdded',
  schemaVersion: 1,
  data: v.object({ accountId, role, by, from: nullableOrigin }),
  personal: null,
})

export const staffAccountRemoved = defineEvent({
  type: 'StaffAccountRemoved',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin }),
  personal: null,
})

/** A link was made by which a device of the account becomes a known one: `npm run staff -- link`. */
export const staffSignInLinkMade = defineEvent({
  type: 'StaffSignInLinkMade',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin }),
  personal: null,
})

/**
 * A link was made by which the account chooses a new password: by an owner, who hands it over, or to be sent by email.
 */
export const staffPasswordLinkMade = defineEvent({
  type: 'StaffPasswordLinkMade',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin, way: v.picklist(['owner', 'email']) }),
  personal: null,
})

/**
 * Two-factor sign-in was turned on: this event is the only place of the secret from which an authenticator app makes
 * codes.
 */
export const staffTwoFactorOn = defineEvent({
  type: 'StaffTwoFactorOn',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin }),
  personal: v.object({ secret: v.string() }),
})

/**
 * Two-factor sign-in was turned off, by the account itself, or by an owner for a staff member who has lost their phone.
 */
export const staffTwoFactorOff = defineEvent({
  type: 'StaffTwoFactorOff',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin }),
  personal: null,
})

/** New recovery codes in place of the old ones. */
export const staffRecoveryCodesMade = defineEvent({
  type: 'StaffRecoveryCodesMade',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin }),
  personal: null,
})

/** A staff member signed in by a recovery code; `left` is how many remain. */
export const staffRecoveryCodeUsed = defineEvent({
  type: 'StaffRecoveryCodeUsed',
  schemaVersion: 1,
  data: v.object({ accountId, from, left: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
  personal: null,
})

/** A wrong code after a right password. At most 50 a day come from devices that the account does not know. */
export const staffCodeFailed = defineEvent({
  type: 'StaffCodeFailed',
  schemaVersion: 1,
  data: v.object({ accountId, from }),
  personal: null,
})

/** The owners' requirements for signing in. */
export const staffSignInRulesChanged = defineEvent({
  type: 'StaffSignInRulesChanged',
  schemaVersion: 1,
  data: v.object({ requiresTwoFactor: v.boolean(), by, from: nullableOrigin }),
  personal: null,
})

/**
 * A staff member has changed their alerts, or the address of their emails, including links to choose a new password.
 * The address itself is in the table of accounts.
 */
export const staffAlertsChanged = defineEvent({
  type: 'StaffAlertsChanged',
  schemaVersion: 1,
  data: v.object({
    accountId,
    by,
    from: nullableOrigin,
    address: v.picklist(['kept', 'changed', 'removed']),
    alerts: v.array(v.picklist(ALERTS)),
  }),
  personal: null,
})

/** The parts of a profile that can change. */
const PROFILE_FIELDS = ['name', 'photo'] as const

/**
 * A staff member has changed their name or photo, or an owner the name. The current ones are in the table of accounts, the
 * photo only there.
 */
export const staffProfileChanged = defineEvent({
  type: 'StaffProfileChanged',
  schemaVersion: 1,
  data: v.object({ accountId, by, from: nullableOrigin, changed: v.array(v.picklist(PROFILE_FIELDS)) }),
  personal: v.object({ displayName: v.exactOptional(v.string()) }),
})

const tokenId = uuid

/** A program got a token by which it calls the API. Its name is in the table of tokens. */
export const apiTokenMade = defineEvent({
  type: 'ApiTokenMade',
  schemaVersion: 1,
  data: v.object({
    tokenId,
    scopes: v.array(v.picklist(TOKEN_SCOPES)),
    expiresAt: v.nullable(instant),
    by,
    from: nullableOrigin,
  }),
  personal: null,
})

/** A token was revoked and no longer works. */
export const apiTokenRevoked = defineEvent({
  type: 'ApiTokenRevoked',
  schemaVersion: 1,
  data: v.object({ tokenId, by, from: nullableOrigin }),
  personal: null,
})

/** The changes of a webhook. `failed`: it accepted nothing for a day, or responded with 410, and was paused. */
export const WEBHOOK_CHANGES = [
  'made',
  'edited',
  'paused',
  'resumed',
  'rotated',
  'tested',
  'failed',
  'removed',
] as const

/**
 * A webhook was changed. Its address is in the table of webhooks; `host` is its host at that time, after an edit the
 * new one.
 */
export const webhookChanged = defineEvent({
  type: 'WebhookChanged',
  schemaVersion: 1,
  data: v.object({
    webhookId: uuid,
    change: v.picklist(WEBHOOK_CHANGES),
    topics: v.exactOptional(v.array(v.picklist(WEBHOOK_TOPICS))),
    host: v.exactOptional(v.string()),
    by,
    from: nullableOrigin,
  }),
  personal: null,
})

/** The events in the history of accounts. */
export const accountEvents = [
  staffSignedIn,
  staffSignInFailed,
  staffSignInsCounted,
  staffPasswordChanged,
  staffRoleChanged,
  staffAccountAdded,
  staffAccountRemoved,
  staffSignInLinkMade,
  staffPasswordLinkMade,
  staffTwoFactorOn,
  staffTwoFactorOff,
  staffRecoveryCodesMade,
  staffRecoveryCodeUsed,
  staffCodeFailed,
  staffSignInRulesChanged,
  staffAlertsChanged,
  staffProfileChanged,
  apiTokenMade,
  apiTokenRevoked,
  webhookChanged,
] as const

type Definition = (typeof accountEvents)[number]

export type AccountEvent = RecordedEvent<Definition>
export type NewAccountEvent = NewEvent<Definition>

/** The types of events in the history of accounts. Those that a newer version adds are skipped. */
export const ACCOUNT_EVENTS = [
  'StaffSignedIn',
  'StaffSignInFailed',
  'StaffSignInsCounted',
  'StaffPasswordChanged',
  'StaffRoleChanged',
  'StaffAccountAdded',
  'StaffAccountRemoved',
  'StaffSignInLinkMade',
  'StaffPasswordLinkMade',
  'StaffTwoFactorOn',
  'StaffTwoFactorOff',
  'StaffRecoveryCodesMade',
  'StaffRecoveryCodeUsed',
  'StaffCodeFailed',
  'StaffSignInRulesChanged',
  'StaffAlertsChanged',
  'StaffProfileChanged',
  'ApiTokenMade',
  'ApiTokenRevoked',
  'WebhookChanged',
] as const satisfies readonly AccountEvent['type'][]

/** The events of the staff's accounts: one stream, whose versions locate every page of the history. */
export const ACCOUNTS_STREAM: StreamOf<AccountEvent> = 'accounts'
