import { Hono } from 'hono'
import { type Colleague, type Me, passwordChange, profileForm } from '../../events/staff.ts'
import { readBody, validate } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { acceptPassword } from './accepted-password.ts'
import { findStaff, replacePassword } from './account.ts'
import { attempt, countFailure } from './attempt.ts'
import { confirm, expectConfirmed } from './confirmation.ts'
import { ownAlertRoutes } from './own-alerts.ts'
import { answerOwnSessions, endOwnSession } from './own-sessions.ts'
import { ownTwoFactorRoutes } from './own-two-factor.ts'
import { verifyPassword } from './password.ts'
import { answerPhoto, changeOwnProfile, tellStaffChanged } from './profile.ts'
import { endSession, readSignedInStaff, rotateSession, type SignedInStaff, tellSessionsEnded } from './session.ts'
import { colleagues, colleaguesQuery, requireSession, requireStaff, type StaffEnv } from './staff.ts'
import { openTrail } from './trail.ts'
import { whereFrom } from './where-from.ts'

const meOf = ({ id, username, displayName, role, photo, isAdmitted }: SignedInStaff): Me => ({
  id,
  username,
  displayName,
  role,
  photo,
  ...(!isAdmitted && { mustSetUpTwoFactor: true }),
})

/**
 * `/api/logout`, `/api/me` with its profile, password, sessions and second factor, `/api/staff`. A change of one's
 * password ends one's other sessions. Who has to set up a second factor first can do that, see who they are, and sign
 * out.
 */
export const signedInRoutes = (node: ApiNode) => {
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
      const staff = await readSignedInStaff(node, c)
      if (!staff) throw new RequestError('not_signed_in', 'Sign in at /login first')
      return c.json(meOf(staff) satisfies Me)
    })
    .post('/me/confirm', requireSession(node), (c) => confirm(node, c))
    .use('/me/two-factor/*', requireSession(node))
    .route('/me/two-factor', ownTwoFactorRoutes(node))
    .route('/me/alerts', ownAlertRoutes(node))
    .post('/me/password', requireStaff(node), async (c) => {
      const { current, next } = await readBody(c, passwordChange)
      const { id, username, tokenHash, hasTwoFactor } = c.get('staff')
      if (hasTwoFactor) expectConfirmed(c)
      const chosen = acceptPassword(next, { username, agencyName: node.config.agency.name }, 'next')
      const account = await findStaff(node.sql, username)
      const trail = openTrail(node.log, { by: id, from: whereFrom(node, c) })
      const isChanged = await attempt(node, [['failed_password_changes', { account: id }]], async () => {
        const isRight = await verifyPassword(current, account?.passwordHash, 'known')
        if (!account || !isRight) return false
        return await replacePassword(node.sql, account, chosen, { trail, kept: tokenHash })
      })
      if (!isChanged) {
        countFailure(node, c, id)
        throw invalidField('current', 'This is not your current password')
      }
      await rotateSession(node, c, c.get('staff'))
      await tellSessionsEnded(node.bus)
      return c.body(null, 204)
    })
    .get('/me/sessions', requireStaff(node), (c) => answerOwnSessions(node, c))
    .delete('/me/sessions/:id', requireStaff(node), (c) => endOwnSession(node, c, c.req.param('id')))
    .get('/staff', requireStaff(node), async (c) => {
      const hasFormer = validate(colleaguesQuery, c.req.query()).former === 'true'
      return c.json((await colleagues(node.sql, { hasFormer })) satisfies Colleague[])
    })
    .get('/staff/:id/photo', requireStaff(node), (c) => answerPhoto(node, c, c.req.param('id')))
}
