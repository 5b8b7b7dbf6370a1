import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { actAs } from '../../events/process/context.ts'
import type { TokenScope } from '../../events/staff/api-token.ts'
import { clientAddress } from '../admission/client-address.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { findToken, type ValidToken } from './api-token.ts'
import { attempt } from './limited-attempt.ts'
import { identifyStaff } from './staff.ts'

/** The caller of a route that programs may call too: a staff member, or a program by its token. */
export type Caller = { id: string; tokenHash: Buffer; isProgram: boolean }

/** The context of a route with a scope. */
export type CallerEnv = { Bindings: HttpBindings; Variables: { caller: Caller } }

/** The credentials of an Authorization header of this kind (RFC 6750); another kind may be a proxy's. */
const bearerOf = (c: Context) => /^Bearer(?: +(.*))?$/i.exec(c.req.header('authorization') ?? '')

const readToken = async (node: ApiNode, c: Context, token: string) => {
  let found: ValidToken | undefined
  await attempt(node, [['unknown_tokens', { address: clientAddress(node, c) }]], async () => {
    found = await findToken(node.sql, token)
    return found !== undefined
  })
  return found
}

/** The program whose token has a scope, named as the actor. */
const identifyProgram = async (node: ApiNode, c: Context, token: string, scope: TokenScope): Promise<Caller> => {
  const found = await readToken(node, c, token)
  if (!found) {
    c.header('WWW-Authenticate', 'Bearer error="invalid_token"')
    throw new RequestError('not_signed_in', 'This token is not known, has expired or was revoked')
  }
  const { id, scopes, tokenHash } = found
  if (!scopes.includes(scope)) {
    c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`)
    throw new RequestError('not_allowed', `This token does not have the scope ${scope}`)
  }
  await node.admission.admit('token_calls', { account: id })
  actAs({ type: 'token', id })
  c.header('Cache-Control', 'no-store')
  return { id, tokenHash, isProgram: true }
}

/** The program whose token has a scope, or the signed-in staff member. A token takes precedence over a cookie. */
export const identifyCaller = async (node: ApiNode, c: Context, scope: TokenScope): Promise<Caller> => {
  const bearer = bearerOf(c)
  if (bearer) return await identifyProgram(node, c, bearer[1] ?? '', scope)
  const { id, tokenHash } = await identifyStaff(node, c)
  return { id, tokenHash, isProgram: false }
}
