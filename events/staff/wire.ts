import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { ALERTS, LEADS_LAYOUTS, STAFF_ROLES } from './staff.ts'

/** Address of a photo; null for none. */
const photo = v.nullable(v.string())

/**
 * The response of `GET /api/me`: the signed-in staff member. `mustSetUpTwoFactor`: everything else is refused until
 * then. `leadsLayout`: how their list of leads opens.
 */
export const me = v.object({
  id: v.string(),
  username: v.string(),
  displayName: v.string(),
  role: oneOf(STAFF_ROLES),
  mustSetUpTwoFactor: v.exactOptional(v.boolean()),
  leadsLayout: oneOf(LEADS_LAYOUTS),
  photo,
})

export type Me = Received<typeof me>

/** The origin of an action, in a form that cannot identify a person; `isHere`: the caller comes from the same place. */
export const actionOrigin = v.object({
  network: v.string(),
  browser: v.string(),
  system: v.string(),
  isHere: v.boolean(),
})

export type ActionOrigin = Received<typeof actionOrigin>

/** The response of `GET /api/me/sessions`: the sessions of the staff member, newest first. `isThis` is the caller's. */
export const sessions = v.array(
  v.object({
    id: v.string(),
    begunAt: v.pipe(v.string(), v.isoTimestamp()),
    from: v.nullable(actionOrigin),
    isThis: v.boolean(),
  }),
)

export type Session = Received<typeof sessions>[number]

/**
 * The response of `GET /api/me/alerts`: the chosen alerts, and the address for emails; null for none. `isPossible`: this
 * site can send email to individuals; false too if the node does not know, which `isUnknown` says.
 */
export const alertSettings = v.object({
  email: v.nullable(v.string()),
  alerts: v.array(oneOf(ALERTS)),
  isPossible: v.boolean(),
  isUnknown: v.exactOptional(v.boolean()),
})

export type AlertSettings = Received<typeof alertSettings>

const { mustSetUpTwoFactor: _, photo: __, leadsLayout: ___, ...person } = me.entries

/** The response of `GET /api/me/push`: the key that browsers subscribe to notifications with, in base64url. */
export const pushKey = v.object({ publicKey: v.string() })

/** An account, for owners. `createdAt` is an ISO 8601 instant. */
export const account = v.object({
  ...person,
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  hasTwoFactor: v.boolean(),
})

export type Account = Received<typeof account>

/** The response of `GET /api/accounts`, by name. */
export const accounts = v.array(account)

/**
 * The response of `POST /api/accounts/:id/password-link`: the address to hand over, which works once, until it expires.
 */
export const passwordLink = v.object({ address: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) })

/** The response of `POST /api/login/forgotten`. `isPossible`: this site can send email to individuals. */
export const passwordLinkPossible = v.object({ isPossible: v.boolean() })

/** The response of `POST /api/login/password-link`. `isOpen`: a new password can still be chosen by this link. */
export const passwordLinkState = v.object({ isOpen: v.boolean() })

/** The response of `GET /api/me/two-factor`: whether the second factor is on, and how many recovery codes are left. */
export const twoFactor = v.object({ isOn: v.boolean(), codesLeft: v.number(), isRequired: v.boolean() })

export type TwoFactor = Received<typeof twoFactor>

/** The response of `POST /api/me/two-factor/secret`: for an authenticator app, as text and as an address (otpauth). */
export const twoFactorSecret = v.object({ secret: v.string(), uri: v.string() })

/** Recovery codes, shown only this once. */
export const recoveryCodes = v.object({ codes: v.array(v.string()) })

/** The response of `GET /api/accounts/sign-in-rules`: the owners' requirements for all staff. */
export const signInRules = v.object({ requiresTwoFactor: v.boolean() })

const savedView = v.object({ id: v.string(), name: v.string(), query: v.string() })

export type SavedView = Received<typeof savedView>

/** The response of `GET /api/me/views`: the staff member's saved lists of leads, by name. */
export const savedViews = v.array(savedView)

/** A person at the agency. */
export const colleague = v.object({ id: v.string(), displayName: v.string(), photo })

export type Colleague = Received<typeof colleague>

/** The response of `GET /api/staff`, by name. */
export const colleagues = v.array(colleague)
