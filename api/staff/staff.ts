/**
 * Owners and agents. Agents work with leads and chats. Owners also manage accounts and settings, and erase people or
 * single chats. There is always at least one owner. A session ends on all nodes at once, with its sockets and streams:
 * by sign-out here or from another browser (/admin-account lists them), another sign-in in the same browser, a new
 * password, a removal or a demotion; after a week; or after a day without use. A new password and a change of the
 * second factor give the session in which they are made another token.
 *
 * Programs call some routes by a token (`Authorization: Bearer`), which owners make at /admin-settings, each with
 * scopes. The log names the token as the actor, by its id. A revoked token ends on all nodes at once, with its exports
 * and streams. Tokens and webhooks end with the role of the owner who made them, unless another owner takes them over.
 */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { actAs } from '../../events/process/context.ts'
import type { Colleague } from '../../events/staff/staff.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { ownersOnly } from './owners.ts'
import { photoAddress } from './photo-address.ts'
import { readSignedInStaff, type SignedInStaff } from './session.ts'

/** The context of a route for staff. */
export type StaffEnv = { Bindings: HttpBindings; Variables: { staff: SignedInStaff } }

/** The signed-in staff member, who may still have to set up a second factor, named as the actor. */
export const identify = async (node: ApiNode, c: Context): Promise<SignedInStaff> => {
  const staff = await readSignedInStaff(node, c)
  if (!staff) throw new RequestError('not_signed_in', 'Sign in at /login first')
  actAs({ type: 'staff', id: staff.id })
  c.header('Cache-Control', 'no-store')
  return staff
}

/** The signed-in staff member with the second factor that owners may require, named as the actor. */
export const identifyStaff = async (node: ApiNode, c: Context): Promise<SignedInStaff> => {
  const staff = await identify(node, c)
  if (staff.isAdmitted) return staff
  throw new RequestError('two_factor_required', 'Set up two-factor sign-in at your account first')
}

/** The signed-in owner, named as the actor. */
export const identifyOwner = async (node: ApiNode, c: Context): Promise<SignedInStaff> => {
  const staff = await identifyStaff(node, c)
  if (staff.role !== 'owner') throw ownersOnly()
  return staff
}

/** The staff of the agency, by name. */
export const colleagues = (sql: Sql) =>
  sql<Colleague[]>`
    select id, display_name as "displayName", ${photoAddress(sql)} as photo from staff
    where removed_at is null order by lower(display_name)`

/** The display names of all present and former staff, and of programs' tokens, by id. */
export const staffNames = async (sql: Sql): Promise<Map<string, string>> => {
  const rows = await sql<Pick<Colleague, 'id' | 'displayName'>[]>`
    select id, display_name as "displayName" from staff union all select id, name from api_tokens`
  return new Map(rows.map(({ id, displayName }) => [id, displayName]))
}
