import { type Context, Hono } from 'hono'
import { generateSecret, generateURI } from 'otplib'
import { staffCodeFailed } from '../../events/account-history.ts'
import { twoFactorForm } from '../../events/staff.ts'
import type { recoveryCodes, twoFactor, twoFactorSecret } from '../../events/wire/staff.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { attempt } from './attempt.ts'
import { requireConfirmed } from './confirmation.ts'
import { rotateSession, tellSessionsEnded } from './session.ts'
import { readSignInRules } from './sign-in-rules.ts'
import type { StaffEnv } from './staff.ts'
import { openTrail } from './trail.ts'
import { renewCodes, TwoFactorStateError, turnOff, turnOn } from './two-factor.ts'
import { whereFrom } from './where-from.ts'

const told = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof TwoFactorStateError) throw new RequestError('conflict', error.message, { cause: error })
    throw error
  }
}

const answerState = async (node: ApiNode, c: Context<StaffEnv>) => {
  const { id } = c.get('staff')
  const [row] = await node.sql<{ isOn: boolean; codesLeft: number }[]>`
    select totp_event is not null as "isOn",
      (select count(*)::integer from staff_recovery_codes where staff_id = staff.id) as "codesLeft"
    from staff where id = ${id}`
  const { requiresTwoFactor: isRequired } = await readSignInRules(node.sql)
  const state = { isOn: row?.isOn ?? false, codesLeft: row?.codesLeft ?? 0, isRequired }
  return c.json(state satisfies Sent<typeof twoFactor>)
}

const setUp = async (node: ApiNode, c: Context<StaffEnv>) => {
  const { secret, code } = await readBody(c, twoFactorForm)
  const { id, tokenHash: kept } = c.get('staff')
  const trail = openTrail(node.log, { by: id, from: whereFrom(node, c) })
  let codes: string[] | undefined
  await attempt(node, [['failed_codes', { account: id }]], async () => {
    codes = await told(turnOn(node.sql, id, { secret, code, trail, kept }))
    return codes !== undefined
  })
  if (!codes) {
    await trail.note(staffCodeFailed({ accountId: id, from: whereFrom(node, c) }))
    throw invalidField('code', 'This code is wrong: check the clock of your phone')
  }
  await rotateSession(node, c, c.get('staff'))
  await tellSessionsEnded(node.bus)
  return c.json({ codes } satisfies Sent<typeof recoveryCodes>)
}

/**
 * `/api/me/two-factor`: somebody's own second factor. Its secret is made here and proved by a first code; until then
 * nothing keeps it.
 */
export const ownTwoFactorRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .get('/', (c) => answerState(node, c))
    .post('/secret', (c) => {
      const secret = generateSecret()
      const uri = generateURI({ issuer: node.config.agency.name, label: c.get('staff').username, secret })
      return c.json({ secret, uri } satisfies Sent<typeof twoFactorSecret>)
    })
    .post('/', requireConfirmed, (c) => setUp(node, c))
    .post('/codes', requireConfirmed, async (c) => {
      const { id } = c.get('staff')
      const codes = await told(renewCodes(node.sql, id, openTrail(node.log, { by: id, from: whereFrom(node, c) })))
      return c.json({ codes } satisfies Sent<typeof recoveryCodes>)
    })
    .post('/off', requireConfirmed, async (c) => {
      if ((await readSignInRules(node.sql)).requiresTwoFactor) {
        throw new RequestError('conflict', 'Two-factor sign-in is required of everybody here')
      }
      const { id, hasTwoFactor } = c.get('staff')
      await turnOff(node.sql, id, openTrail(node.log, { by: id, from: whereFrom(node, c) }))
      if (hasTwoFactor) await rotateSession(node, c, c.get('staff'))
      await tellSessionsEnded(node.bus)
      return c.body(null, 204)
    })
