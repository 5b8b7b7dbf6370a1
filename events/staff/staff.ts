import * as v from 'valibot'
import { photo } from '../base/photo.ts'
import { requiredEmail, requiredText } from '../base/text.ts'
import type { Sent } from '../base/word.ts'
import type * as wire from './wire.ts'

/** The shortest password that a staff account may have, in characters. */
export const MIN_PASSWORD_CHARACTERS = 8
const MAX_PASSWORD_CHARACTERS = 1_000
const MAX_LINK_CHARACTERS = 100
const MAX_NAME_CHARACTERS = 100
const MAX_CODE_CHARACTERS = 40

/**
 * The permissions of staff: an owner also manages accounts and settings and erases people; an agent works with leads
 * and chats.
 */
export const STAFF_ROLES = ['owner', 'agent'] as const

/** How the list of leads opens for an account: today's leads as cards, or the open ones in rows. */
export const LEADS_LAYOUTS = ['cards', 'list'] as const

export type LeadsLayout = (typeof LEADS_LAYOUTS)[number]

/** The choice of a layout; the body of `POST /api/me/leads-layout`. */
export const leadsLayoutForm = v.strictObject({
  leadsLayout: v.picklist(LEADS_LAYOUTS, `Must be one of: ${LEADS_LAYOUTS.join(', ')}`),
})

export type StaffRole = (typeof STAFF_ROLES)[number]

/** A password to be checked. The limit bounds the cost of its hash. */
const knownPassword = v.pipe(
  v.nullish(v.string('Password is required'), ''),
  v.minLength(1, 'Password is required'),
  v.maxLength(MAX_PASSWORD_CHARACTERS, `Must be at most ${MAX_PASSWORD_CHARACTERS} characters`),
)

/** A new password. */
export const newPassword = v.pipe(
  knownPassword,
  v.minLength(MIN_PASSWORD_CHARACTERS, `Must be at least ${MIN_PASSWORD_CHARACTERS} characters`),
)

/** The name that a staff member signs in with; it never changes. */
export const username = v.pipe(
  requiredText('Username is required', { max: MAX_NAME_CHARACTERS }),
  v.regex(/^\S+$/, 'Must not contain spaces'),
)

const displayName = requiredText('Name is required', { max: MAX_NAME_CHARACTERS })
const role = v.picklist(STAFF_ROLES, 'Choose a role')

/**
 * The form by which staff sign in; the body of `POST /api/login`. `link` is the token of a link (`npm run staff --
 * link`), `code` that of an authenticator app, or a recovery code.
 */
export const signIn = v.object({
  username: requiredText('Username is required', { max: MAX_NAME_CHARACTERS }),
  password: knownPassword,
  link: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_LINK_CHARACTERS))),
  code: v.exactOptional(v.pipe(v.string(), v.maxLength(MAX_CODE_CHARACTERS))),
})

const code = requiredText('A code is required', { max: MAX_CODE_CHARACTERS })

/**
 * Sets up the second factor of a staff member; the body of `POST /api/me/two-factor`. `code` proves that an app has the
 * secret.
 */
export const twoFactorForm = v.object({
  secret: v.pipe(v.string(), v.regex(/^[A-Z2-7]{32}$/)),
  code,
})

/**
 * The password again, before a change that a stranger at an open screen must not make; the body of
 * `POST /api/me/confirm`. `code` is needed if the account has a second factor: of its app, or a recovery code.
 */
export const confirmation = v.strictObject({
  password: knownPassword,
  code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(MAX_CODE_CHARACTERS)), ''),
})

/** The owners' requirements for all staff; the body of `PUT /api/accounts/sign-in-rules`. */
export const signInRulesForm = v.strictObject({ requiresTwoFactor: v.boolean() })

export type SignInRules = v.InferOutput<typeof signInRulesForm>

/** Requests a link to choose a new password by email; the body of `POST /api/login/forgotten`. */
export const forgottenPassword = v.strictObject({
  username: requiredText('Username is required', { max: MAX_NAME_CHARACTERS }),
})

const token = v.pipe(v.string(), v.maxLength(MAX_LINK_CHARACTERS))

/** Asks whether a link to choose a new password is still valid; the body of `POST /api/login/password-link`. */
export const openedPasswordLink = v.strictObject({ token })

