import { generateSecret, generateURI } from 'otplib'
import { staffCodeFailed } from '../../events/staff/account-history.ts'
import { twoFactorForm } from '../../events/staff/staff.ts'
import { recoveryCodes, twoFactor, twoFactorSecret } from '../../events/staff/wire.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { attempt } from './limited-attempt.ts'
import { originOf } from './request-origin.ts'
import { notifySessionsEnded, rotateSession } from './session.ts'
import { readSignInRules } from './sign-in-rules.ts'
import { trailOf } from './trail.ts'
import { renewCodes, TwoFactorStateError, turnOff, turnOn } from './two-factor.ts'

const refusing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof TwoFactorStateError) throw new RequestError('conflict', error.message, { cause: error })
    throw error
  }
}

/** A staff member's own second factor. Its secret is not stored until a first code has proved it. */
export const ownTwoFactorRoutes = [
  route('GET', '/api/me/two-factor', {
    access: 'signed in',
    summary: 'Whether one’s second factor is on',
    answer: twoFactor,
    handler: async ({ node, c }) => {
      const { id } = c.get('staff')
      const [row] = await node.sql<{ isOn: boolean; codesLeft: number }[]>`
        select totp_event is not null as "isOn",
          (select count(*)::integer from staff_recovery_codes where staff_id = staff.id) as "codesLeft"
        from staff where id = ${id}`
      const { requiresTwoFactor: isRequired } = await readSignInRules(node.sql)
      return { isOn: row?.isOn ?? false, codesLeft: row?.codesLeft ?? 0, isRequired }
    },
  }),
  route('POST', '/api/me/two-factor/secret', {
    access: 'signed in',
    summary: 'Makes a secret for an authenticator app',
    answer: twoFactorSecret,
    handler: ({ node, c }) => {
      const secret = generateSecret()
      const uri = generateURI({ issuer: node.config.agency.name, label: c.get('staff').username, secret })
      return { secret, uri }
    },
  }),
  route('POST', '/api/me/two-factor', {
    access: 'signed in',
    isConfirmed: true,
    summary: 'Turns one’s second factor on',
    body: twoFactorForm,
    answer: recoveryCodes,
    handler: async ({ node, c, body: { secret, code } }) => {
      const { id, tokenHash: exceptHash } = c.get('staff')
      const trail = trailOf(node, c)
      let codes: string[] | undefined
      await attempt(node, [['failed_codes', { account: id }]], async () => {
        codes = await refusing(turnOn(node.sql, id, { secret, code, trail, exceptHash }))
        return codes !== undefined
      })
      if (!codes) {
        await trail.note(staffCodeFailed({ accountId: id, from: originOf(node, c) }))
        throw invalidField('code', 'This code is wrong: check the clock of your phone')
      }
      await rotateSession(node, c, c.get('staff'))
      await notifySessionsEnded(node.bus)
      return { codes }
    },
  }),
  route('POST', '/api/me/two-factor/codes', {
    access: 'signed in',
    isConfirmed: true,
    summary: 'Makes new recovery codes',
    answer: recoveryCodes,
    handler: async ({ node, c }) => ({
      codes: await refusing(renewCodes(node.sql, c.get('staff').id, trailOf(node, c))),
    }),
  }),
  route('POST', '/api/me/two-factor/off', {
    access: 'signed in',
    isConfirmed: true,
    summary: 'Turns one’s second factor off',
    mayConflict: true,
    handler: async ({ node, c }) => {
      if ((await readSignInRules(node.sql)).requiresTwoFactor) {
        throw new RequestError('conflict', 'Two-factor sign-in is required for all accounts')
      }
      const { id, hasTwoFactor } = c.get('staff')
      await turnOff(node.sql, id, trailOf(node, c))
      if (hasTwoFactor) await rotateSession(node, c, c.get('staff'))
      await notifySessionsEnded(node.bus)
    },
  }),
]
