import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as v from 'valibot'
import type { Sql } from '../../events/log/connection.ts'
import { actAs } from '../../events/log/context.ts'
import type { Colleague } from '../../events/staff.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { ownersOnly } from './owners.ts'
import { photoAddress } from './photo-address.ts'
import { readSignedInStaff, type SignedInStaff } from './session.ts'

/** What a handler behind `requireStaff` finds in its context. */
export type StaffEnv = { Variables: { staff: SignedInStaff } }

/** Who is signed in, who may still have to set up a second factor, named as who acts. */
const identify = async (node: ApiNode, c: Context): Promise<SignedInStaff> => {
  const staff = await readSignedInStaff(node, c)
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
  if (c.get('staff').role !== 'owner') throw ownersOnly()
  await next()
})

/** What `GET /api/staff` may be asked for. `former`: those too whose accounts are removed. */
export const colleaguesQuery = v.object({ former: v.optional(v.picklist(['true'], 'Must be true, or left out')) })

/** Everybody who works for the agency, by name; with `hasFormer` also those who did once. */
export const colleagues = (sql: Sql, { hasFormer = false } = {}) =>
  sql<Colleague[]>`
    select id, display_name as "displayName", ${photoAddress(sql)} as photo from staff
    where removed_at is null or ${hasFormer} order by lower(display_name)`

/** The display names of all who work for the agency or did so once, and of programs' tokens, by id. */
export const staffNames = async (sql: Sql): Promise<Map<string, string>> => {
  const rows = await sql<Pick<Colleague, 'id' | 'displayName'>[]>`
    select id, display_name as "displayName" from staff union all select id, name from api_tokens`
  return new Map(rows.map(({ id, displayName }) => [id, displayName]))
}