/** The choice of a new password by a link; the body of `POST /api/login/password`. */
export const passwordByLink = v.strictObject({ token, password: newPassword })

/** A new account; the body of `POST /api/accounts`. */
export const accountForm = v.strictObject({ username, displayName, role, password: newPassword })

/**
 * Whether the tokens and webhooks of an owner who is removed or becomes an agent end, or go to the owner who acts; the
 * query of `DELETE /api/accounts/:id`.
 */
export const leavingOwner = v.object({
  tokens: v.optional(v.picklist(['revoke', 'hand_over'], 'Must be one of: revoke, hand_over'), 'revoke'),
  webhooks: v.optional(v.picklist(['pause', 'hand_over'], 'Must be one of: pause, hand_over'), 'pause'),
})

export type LeavingOwner = v.InferOutput<typeof leavingOwner>

/** An owner's change of an account; the body of `PATCH /api/accounts/:id`. */
export const accountChange = v.strictObject({
  ...leavingOwner.entries,
  displayName: v.exactOptional(displayName),
  role: v.exactOptional(role),
  password: v.exactOptional(newPassword),
})

export type AccountChange = v.InferInput<typeof accountChange>

/** A staff member's profile for colleagues; the body of `POST /api/me/profile`. Missing fields stay as they are. */
export const profileForm = v.strictObject({ displayName: v.exactOptional(displayName), photo: v.exactOptional(photo) })

export type Profile = v.InferOutput<typeof profileForm>

const ownPassword = { current: knownPassword, next: newPassword }
const ANOTHER = 'Choose a different password'

/** The change of one's own password; the body of `POST /api/me/password`. */
export const passwordChange = v.pipe(
  v.strictObject(ownPassword),
  v.forward(
    v.partialCheck([['current'], ['next']], ({ current, next }) => next !== current, ANOTHER),
    ['next'],
  ),
)

const address = requiredEmail('Enter a valid email address')

/**
 * The alerts that an account may choose, each by its subject and its way: `page` in browsers with an open staff page,
 * `device` on devices that are notified, `email`. `late` is for leads without a reply, `webhook` for paused ones.
 */
export const ALERTS = [
  'new-page',
  'new-device',
  'new-email',
  'late-device',
  'late-email',
  'chat-page',
  'chat-device',
  'handed-page',
  'message-page',
  'webhook-email',
] as const

export type Alert = (typeof ALERTS)[number]

/** Whether only owners get an alert. */
export const isForOwners = (alert: Alert): boolean => /^(late|webhook)-/.test(alert)

/**
 * The alerts of an account, and the address of its emails; the body of `POST /api/me/alerts`. Without an address there
 * are no emails. Links to choose a new password go to that address too, so another one has to be confirmed.
 */
export const alertForm = v.object({
  email: v.pipe(
    v.nullish(v.string(), ''),
    v.trim(),
    v.check((text) => text === '' || v.is(address, text), 'Enter a valid email address'),
    v.transform((text) => text || null),
  ),
  alerts: v.pipe(
    v.array(v.picklist(ALERTS, `Must be of: ${ALERTS.join(', ')}`)),
    v.maxLength(ALERTS.length, 'Each alert once'),
    v.transform((chosen) => ALERTS.filter((alert) => chosen.includes(alert))),
  ),
})

export type AlertForm = v.InferOutput<typeof alertForm>

/** The same as one fills it in, with the new password typed twice. */
export const passwordForm = v.pipe(
  v.strictObject({ ...ownPassword, repeat: v.nullish(v.string(), '') }),
  v.forward(
    v.partialCheck([['current'], ['next']], ({ current, next }) => next !== current, ANOTHER),
    ['next'],
  ),
  v.forward(
    v.partialCheck([['next'], ['repeat']], ({ next, repeat }) => repeat === next, 'This is not the same password'),
    ['repeat'],
  ),
)

/** The signed-in staff member, as this version sends them. */
export type Me = Sent<typeof wire.me>

/** An account as this version sends it. */
export type Account = Sent<typeof wire.account>

/** A person at the agency, as this version sends them. */
export type Colleague = Sent<typeof wire.colleague>

/** The name of a staff member who has left, at the start of a text and within a sentence. */
export const FORMER_COLLEAGUE = 'A former colleague'
export const A_FORMER_COLLEAGUE = 'a former colleague'
