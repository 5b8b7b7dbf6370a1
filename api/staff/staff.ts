import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Sql } from '../../events/log/connection.ts'
import { actAs } from '../../events/log/context.ts'
import { type Colleague, type Me, passwordChange, profileForm } from '../../events/staff.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { findStaff, replacePassword } from './account.ts'
import { attempt, countFailure } from './attempt.ts'
import { ownAlertRoutes } from './own-alerts.ts'
import { answerOwnSessions, endOwnSession } from './own-sessions.ts'
import { ownTwoFactorRoutes } from './own-two-factor.ts'
import { verifyPassword } from './password.ts'
import { photoAddress } from './photo-address.ts'
import { answerPhoto, changeOwnProfile, tellStaffChanged } from './profile.ts'
import { endSession, readSession, type SignedInStaff, tellSessionsEnded } from './session.ts'
import { openTrail } from './trail.ts'
import { whereFrom } from './where-from.ts'

/** What a handler behind `requireStaff` finds in its context. */
export type StaffEnv = { Variables: { staff: SignedInStaff } }

/** Who is signed in, who may still have to set up a second factor, named as who acts. */
const identify = async (node: ApiNode, c: Context): Promise<SignedInStaff> => {
  const staff = await readSession(node, c)
  if (!staff) throw new RequestError('not_signed_in', 'Sign in at /login first')
  actAs({ type: 'staff', id: staff.id })
  c.header('Cache-Control', 'no-store')
  return staff
}

/** Who is signed in with the second factor that owners may require, named as who acts. */
export const identifyStaff = async (node: ApiNode, c: Context): Promise<SignedInStaff> => {
  const staff = await identify(node, c)
  if (staff.isAdmitted) return staff
  throw new RequestError('two_factor_required', 'Set up two-factor sign-in at your account first')
}

/** Lets anyone who is signed in through, who may still have to set up a second factor. */
export const requireSession = (node: ApiNode) =>
  createMiddleware<StaffEnv>(async (c, next) => {
    c.set('staff', await identify(node, c))
    await next()
  })

/** Lets only signed-in staff through who have the second factor that owners may require. */
export const requireStaff = (node: ApiNode) =>
  createMiddleware<StaffEnv>(async (c, next) => {
    c.set('staff', await identifyStaff(node, c))
    await next()
  })

/** Lets only owners through; comes after `requireStaff`. */
export const requireOwner = createMiddleware<StaffEnv>(async (c, next) => {
  if (c.get('staff').role !== 'owner') throw new RequestError('not_allowed', 'Only an owner may do this')
  await next()
})

/** Everybody who works for the agency, by name. */
export const colleagues = (sql: Sql) =>
  sql<Colleague[]>`
    select id, display_name as "displayName", ${photoAddress(sql)} as photo from staff where removed_at is null order by lower(display_name)`

/** The display names of all who work for the agency or did so once, and of programs' tokens, by id. */
export const staffNames = async (sql: Sql): Promise<Map<string, string>> => {
  const rows = await sql<Pick<Colleague, 'id' | 'displayName'>[]>`
    select id, display_name as "displayName" from staff union all select id, name from api_tokens`
  return new Map(rows.map(({ id, displayName }) => [id, displayName]))
}

const meOf = ({ tokenHash: _, isAdmitted, ...me }: SignedInStaff): Me => ({
  ...me,
  ...(!isAdmitted && { mustSetUpTwoFactor: true }),
})

/**
 * `/api/logout`, `/api/me` with its profile, password, sessions and second factor, `/api/staff`. A change of one's password ends one's
 * other sessions. Who has to set up a second factor first can do that, see who they are, and sign out.
 */
export const staffRoutes = (node: ApiNode) => {
  return new Hono<StaffEnv>()
    .post('/logout', requireSession(node), async (c) => {
      await endSession(node, c, c.get('staff'))
      return c.body(null, 204)
    })
    .get('/me', requireSession(node), (c) => c.json(meOf(c.get('staff')) satisfies Me))
    .post('/me/profile', requireStaff(node), async (c) => {
      const { id } = c.get('staff')
      const wanted = await readBody(c, profileForm)
      await node.admission.admit('profile_changes', { account: id })
      const trail = openTrail(node.log, { by: id, from: whereFrom(node, c) })
      await changeOwnProfile(node.sql, id, wanted, trail)
      await tellStaffChanged(node.bus)
      const staff = await readSession(node, c)
      if (!staff) throw new RequestError('not_signed_in', 'Sign in at /login first')
      return c.json(meOf(staff) satisfies Me)
    })
    .use('/me/two-factor/*', requireSession(node))
    .route('/me/two-factor', ownTwoFactorRoutes(node))
    .route('/me/alerts', ownAlertRoutes(node))
    .post('/me/password', requireStaff(node), async (c) => {
      const { current, next } = await readBody(c, passwordChange)
      const { id, username, tokenHash } = c.get('staff')
      const account = await findStaff(node.sql, username)
      const trail = openTrail(node.log, { by: id, from: whereFrom(node, c) })
      const isChanged = await attempt(node, [['failed_password_changes', { account: id }]], async () => {
        const isKnown = await verifyPassword(current, account?.passwordHash, 'known')
        if (!account || !isKnown) return false
        return await replacePassword(node.sql, account, next, { trail, kept: tokenHash })
      })
      if (!isChanged) {
        countFailure(node, c, id)
        throw invalidField('current', 'This is not your current password')
      }
      await tellSessionsEnded(node.bus)
      return c.body(null, 204)
    })
    .get('/me/sessions', requireStaff(node), (c) => answerOwnSessions(node, c))
    .delete('/me/sessions/:id', requireStaff(node), (c) => endOwnSession(node, c, c.req.param('id')))
    .get('/staff', requireStaff(node), async (c) => c.json((await colleagues(node.sql)) satisfies Colleague[]))
    .get('/staff/:id/photo', requireStaff(node), (c) => answerPhoto(node, c, c.req.param('id')))
}
