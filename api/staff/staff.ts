import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { staffSignedIn } from '../../events/account-history.ts'
import type { Sql } from '../../events/log/connection.ts'
import { actAs } from '../../events/log/context.ts'
import { noteFailedSignIn } from '../../events/log/failed-sign-ins.ts'
import { readAlertSettings, saveAlertSettings } from '../../events/log/staff-alerts.ts'
import { type AlertSettings, alertForm, type Colleague, type Me, passwordChange, signIn } from '../../events/staff.ts'
import type { Who } from '../admission/admission.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { LimitName } from '../admission/limits.ts'
import { readBody } from '../body.ts'
import { invalidField, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { findStaff, replacePassword, type StaffAccount } from './account.ts'
import { knownDevice, rememberDevice } from './device.ts'
import { answerOwnSessions, endOwnSession } from './own-sessions.ts'
import { verifyPassword } from './password.ts'
import { beginSession, endSession, readSession, type SignedInStaff, tellSessionsEnded } from './session.ts'
import { endSignInLink, readSignInLink } from './sign-in-link.ts'
import { openTrail } from './trail.ts'
import { whereFrom } from './where-from.ts'

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
 * What counts a try to sign in: on a device that the account knows that device alone, elsewhere its address, and the
 * account over all addresses. A new password begins a new count of the account; while strangers use that up at once too,
 * `npm run staff -- link` lets somebody in who has no such device.
 */
const signInLimits = (
  node: ApiNode,
  c: Context,
  { account, username, device }: { account: StaffAccount | undefined; username: string; device: string | undefined },
): [LimitName, Who][] => {
  if (device) return [['failed_sign_ins_of_device', { session: device }]]
  const address = clientAddress(node, c)
  const name = account ? `${account.id} ${account.passwordHash}` : username.toLowerCase()
  return [
    ['failed_sign_ins', { address }],
    ['failed_sign_ins_of_account', { session: `${address} ${name}`, account: name }],
  ]
}

/**
 * Tries a password, by `work`, which answers whether it was right. Each try takes a point of some limits before it begins, so
 * that many at once get no further; only a wrong password uses it up. One that could not be checked, or was right, gives it back.
 */
const attempt = async ({ admission }: ApiNode, limits: [LimitName, Who][], work: () => Promise<boolean>) => {
  for (const [limit, who] of limits) await admission.admit(limit, who)
  const giveBack = () => Promise.all(limits.map(([limit, who]) => admission.giveBack(limit, who)))
  try {
    const isRight = await work()
    if (isRight) await giveBack()
    return isRight
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** Counts a wrong password. Nobody waits for it: the answer takes as long for a username that nobody has. */
const countFailure = (node: ApiNode, c: Context, accountId: string | undefined) => {
  noteFailedSignIn(node, { accountId, from: whereFrom(node, c) }).catch((error) =>
    node.logger.error({ err: error }, 'a failed sign-in could not be counted'),
  )
}

/**
 * Begins a session of an account whose password was right, and notes it in the log; false where the password has been
 * replaced meanwhile.
 */
const enter = async (
  node: ApiNode,
  c: Context,
  account: StaffAccount,
  { isKnownDevice }: { isKnownDevice: boolean },
) => {
  actAs({ type: 'staff', id: account.id })
  const from = whereFrom(node, c)
  const { note } = openTrail(node.log, { by: account.id, from })
  return await beginSession(node, c, account, {
    from,
    note: () => note(staffSignedIn({ accountId: account.id, from, isKnownDevice })),
  })
}

/**
 * `/api/login`, `/api/logout`, `/api/me` with its password and sessions, `/api/staff`. A wrong password takes as long as a wrong
 * name. A change of one's password ends one's other sessions.
 */
export const staffRoutes = (node: ApiNode) => {
  const { admission, redis } = node
  const store = { redis, prefix: node.bus.prefix }
  return new Hono<StaffEnv>()
    .post('/login', async (c) => {
      const { username, password, link } = await readBody(c, signIn)
      // before anything is read: what a crowd may cost Postgres is bounded by address, and devices do not wait behind it
      const known = await knownDevice(node, c)
      await admission.admit('sign_in_tries', known ? { session: known.device } : { address: clientAddress(node, c) })
      const linked = link === undefined ? undefined : await readSignInLink(store, link)
      const account = await findStaff(node.sql, username)
      const device = [known, linked].find((mark) => mark && mark.accountId === account?.id)?.device
      const limits = signInLimits(node, c, { account, username, device })
      const isIn = await attempt(node, limits, async () => {
        const isKnown = await verifyPassword(password, account?.passwordHash, device ? 'known' : 'strangers')
        if (!account || !isKnown) return false
        return await enter(node, c, account, { isKnownDevice: known?.accountId === account.id })
      })
      if (!account || !isIn) {
        countFailure(node, c, account?.id)
        throw new RequestError('wrong_credentials', 'The username or the password is wrong')
      }
      await rememberDevice(node, c, account.id)
      if (link !== undefined) await endSignInLink(store, link)
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
    .get('/me/alerts', requireStaff(node), async (c) => {
      const chosen = await readAlertSettings(node.sql, c.get('staff').id)
      return c.json({ ...chosen, isPossible: node.config.reachesPeople ?? true } satisfies AlertSettings)
    })
    .post('/me/alerts', requireStaff(node), async (c) => {
      await saveAlertSettings(node.sql, c.get('staff').id, await readBody(c, alertForm))
      return c.body(null, 204)
    })
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
}
