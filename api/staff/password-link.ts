import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { isUuid } from '../../events/base/text.ts'
import type { Sent } from '../../events/base/word.ts'
import { actAs } from '../../events/process/context.ts'
import { staffPasswordLinkMade } from '../../events/staff/account-history.ts'
import { PASSWORD_LINK_MS, passwordLinkRequested, passwordLinkStreams } from '../../events/staff/password-link.ts'
import { forgottenPassword, openedPasswordLink, passwordByLink } from '../../events/staff/staff.ts'
import {
  accountOfToken,
  findResetAccount,
  isPasswordLink,
  openPasswordLink,
  passwordLinkToken,
  passwordLinkUrl,
} from '../../events/staff/store/password-link.ts'
import { type passwordLink, passwordLinkPossible, passwordLinkState } from '../../events/staff/wire.ts'
import { inTransaction, type Transaction } from '../../events/stores/connection.ts'
import { waysOf } from '../email/ways.ts'
import { RequestError } from '../http/errors.ts'
import { limitAddresses, MAX_SIGN_IN_BYTES, route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { acceptPassword } from './accepted-password.ts'
import { replacePassword } from './account.ts'
import { holdOwners } from './owners.ts'
import { originOf } from './request-origin.ts'
import { notifySessionsEnded } from './session.ts'
import { openTrail, type Trail } from './trail.ts'

/**
 * Makes the link by which an account chooses a new password, for an owner to pass on; undefined if there is no such
 * account. Older links of the account close.
 */
export const makePasswordLink = async (
  { sql, config }: ApiNode,
  accountId: string,
  { by, from, note }: Trail,
): Promise<Sent<typeof passwordLink> | undefined> => {
  const linkId = randomUUID()
  const account = await inTransaction(sql, async (tx) => {
    await holdOwners(tx, by)
    const found = await findResetAccount(tx, accountId)
    if (!found) return undefined
    await openPasswordLink(tx, accountId, { linkId, by })
    await note(staffPasswordLinkMade({ accountId, by, from, way: 'owner' }))
    return found
  })
  if (!account) return undefined
  const expires = new Date(Date.now() + PASSWORD_LINK_MS)
  const token = passwordLinkToken(config.signingKeys, { ...account, linkId }, expires)
  return { address: passwordLinkUrl(config.publicUrl, token), expiresAt: expires.toISOString() }
}

/** The email address of an account, which is locked; undefined without an address or without an account. */
const findAddressee = async (sql: Transaction, username: string) => {
  const [found] = await sql<{ id: string; to: string }[]>`
    select id, alert_email as "to" from staff
    where lower(username) = lower(${username}) and removed_at is null and alert_email is not null for update`
  return found
}

/** Requests the email with the link if the account has an address and is within its limit. */
const requestByEmail = (node: ApiNode, c: Context, username: string) =>
  inTransaction(node.sql, async (tx) => {
    const found = await findAddressee(tx, username)
    if (!found || !(await node.admission.hasRoom('password_links', { account: found.id }))) return
    const { note } = openTrail(node.log, { by: null, from: null })
    await note(staffPasswordLinkMade({ accountId: found.id, by: null, from: originOf(node, c), way: 'email' }))
    const id = randomUUID()
    await openPasswordLink(tx, found.id, { linkId: id, by: null })
    const request = passwordLinkRequested({ accountId: found.id }, { subjectId: id, personal: { to: found.to } })
    await node.log.append({ stream: passwordLinkStreams.of(id), expectedVersion: 0, events: [{ id, ...request }] })
  })

const linkIsOver = () => new RequestError('not_found', 'This link was used or has expired. Ask for a new one')

/** The account whose password can be chosen by a token; undefined if the link was used or has expired. */
const findLinked = async ({ sql, config }: ApiNode, token: string) => {
  const id = accountOfToken(token)
  const account = isUuid(id) ? await findResetAccount(sql, id) : undefined
  return account && isPasswordLink(config.signingKeys, token, { account, now: new Date() }) ? account : undefined
}

/** Replaces the password of the account that a link names, which ends all its sessions. */
const choosePassword = async (node: ApiNode, c: Context, token: string, password: string) => {
  const account = await findLinked(node, token)
  if (!account) throw linkIsOver()
  const { username } = account
  const chosen = acceptPassword(password, { username, agencyName: node.config.agency.name })
  actAs({ type: 'staff', id: account.id })
  const trail = openTrail(node.log, { by: account.id, from: originOf(node, c) })
  if (!(await replacePassword(node.sql, account, chosen, { trail, exceptHash: null, byLink: true }))) throw linkIsOver()
  await notifySessionsEnded(node.bus)
}

/**
 * Password recovery for a staff member. A request for a link returns the same, in the same time, whether or not there
 * is such an account. A link does not sign in by itself.
 */
export const passwordLinkRoutes = [
  route('POST', '/api/login/forgotten', {
    access: 'anyone',
    summary: 'Asks for a link by email to choose a new password',
    body: forgottenPassword,
    maxBodyBytes: MAX_SIGN_IN_BYTES,
    limit: limitAddresses('password_links'),
    answer: passwordLinkPossible,
    status: 202,
    handler: ({ node, c, body: { username } }) => {
      const isPossible = waysOf(node).reachesPeople ?? false
      if (isPossible) {
        requestByEmail(node, c, username).catch((error) =>
          node.logger.error({ err: error }, 'an email with a password link could not be asked for'),
        )
      }
      return { isPossible }
    },
  }),
  route('POST', '/api/login/password-link', {
    access: 'anyone',
    summary: 'Whether such a link can still be used',
    body: openedPasswordLink,
    maxBodyBytes: MAX_SIGN_IN_BYTES,
    limit: limitAddresses('sign_in_tries'),
    answer: passwordLinkState,
    handler: async ({ node, body: { token } }) => ({ isOpen: (await findLinked(node, token)) !== undefined }),
  }),
  route('POST', '/api/login/password', {
    access: 'anyone',
    summary: 'Chooses a new password by such a link',
    body: passwordByLink,
    maxBodyBytes: MAX_SIGN_IN_BYTES,
    limit: limitAddresses('sign_in_tries'),
    handler: ({ node, c, body: { token, password } }) => choosePassword(node, c, token, password),
  }),
]
