import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { From } from '../../events/account-history.ts'
import type { Bus } from '../../events/log/bus.ts'
import { inTransaction, type Transaction } from '../../events/log/connection.ts'
import { isAdmitted, isStandingSession } from '../../events/log/standing-session.ts'
import type { Me } from '../../events/staff.ts'
import type { ApiNode } from '../node.ts'
import type { StaffAccount } from './account.ts'
import { isStanding } from './api-token.ts'
import { photoAddress } from './photo-address.ts'

/** The channel on which it is told that sessions have ended, somewhere. */
export const SESSIONS_CHANNEL = 'staff-sessions'

const COOKIE = 'staff_session'
const SESSION_DAYS = 7
const TOKEN_BYTES = 32

/** Who is signed in by a session. */
export type SignedInStaff = Omit<Me, 'mustSetUpTwoFactor'> & {
  tokenHash: Buffer
  /** Has the second factor that owners may require. Without it only that can be set up. */
  isAdmitted: boolean
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * The token of the request's cookie, where one of our keys has signed it. It says nothing about whether its session still
 * goes on: no query is made.
 */
export const signedToken = async ({ config }: Pick<ApiNode, 'config'>, c: Context): Promise<string | undefined> => {
  for (const key of config.secretKeys.cookies) {
    const token = await getSignedCookie(c, key, COOKIE)
    if (token) return token
  }
  return undefined
}

const findSession = async ({ sql }: ApiNode, tokenHash: Buffer): Promise<SignedInStaff | undefined> => {
  const [staff] = await sql<Omit<SignedInStaff, 'tokenHash'>[]>`
    select staff.id, staff.username, staff.display_name as "displayName", staff.role, ${isAdmitted(sql)} as "isAdmitted",
      ${photoAddress(sql)} as photo
    from staff_sessions join staff on staff.id = staff_sessions.staff_id
    where token_hash = ${tokenHash} and ${isStandingSession(sql)}`
  return staff && { ...staff, tokenHash }
}

/**
 * Begins a session on the server and gives the browser its cookie; answers false where the password that was checked
 * has been replaced meanwhile, or the second factor: a session by the old one would outlive it. `from` is shown to its
 * owner; `claim` uses up a code and returns whether it counts, in the same transaction; `note` writes the sign-in down
 * before it holds.
 */
export const beginSession = async (
  { sql, config }: ApiNode,
  c: Context,
  { id, passwordHash, totpEvent }: Pick<StaffAccount, 'id' | 'passwordHash' | 'totpEvent'>,
  { from, claim, note }: { from: From; claim: (tx: Transaction) => Promise<boolean>; note: () => Promise<void> },
): Promise<boolean> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires = new Date(Date.now() + SESSION_DAYS * 24 * 60 * 60 * 1000)
  await sql`delete from staff_sessions where expires_at < now()`
  const hasBegun = await inTransaction(sql, async (tx) => {
    if (!(await claim(tx))) return false
    const begun = await tx`
      insert into staff_sessions (token_hash, staff_id, expires_at, begun_from, totp_event)
      select ${hashOf(token)}, id, ${expires}, ${tx.json(from)}, totp_event from staff
      where id = ${id} and password_hash = ${passwordHash} and totp_event is not distinct from ${totpEvent}
      for share returning 1`
    if (begun.length > 0) await note()
    return begun.length > 0
  })
  if (!hasBegun) return false
  await setSignedCookie(c, COOKIE, token, config.secretKeys.cookies[0], {
    httpOnly: true,
    sameSite: 'Strict',
    secure: config.publicUrl.startsWith('https:'),
    path: '/',
    expires,
  })
  return true
}

/** Who is signed in by a token of a cookie (`signedToken`), with the second factor that owners may require. */
export const sessionOf = async (node: ApiNode, token: string | undefined): Promise<SignedInStaff | undefined> => {
  const staff = token === undefined ? undefined : await findSession(node, hashOf(token))
  return staff?.isAdmitted ? staff : undefined
}

/** Who is signed in by the request's cookie, also without the second factor that owners may require. */
export const readSignedInStaff = async (node: ApiNode, c: Context): Promise<SignedInStaff | undefined> => {
  const token = await signedToken(node, c)
  return token === undefined ? undefined : await findSession(node, hashOf(token))
}

/** Which of some sessions and tokens of programs still stand; sessions with the second factor that owners may require. */
export const standingSessions = async ({ sql }: ApiNode, tokenHashes: Buffer[]): Promise<Set<string>> => {
  const hashes = tokenHashes.map((hash) => hash.toString('hex'))
  const given = sql`any (array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as given (hash)))`
  const rows = await sql<{ hash: string }[]>`
    select encode(token_hash, 'hex') as hash from staff_sessions join staff on staff.id = staff_sessions.staff_id
    where ${isStandingSession(sql)} and ${isAdmitted(sql)} and token_hash = ${given}
    union all
    select encode(token_hash, 'hex') from api_tokens where ${isStanding(sql)} and token_hash = ${given}`
  return new Set(rows.map(({ hash }) => hash))
}

/** Tells all nodes that sessions have ended; while Redis is away they find out within seconds. */
export const tellSessionsEnded = async (bus: Pick<Bus, 'publish'>): Promise<void> => {
  await bus.publish(SESSIONS_CHANNEL, '')
}

/** Calls back when sessions have ended somewhere, for a look whether one's own still stand; answers how to stop that. */
export const onSessionsEnded = (bus: Bus, listener: () => void): (() => void) => {
  bus.subscribe(SESSIONS_CHANNEL, listener)
  return () => bus.unsubscribe(SESSIONS_CHANNEL, listener)
}

/** Ends the request's session, on all nodes. */
export const endSession = async ({ sql, bus }: ApiNode, c: Context, { tokenHash }: SignedInStaff): Promise<void> => {
  await sql`delete from staff_sessions where token_hash = ${tokenHash}`
  await tellSessionsEnded(bus)
  deleteCookie(c, COOKIE, { path: '/' })
}
