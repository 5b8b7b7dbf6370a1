import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { STAFF_ROLES } from './staff.ts'

/** Address of a photo; null for none. */
const photo = v.nullable(v.string())

/** The answer of `GET /api/me`: who is signed in. `mustSetUpTwoFactor`: all else is refused until then. */
export const me = v.object({
  id: v.string(),
  username: v.string(),
  displayName: v.string(),
  role: oneOf(STAFF_ROLES),
  mustSetUpTwoFactor: v.exactOptional(v.boolean()),
  photo,
})

export type Me = Received<typeof me>

/**
 * Where something was done from, told so that nobody can be found by it; `isHere`: anyone who asks comes from the same
 * place.
 */
export const fromWhere = v.object({
  network: v.string(),
  browser: v.string(),
  system: v.string(),
  isHere: v.boolean(),
})

export type FromWhere = Received<typeof fromWhere>

/** The answer of `GET /api/me/sessions`: where somebody is signed in, newest first. `isThis` is the one that asks. */
export const sessions = v.array(
  v.object({
    id: v.string(),
    begunAt: v.pipe(v.string(), v.isoTimestamp()),
    from: v.nullable(fromWhere),
    isThis: v.boolean(),
  }),
)

export type Session = Received<typeof sessions>[number]

/**
 * The answer of `GET /api/me/alerts`: what one is told of, and the address for emails; null for none. `onNew` and
 * `onLate` count for emails and devices, `onLate` for owners alone, `onChats` for devices alone. `isPossible`: this
 * site has a way to send email to single people; false too where the node is not told, which `isUnknown` says.
 */
export const alertSettings = v.object({
  email: v.nullable(v.string()),
  onNew: v.boolean(),
  onLate: v.boolean(),
  onChats: v.boolean(),
  isPossible: v.boolean(),
  isUnknown: v.exactOptional(v.boolean()),
})

export type AlertSettings = Received<typeof alertSettings>

const { mustSetUpTwoFactor: _, photo: __, ...person } = me.entries

/** The answer of `GET /api/me/push`: the key that browsers subscribe to notifications with, in base64url. */
export const pushKey = v.object({ publicKey: v.string() })

/** An account, for owners. `createdAt` is an ISO 8601 instant. */
export const account = v.object({
  ...person,
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  hasTwoFactor: v.boolean(),
})

export type Account = Received<typeof account>

/** The answer of `GET /api/accounts`, by name. */
export const accounts = v.array(account)

/** The answer of `POST /api/accounts/:id/password-link`: the address to hand over, which works once, until it expires. */
export const passwordLink = v.object({ address: v.string(), expiresAt: v.pipe(v.string(), v.isoTimestamp()) })

/** The answer of `POST /api/login/forgotten`. `isPossible`: this site has a way to send email to single people. */
export const forgottenAnswer = v.object({ isPossible: v.boolean() })

/** The answer of `POST /api/login/password-link`. `isOpen`: a new password can still be chosen by this link. */
export const passwordLinkState = v.object({ isOpen: v.boolean() })

/** The answer of `GET /api/me/two-factor`: whether one's second factor is on, and how many recovery codes are left. */
export const twoFactor = v.object({ isOn: v.boolean(), codesLeft: v.number(), isRequired: v.boolean() })

export type TwoFactor = Received<typeof twoFactor>

/** The answer of `POST /api/me/two-factor/secret`: for an authenticator app, as text and as an address (otpauth). */
export const twoFactorSecret = v.object({ secret: v.string(), uri: v.string() })

/** Recovery codes, which are shown this once. */
export const recoveryCodes = v.object({ codes: v.array(v.string()) })

/** The answer of `GET /api/accounts/sign-in-rules`: what owners require of everybody. */
export const signInRules = v.object({ requiresTwoFactor: v.boolean() })

const savedView = v.object({ id: v.string(), name: v.string(), query: v.string() })

export type SavedView = Received<typeof savedView>

/** The answer of `GET /api/me/views`: lists of leads that somebody has named, by name. */
export const savedViews = v.array(savedView)

/** Somebody who works for the agency. */
export const colleague = v.object({ id: v.string(), displayName: v.string(), photo })

export type Colleague = Received<typeof colleague>

/** The answer of `GET /api/staff`, by name. */
export const colleagues = v.array(colleague)
