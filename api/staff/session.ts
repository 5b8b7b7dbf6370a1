import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { From } from '../../events/staff/account-history.ts'
import type { Me } from '../../events/staff/staff.ts'
import { isAdmitted, isValidSession } from '../../events/staff/store/valid-session.ts'
import { inTransaction, type Sql, type Transaction } from '../../events/stores/connection.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import type { ApiNode } from '../node/node.ts'
import type { StaffAccount } from './account.ts'
import { isValidToken } from './api-token.ts'
import { photoAddress } from './photo-address.ts'
import { deleteStaffCookie, hasHostCookies, readStaffCookie, writeStaffCookie } from './staff-cookie.ts'

/** The channel that notifies nodes of ended sessions. */
export const SESSIONS_CHANNEL = 'staff-sessions'

const COOKIE = 'staff_session'
const SESSION_DAYS = 7
const TOKEN_BYTES = 32

/** The staff member of a session. */
export type SignedInStaff = Omit<Me, 'mustSetUpTwoFactor'> & {
  tokenHash: Buffer
  hasTwoFactor: boolean
  /** Whether the password, and the second factor, were entered recently. */
  isConfirmed: boolean
  /** Whether the session has the second factor that owners may require. Without it only that can be set up. */
  isAdmitted: boolean
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url')

/** The token of a request's cookie. `isHostOnly`: no other host of the domain can have set it. */
export type SessionToken = { token: string; isHostOnly: boolean }

/**
 * The token of the request's cookie, if one of our keys has signed it. Its session may have ended: no query is made.
 */
export const signedToken = async (
  { config }: Pick<ApiNode, 'config'>,
  c: Context,
): Promise<SessionToken | undefined> => {
  if (hasHostCookies(config)) {
    const token = await readStaffCookie(config, c, COOKIE, 'host')
    if (token) return { token, isHostOnly: true }
  }
  const token = await readStaffCookie(config, c, COOKIE)
  return token ? { token, isHostOnly: false } : undefined
}

/** Whether a cookie names a session: one that began with a `__Host-` cookie accepts no other. */
const isNamedBy = (sql: Sql, { token, isHostOnly }: SessionToken) =>
  sql`(token_hash = ${hashOf(token)} and is_host_only <= ${isHostOnly})`

/** Finds the staff member of a session; stores its last use every few minutes at most. */
const findSession = async ({ sql, config }: ApiNode, named: SessionToken): Promise<SignedInStaff | undefined> => {
  const [found] = await sql<(SignedInStaff & { isNoteDue: boolean })[]>`
    select staff.id, staff.username, staff.display_name as "displayName", staff.role, ${isAdmitted(sql)} as "isAdmitted",
      ${photoAddress(sql)} as photo, leads_layout as "leadsLayout", token_hash as "tokenHash", staff.totp_event is not null as "hasTwoFactor",
      coalesce(confirmed_at > now() - make_interval(secs => ${config.confirmationSeconds}), false) as "isConfirmed",
      last_seen_at < now() - interval '5 minutes' as "isNoteDue"
    from staff_sessions join staff on staff.id = staff_sessions.staff_id
    where ${isNamedBy(sql, named)} and ${isValidSession(sql)}`
  if (!found) return undefined
  const { isNoteDue, ...staff } = found
  if (isNoteDue) await sql`update staff_sessions set last_seen_at = now() where token_hash = ${staff.tokenHash}`
  return staff
}

const setSessionCookie = ({ config }: Pick<ApiNode, 'config'>, c: Context, token: string, expires: Date) =>
  writeStaffCookie(config, c, COOKIE, token, { expires })

/**
 * Begins a session on the server and gives the browser its cookie. Returns false if the password that was checked, or
 * the second factor, has been replaced since then: a session by the old one would outlive it. `from` is shown to its
 * owner; `claim` uses up a code and returns whether it counts, in the same transaction; `note` records the sign-in
 * before it takes effect. The session of the request's own cookie ends.
 */
export const beginSession = async (
  node: ApiNode,
  c: Context,
  { id, passwordHash, totpEvent }: Pick<StaffAccount, 'id' | 'passwordHash' | 'totpEvent'>,
  { from, claim, note }: { from: From; claim: (tx: Transaction) => Promise<boolean>; note: () => Promise<void> },
): Promise<boolean> => {
  const { sql, config, bus } = node
  const token = newToken()
  const expires = new Date(Date.now() + SESSION_DAYS * 24 * 60 * 60 * 1000)
  await sql`delete from staff_sessions where expires_at < now()`
  const hasStarted = await inTransaction(sql, async (tx) => {
    if (!(await claim(tx))) return false
    const inserted = await tx`
      insert into staff_sessions (token_hash, staff_id, expires_at, begun_from, totp_event, confirmed_at, is_host_only)
      select ${hashOf(token)}, id, ${expires}, ${tx.json(from)}, totp_event, now(), ${hasHostCookies(config)} from staff
      where id = ${id} and password_hash = ${passwordHash} and totp_event is not distinct from ${totpEvent}
      for share returning 1`
    if (inserted.length > 0) await note()
    return inserted.length > 0
  })
  if (!hasStarted) return false
  const before = await signedToken(node, c)
  await setSessionCookie(node, c, token, expires)
  const ended = before && (await sql`delete from staff_sessions where ${isNamedBy(sql, before)} returning 1`)
  if (ended?.length) await notifySessionsEnded(bus)
  return true
}

/**
 * Gives the request's session another token, so that a stolen one no longer signs in. Call it before
 * `notifySessionsEnded`, which closes the sockets and streams of the old token.
 */
export const rotateSession = async (node: ApiNode, c: Context, { tokenHash }: SignedInStaff): Promise<void> => {
  const token = newToken()
  const [session] = await node.sql<{ expires: Date }[]>`
    update staff_sessions set token_hash = ${hashOf(token)}, is_host_only = ${hasHostCookies(node.config)}
    where token_hash = ${tokenHash} returning expires_at as expires`
  if (session) await setSessionCookie(node, c, token, session.expires)
}

/** The staff member who is signed in by a cookie's token, with the second factor that owners may require. */
export const sessionOf = async (node: ApiNode, named: SessionToken | undefined): Promise<SignedInStaff | undefined> => {
  const staff = named && (await findSession(node, named))
  return staff?.isAdmitted ? staff : undefined
}

/** The staff member who is signed in by the request's cookie, with or without that second factor. */
export const readSignedInStaff = async (node: ApiNode, c: Context): Promise<SignedInStaff | undefined> => {
  const named = await signedToken(node, c)
  return named && (await findSession(node, named))
}

/** The given sessions and tokens of programs that are still valid; sessions only with that second factor. */
export const findValidSessions = async ({ sql }: ApiNode, tokenHashes: Buffer[]): Promise<Set<string>> => {
  const hashes = tokenHashes.map((hash) => hash.toString('hex'))
  const isGiven = sql`any (array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as given (hash)))`
  const rows = await sql<{ hash: string }[]>`
    select encode(token_hash, 'hex') as hash from staff_sessions join staff on staff.id = staff_sessions.staff_id
    where ${isValidSession(sql)} and ${isAdmitted(sql)} and token_hash = ${isGiven}
    union all
    select encode(token_hash, 'hex') from api_tokens where ${isValidToken(sql)} and token_hash = ${isGiven}`
  return new Set(rows.map(({ hash }) => hash))
}

/** Notifies all nodes of ended sessions; while Redis is away they find out within seconds. */
export const notifySessionsEnded = async (bus: Pick<Bus, 'publish'>): Promise<void> => {
  await bus.publish(SESSIONS_CHANNEL, '')
}

/** Ends the request's session, on all nodes. */
export const endSession = async (
  { sql, bus, config }: ApiNode,
  c: Context,
  { tokenHash }: SignedInStaff,
): Promise<void> => {
  await sql`delete from staff_sessions where token_hash = ${tokenHash}`
  await notifySessionsEnded(bus)
  deleteStaffCookie(config, c, COOKIE)
}
