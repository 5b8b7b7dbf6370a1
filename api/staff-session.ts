import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { Me } from '../events/staff.ts'
import type { ApiNode } from './node.ts'

const COOKIE = 'staff_session'
const SESSION_DAYS = 7
const TOKEN_BYTES = 32

/** Who is signed in by a session. */
export type SignedInStaff = Me & { tokenHash: Buffer }

const hashOf = (token: string) => createHash('sha256').update(token).digest()

const readToken = async ({ config }: ApiNode, c: Context) =>
  (await getSignedCookie(c, config.sessionSecret, COOKIE)) || undefined

const findSession = async ({ sql }: ApiNode, tokenHash: Buffer): Promise<SignedInStaff | undefined> => {
  const [staff] = await sql<Me[]>`
    select staff.id, staff.username, staff.display_name as "displayName", staff.role
    from staff_sessions join staff on staff.id = staff_sessions.staff_id
    where token_hash = ${tokenHash} and expires_at > now()`
  return staff && { ...staff, tokenHash }
}

/** Begins a session on the server and gives the browser its cookie. */
export const beginSession = async ({ sql, config }: ApiNode, c: Context, staffId: string): Promise<void> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expires = new Date(Date.now() + SESSION_DAYS * 24 * 60 * 60 * 1000)
  await sql`delete from staff_sessions where expires_at < now()`
  await sql`insert into staff_sessions (token_hash, staff_id, expires_at) values (${hashOf(token)}, ${staffId}, ${expires})`
  await setSignedCookie(c, COOKIE, token, config.sessionSecret, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: config.publicUrl.startsWith('https:'),
    path: '/',
    expires,
  })
}

/** Who is signed in by the request's cookie. */
export const readSession = async (node: ApiNode, c: Context): Promise<SignedInStaff | undefined> => {
  const token = await readToken(node, c)
  return token === undefined ? undefined : await findSession(node, hashOf(token))
}

/** Which of some sessions still stand. */
export const standingSessions = async ({ sql }: ApiNode, tokenHashes: Buffer[]): Promise<Set<string>> => {
  const rows = await sql<{ hash: string }[]>`
    select encode(token_hash, 'hex') as hash from staff_sessions
    where encode(token_hash, 'hex') in ${sql(tokenHashes.map((hash) => hash.toString('hex')))} and expires_at > now()`
  return new Set(rows.map(({ hash }) => hash))
}

/** Ends the request's session, on all nodes. */
export const endSession = async ({ sql }: ApiNode, c: Context, { tokenHash }: SignedInStaff): Promise<void> => {
  await sql`delete from staff_sessions where token_hash = ${tokenHash}`
  deleteCookie(c, COOKIE, { path: '/' })
}
