/**
 * Signing in. Wrong passwords are counted by address and by account: 30 in a quarter of an hour close an account to
 * devices that it has not signed in on before. Its own devices still get in, and passwords from them are checked in a
 * queue of their own. For a new device `npm run staff -- link NAME` prints a link that works for an hour. Staff members
 * who have forgotten a password choose a new one by a link that works once, for an hour: an owner makes it on the
 * accounts screen, or it is sent by SMTP to the address that gets the account's alerts. A newer link closes it.
 * Passwords that strangers try first are refused on every screen that sets one (api/staff/accepted-password.ts).
 *
 * Sign-ins, wrong passwords, these links and changes of accounts are events: the account, the time, and the rough
 * origin (half an address and a keyed hash of it). Owners read them at /admin-account-history. Each is stored before it
 * takes effect: after a crash there may be an entry too many, and never one too few. A flood of wrong passwords adds
 * two events per quarter of an hour and account. All unknown usernames count as one.
 *
 * Staff can turn on two-factor sign-in by an authenticator app (TOTP) at their account, with ten recovery codes. Owners
 * can require it of all staff, and turn it off for a staff member who has lost their phone; `npm run staff --
 * two-factor-off NAME` does so if no owner is left, even if the secret's key was lost: recovery codes count then too. A
 * code counts once. A session records which second factor it has proved: one that began with a password alone no longer
 * signs in once its account has a second factor.
 */

import type { Context } from 'hono'
import { actAs } from '../../events/process/context.ts'
import { staffCodeFailed, staffSignedIn } from '../../events/staff/account-history.ts'
import { signIn } from '../../events/staff/staff.ts'
import type { CallerKeys } from '../admission/admission.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { LimitName } from '../admission/limits.ts'
import { RequestError } from '../http/errors.ts'
import { MAX_SIGN_IN_BYTES, route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { findStaff, type StaffAccount } from './account.ts'
import { knownDevice, rememberDevice } from './device.ts'
import { attempt, countFailure } from './limited-attempt.ts'
import { verifyPassword } from './password.ts'
import { originOf } from './request-origin.ts'
import { beginSession } from './session.ts'
import { endSignInLink, readSignInLink } from './sign-in-link.ts'
import { openTrail, type Trail } from './trail.ts'
import { claimCode, readSecret, secondFactorLost } from './two-factor.ts'

/**
 * The limits of an attempt to sign in: on a device that the account has used, that device alone; elsewhere its address,
 * and the account over all addresses. A new password begins a new count of the account. If strangers use that up at
 * once too, `npm run staff -- link` admits a staff member without such a device.
 */
const signInLimits = (
  node: ApiNode,
  c: Context,
  { account, username, device }: { account: StaffAccount | undefined; username: string; device: string | undefined },
): [LimitName, CallerKeys][] => {
  if (device) return [['failed_sign_ins_of_device', { session: device }]]
  const address = clientAddress(node, c)
  const name = account ? `${account.id} ${account.passwordHash}` : username.toLowerCase()
  return [
    ['failed_sign_ins', { address }],
    ['failed_sign_ins_of_account', { session: `${address} ${name}`, account: name }],
  ]
}

type Entry = { account: StaffAccount; device: string | undefined; isKnownDevice: boolean; code: string | undefined }

/** The limit that counts a wrong code: by the account's own device, or for all other devices together. */
const codeLimits = ({ account, device }: Entry): [LimitName, CallerKeys][] => [
  ['failed_codes', device ? { session: device } : { account: account.id }],
]

/**
 * Begins a session of an account whose password was right, and records it in the log. Returns false if the password has
 * been replaced since then, or the code does not count.
 */
const enter = async (
  node: ApiNode,
  c: Context,
  { account, isKnownDevice, code }: Entry,
  secret: string | undefined,
) => {
  const from = originOf(node, c)
  const { note, ...origin } = openTrail(node.log, { by: account.id, from })
  // the password alone does not sign in: nothing is stored here before the code was right
  const trail: Trail = {
    ...origin,
    note: (event, id) => {
      actAs({ type: 'staff', id: account.id })
      return note(event, id)
    },
  }
  return await beginSession(node, c, account, {
    from,
    claim: async (tx) => account.totpEvent === null || (await claimCode(tx, account.id, { code, secret, from, trail })),
    note: () => trail.note(staffSignedIn({ accountId: account.id, from, isKnownDevice })),
  })
}

const codeRequired = () =>
  new RequestError('code_required', 'Send the code of the authenticator app too, or a recovery code')

/** Signs in by the password alone, unless the account got a second factor since it was read. */
const enterByPassword = async (node: ApiNode, c: Context, entry: Entry) => {
  if (await enter(node, c, entry, undefined)) return true
  const { username, passwordHash } = entry.account
  const now = await findStaff(node.sql, username)
  if (now?.passwordHash === passwordHash && now.totpEvent !== null) throw codeRequired()
  return false
}

/** Asks for the second factor if the account has one. Throws if the code is missing or wrong. */
const enterByCode = async (node: ApiNode, c: Context, entry: Entry) => {
  const { account, code } = entry
  if (account.totpEvent === null) return await enterByPassword(node, c, entry)
  if (code === undefined) throw codeRequired()
  const secret = await readSecret(node.sql, account.totpEvent)
  const isIn = await attempt(node, codeLimits(entry), () => enter(node, c, entry, secret))
  if (isIn) return true
  const { note } = openTrail(node.log, { by: account.id, from: null })
  await note(staffCodeFailed({ accountId: account.id, from: originOf(node, c) }))
  if (secret === undefined) {
    node.logger.error({ account: account.id }, 'the secret of a second factor cannot be read: an owner can turn it off')
    throw secondFactorLost()
  }
  throw new RequestError('wrong_code', 'The code is wrong, or was used already')
}

/** Signs staff in. A wrong password takes as long as a wrong name. The request includes the code of a second factor. */
export const login = route('POST', '/api/login', {
  access: 'anyone',
  summary: 'Signs staff in: the answer sets the cookie',
  body: signIn,
  maxBodyBytes: MAX_SIGN_IN_BYTES,
  // by address, to bound the cost of a crowd; known devices do not wait behind it
  limit: async (node, c) => {
    const known = await knownDevice(node, c)
    await node.admission.admit('sign_in_tries', known ? { session: known.device } : { address: clientAddress(node, c) })
  },
  handler: async ({ node, c, body: { username, password, link, code } }) => {
    const store = { redis: node.redis, prefix: node.bus.prefix }
    const known = await knownDevice(node, c)
    const linked = link === undefined ? undefined : await readSignInLink(store, link)
    const account = await findStaff(node.sql, username)
    const device = [known, linked].find((deviceMark) => deviceMark && deviceMark.accountId === account?.id)?.device
    const limits = signInLimits(node, c, { account, username, device })
    const isIn = await attempt(node, limits, async () => {
      const isKnown = await verifyPassword(password, account?.passwordHash, device ? 'known' : 'strangers')
      if (!account || !isKnown) return false
      return await enterByCode(node, c, { account, device, isKnownDevice: known?.accountId === account.id, code })
    })
    if (!account || !isIn) {
      countFailure(node, c, account?.id)
      throw new RequestError('wrong_credentials', 'The username or the password is wrong')
    }
    await rememberDevice(node, c, account.id)
    if (link !== undefined) await endSignInLink(store, link)
  },
})
