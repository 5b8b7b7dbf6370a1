import { sniffedType } from '../../events/chat/file.ts'
import { confirmation, leadsLayoutForm, type Me, passwordChange, profileForm } from '../../events/staff/staff.ts'
import * as wire from '../../events/staff/wire.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { acceptPassword } from './accepted-password.ts'
import { findStaff, replacePassword } from './account.ts'
import { confirm, expectConfirmed } from './confirmation.ts'
import { attempt, countFailure } from './limited-attempt.ts'
import { verifyPassword } from './password.ts'
import { changeOwnProfile, notifyStaffChanged } from './profile.ts'
import { endSession, notifySessionsEnded, readSignedInStaff, rotateSession, type SignedInStaff } from './session.ts'
import { colleagues } from './staff.ts'
import { trailOf } from './trail.ts'

const meOf = ({ id, username, displayName, role, leadsLayout, photo, isAdmitted }: SignedInStaff): Me => ({
  id,
  username,
  displayName,
  role,
  leadsLayout,
  photo,
  ...(!isAdmitted && { mustSetUpTwoFactor: true }),
})

const PHOTO_MAX_AGE_S = 24 * 60 * 60

/** The signed-in staff member and their colleagues. A new password ends one's other sessions. */
export const signedInRoutes = [
  route('POST', '/api/logout', {
    access: 'signed in',
    summary: 'Signs out',
    handler: ({ node, c }) => endSession(node, c, c.get('staff')),
  }),
  route('GET', '/api/me', {
    access: 'signed in',
    summary: 'The signed-in staff member',
    answer: wire.me,
    handler: ({ c }) => meOf(c.get('staff')),
  }),
  route('POST', '/api/me/profile', {
    access: 'staff',
    summary: 'Changes one’s own name and photo',
    body: profileForm,
    answer: wire.me,
    handler: async ({ node, c, body: wanted }) => {
      const { id } = c.get('staff')
      await node.admission.admit('profile_changes', { account: id })
      await changeOwnProfile(node.sql, id, wanted, trailOf(node, c))
      await notifyStaffChanged(node.bus)
      const staff = await readSignedInStaff(node, c)
      if (!staff) throw new RequestError('not_signed_in', 'Sign in at /login first')
      return meOf(staff)
    },
  }),
  route('POST', '/api/me/leads-layout', {
    access: 'staff',
    summary: 'Chooses how one’s own list of leads opens',
    body: leadsLayoutForm,
    answer: wire.me,
    handler: async ({ node: { sql }, c, body: { leadsLayout } }) => {
      const staff = c.get('staff')
      await sql`update staff set leads_layout = ${leadsLayout} where id = ${staff.id}`
      return meOf({ ...staff, leadsLayout })
    },
  }),
  route('POST', '/api/me/confirm', {
    access: 'signed in',
    summary: 'Confirms one’s identity with the password',
    body: confirmation,
    handler: ({ node, c, body }) => confirm(node, c, body),
  }),
  route('POST', '/api/me/password', {
    access: 'staff',
    // the body contains the current password: only a second factor has to be requested
    isConfirmed: 'sometimes',
    summary: 'Changes one’s own password',
    body: passwordChange,
    handler: async ({ node, c, body: { current, next } }) => {
      const staff = c.get('staff')
      const { id, username, tokenHash, hasTwoFactor } = staff
      if (hasTwoFactor) expectConfirmed(staff)
      const chosen = acceptPassword(next, { username, agencyName: node.config.agency.name }, 'next')
      const account = await findStaff(node.sql, username)
      const trail = trailOf(node, c)
      const isChanged = await attempt(node, [['failed_password_changes', { account: id }]], async () => {
        const isRight = await verifyPassword(current, account?.passwordHash, 'known')
        if (!account || !isRight) return false
        return await replacePassword(node.sql, account, chosen, { trail, exceptHash: tokenHash })
      })
      if (!isChanged) {
        countFailure(node, c, id)
        throw invalidField('current', 'This is not your current password')
      }
      await rotateSession(node, c, staff)
      await notifySessionsEnded(node.bus)
    },
  }),
  route('GET', '/api/staff', {
    access: 'staff',
    summary: 'Lists the staff',
    answer: wire.colleagues,
    handler: ({ node }) => colleagues(node.sql),
  }),
  // its address changes with the photo, so browsers may cache it
  route('GET', '/api/staff/:id/photo', {
    access: 'staff',
    summary: 'The photo of a staff member',
    answer: { mediaType: 'image/*' },
    handler: async ({ node: { sql }, c, params: { id } }) => {
      const [row] = await sql<
        { photo: Buffer | null }[]
      >`select photo from staff where id = ${id} and removed_at is null`
      const type = row?.photo && sniffedType(row.photo)
      if (!row?.photo || !type) throw new RequestError('not_found', 'There is no such photo')
      return c.body(new Uint8Array(row.photo), 200, {
        'Content-Type': type,
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': `private, max-age=${PHOTO_MAX_AGE_S}`,
      })
    },
  }),
]
