import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Sql } from '../../events/log/connection.ts'
import { actAs } from '../../events/log/context.ts'
import { type Colleague, type Me, passwordChange, signIn } from '../../events/staff.ts'
import { readBody } from '../body.ts'
import { clientAddress } from '../client-address.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { limitRate } from '../rate-limit.ts'
import { findStaff, replacePassword } from './account.ts'
import { verifyPassword } from './password.ts'
import { beginSession, endSession, readSession, type SignedInStaff, tellSessionsEnded } from './session.ts'

const MAX_FAILURES = 10
const MAX_FAILURES_OF_ADDRESS = 50
const FAILURE_WINDOW_S = 15 * 60

/** What a handler behind `requireStaff` finds in its context. */
export type StaffEnv = { Variables: { staff: SignedInStaff } }

/** Lets only signed-in staff through, and names them as who acts. */
export const requireStaff = (node: ApiNode) =>
  createMiddleware<StaffEnv>(async (c, next) => {
    const staff = await readSession(node, c)
    if (!staff) throw new RequestError('not_signed_in', 'Sign in at /login first')
    actAs({ type: 'staff', id: staff.id })
    c.set('staff', staff)
    c.header('Cache-Control', 'no-store')
    await next()
  })

/** Lets only owners through; stands behind `requireStaff`. */
export const requireOwner = createMiddleware<StaffEnv>(async (c, next) => {
  if (c.get('staff').role !== 'owner') throw new RequestError('not_allowed', 'Only an owner may do this')
  await next()
})

/** Everybody who works for the agency, by name. */
export const colleagues = (sql: Sql) =>
  sql<Colleague[]>`
    select id, display_name as "displayName" from staff where removed_at is null order by lower(display_name)`

/** The display names of all who work for the agency or did so once, by id. */
export const staffNames = async (sql: Sql): Promise<Map<string, string>> => {
  const rows = await sql<Colleague[]>`select id, display_name as "displayName" from staff`
  return new Map(rows.map(({ id, displayName }) => [id, displayName]))
}

/**
 * `/api/login`, `/api/logout`, `/api/me` and its password, `/api/staff`. A wrong password takes as long as a wrong
 * name; ten in a quarter of an hour are enough for one account, fifty for one address. A change of one's password ends
 * one's other sessions.
 */
export const staffRoutes = (node: ApiNode) => {
  const ofAccount = limitRate(node, { name: 'login', points: MAX_FAILURES, windowS: FAILURE_WINDOW_S })
  const ofAddress = limitRate(node, { name: 'address', points: MAX_FAILURES_OF_ADDRESS, windowS: FAILURE_WINDOW_S })
  const ofPassword = limitRate(node, { name: 'password', points: MAX_FAILURES, windowS: FAILURE_WINDOW_S })
  return new Hono<StaffEnv>()
    .post('/login', async (c) => {
      const { username, password } = await readBody(c, signIn)
      const address = clientAddress(node, c)
      const account = await findStaff(node.sql, username)
      const who = `${address} ${account?.id ?? username.toLowerCase()}`
      await ofAddress.consume(address)
      await ofAccount.consume(who)
      const isKnown = await verifyPassword(password, account?.passwordHash)
      if (!account || !isKnown || !(await beginSession(node, c, account))) {
        throw new RequestError('wrong_credentials', 'The username or the password is wrong')
      }
      await Promise.all([ofAccount.giveBack(who), ofAddress.giveBack(address)])
      return c.body(null, 204)
    })
    .post('/logout', requireStaff(node), async (c) => {
      await endSession(node, c, c.get('staff'))
      return c.body(null, 204)
    })
    .get('/me', requireStaff(node), (c) => {
      const { tokenHash: _, ...me } = c.get('staff')
      return c.json(me satisfies Me)
    })
    .post('/me/password', requireStaff(node), async (c) => {
      const { current, next } = await readBody(c, passwordChange)
      const { id, username, tokenHash } = c.get('staff')
      await ofPassword.consume(id)
      const account = await findStaff(node.sql, username)
      const isKnown = await verifyPassword(current, account?.passwordHash)
      if (!account || !isKnown || !(await replacePassword(node.sql, account, next, tokenHash))) {
        throw invalidField('current', 'This is not your current password')
      }
      await ofPassword.giveBack(id)
      await tellSessionsEnded(node.bus)
      return c.body(null, 204)
    })
    .get('/staff', requireStaff(node), async (c) => c.json((await colleagues(node.sql)) satisfies Colleague[]))
}
