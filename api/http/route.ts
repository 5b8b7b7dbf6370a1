/**
 * A route is declared once: its callers, its input and its result. `mountRoutes` enforces that on a node,
 * api/openapi/document.ts describes it, and the types of its handler follow from it. All routes are in api/routes.ts.
 */

import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import type * as v from 'valibot'
import { isUuid } from '../../events/base/text.ts'
import type { Sent } from '../../events/base/word.ts'
import type { TokenScope } from '../../events/staff/api-token.ts'
import { clientAddress, isFromInside } from '../admission/client-address.ts'
import type { LimitName } from '../admission/limits.ts'
import { identifyParticipant, type ParticipantEnv } from '../chat/http/participant.ts'
import type { ApiNode } from '../node/node.ts'
import { type CallerEnv, identifyCaller } from '../staff/caller.ts'
import { expectConfirmed } from '../staff/confirmation.ts'
import { identify, identifyOwner, identifyStaff, type StaffEnv } from '../staff/staff.ts'
import { limitBody, MAX_BODY_BYTES, readInput, validate } from './body.ts'
import { RequestError } from './errors.ts'
import { mediaType } from './media-type.ts'

/**
 * The callers that a route serves. `staff` are owners and agents with the second factor that owners may require;
 * `signed in` includes those who still have to set it up. All others get 401, and an agent 403 on a route for owners.
 * `participants` of a chat are its visitor, by the chat's resume token, and staff; all others get 401. The `inner
 * network` is recognised by its address alone (403).
 */
export type Access = 'anyone' | 'participants' | 'signed in' | 'staff' | 'owners' | 'inner network'

/** A name, a password, a code and a link: strangers send them, and each is compared. */
export const MAX_SIGN_IN_BYTES = 16 * 1024

/** A body or a response that is not JSON. The handler reads or writes it itself. */
type Plain = { mediaType: string }
type Content = v.GenericSchema | Plain | undefined
type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined> | undefined

type ParamOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

type CallerOf<Who extends Access, Scope> = Scope extends TokenScope
  ? CallerEnv
  : Who extends 'signed in' | 'staff' | 'owners'
    ? StaffEnv
    : Who extends 'participants'
      ? ParticipantEnv
      : { Bindings: HttpBindings }

type Call<Path extends string, Who extends Access, Scope, Query, Body> = {
  node: ApiNode
  c: Context<CallerOf<Who, Scope>>
  params: Record<ParamOf<Path>, string>
  query: Query extends v.GenericSchema ? v.InferOutput<Query> : undefined
  body: Body extends v.GenericSchema ? v.InferOutput<Body> : undefined
  /** The body before validation. */
  input: unknown
}

type Returned<Answer> = Answer extends v.GenericSchema
  ? Sent<Answer> | Response | Promise<Sent<Answer> | Response>
  : Answer extends Plain
    ? Response | Promise<Response>
    : Promise<void>

type Declaration = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  access: Access
  /** The scope of the token by which programs may call the route too. */
  scope?: TokenScope
  /**
   * Whether the password must have been entered recently; `sometimes`: only for some bodies, which the handler decides.
   */
  isConfirmed?: true | 'sometimes'
  /** A sentence for the OpenAPI document. */
  summary: string
  query?: QuerySchema
  body?: Content
  /** Whether a request may come without a body, as if it were `{}`. */
  isBodyOptional?: boolean
  /** Whether the body may also be a form, as pages without script post it. */
  acceptsForms?: boolean
  maxBodyBytes?: number
  /** Counts the request before its body is read: requests that are refused later count too. */
  limit?: (node: ApiNode, c: Context) => Promise<void>
  answer?: Content
  /** The status of success; by default 200, or 204 without a response body. */
  status?: StatusCode
  /** Whether a change by another person can make the request fail with 409. */
  mayConflict?: boolean
  /** Request headers that the handler reads, with their descriptions. */
  headers?: Readonly<Record<string, string>>
  /** Whether the response is a page of a list, with a Link header to the next one. */
  isPaged?: boolean
}

/** A declared route. */
export type Route = Declaration & { handler: (call: Call<string, Access, undefined, undefined, undefined>) => unknown }

/** Counts each request by the address of its client. */
export const limitAddresses =
  (limit: LimitName) =>
  async (node: ApiNode, c: Context): Promise<void> =>
    await node.admission.admit(limit, { address: clientAddress(node, c) })

/** Declares a route. Its handler returns the value to send as JSON, or nothing, or a Response of its own. */
export const route = <
  const Path extends string,
  const Who extends Access,
  const Scope extends TokenScope | undefined = undefined,
  Query extends QuerySchema = undefined,
  Body extends Content = undefined,
  Answer extends Content = undefined,
>(
  method: Declaration['method'],
  path: Path,
  declared: Omit<Declaration, 'method' | 'path' | 'access' | 'scope' | 'query' | 'body' | 'answer'> & {
    access: Who
    scope?: Scope
    query?: Query
    body?: Body
    answer?: Answer
    handler: (call: Call<Path, Who, Scope, Query, Body>) => Returned<Answer>
  },
): Route => ({ method, path, ...declared }) as unknown as Route

/** Identifies the caller and sets it in the context. Throws a RequestError if the route does not serve it. */
const admit = async (node: ApiNode, c: Context, { access, scope, isConfirmed }: Declaration): Promise<void> => {
  switch (access) {
    case 'anyone':
      break
    case 'inner network':
      if (!isFromInside(node, c)) throw new RequestError('not_allowed', 'Only for the inner network')
      break
    case 'participants':
      c.set('participant', await identifyParticipant(node, c, c.req.param('id') ?? ''))
      break
    case 'signed in':
      c.set('staff', await identify(node, c))
      break
    case 'staff':
      if (scope) c.set('caller', await identifyCaller(node, c, scope))
      else c.set('staff', await identifyStaff(node, c))
      break
    case 'owners':
      c.set('staff', await identifyOwner(node, c))
      break
    default:
      access satisfies never
  }
  if (isConfirmed === true) expectConfirmed(c.get('staff'))
}

const isPlain = (content: Content): content is Plain => content !== undefined && 'mediaType' in content

const serve = async (node: ApiNode, c: Context, route: Route) => {
  await route.limit?.(node, c)
  const query = route.query && validate(route.query, c.req.query())
  const schema = isPlain(route.body) ? undefined : route.body
  const isLeftOut = route.isBodyOptional && mediaType(c) === ''
  const input = schema && (isLeftOut ? {} : await readInput(c, { forms: route.acceptsForms }))
  const body = schema && validate(schema, input)
  const call = { node, c, params: c.req.param(), query, body, input }
  const answer = await route.handler(call as unknown as Parameters<Route['handler']>[0])
  if (answer instanceof Response) return answer
  return route.answer
    ? c.json(answer as object, route.status as ContentfulStatusCode)
    : c.body(null, route.status ?? 204)
}

const refuseOtherIds = (c: Context, places: readonly number[]) => {
  const segments = c.req.path.split('/')
  if (!places.every((place) => isUuid(segments[place]))) {
    throw new RequestError('not_found', 'There is nothing with this id')
  }
}

/**
 * Adds routes to a node's app. A path whose id is not a UUID is refused with 404 for every caller: nothing has such an
 * id, and Postgres does not accept every text. The guards of a route are not middleware of their own, which would each
 * cost a promise and a closure.
 */
export const mountRoutes = (app: Hono, node: ApiNode, routes: readonly Route[]): void => {
  for (const route of routes) {
    const { method, path, body, maxBodyBytes = MAX_BODY_BYTES } = route
    const limit = isPlain(body) ? () => undefined : limitBody(maxBodyBytes)
    const ids = path.split('/').flatMap((part, at) => (part.startsWith(':') ? [at] : []))
    // a caller that a route does not serve learns this before the size of a large body matters
    const isAdmittedFirst = maxBodyBytes > MAX_BODY_BYTES
    app.on(method, path, async (c) => {
      if (ids.length > 0) refuseOtherIds(c, ids)
      if (isAdmittedFirst) await admit(node, c, route)
      await limit(c)
      if (!isAdmittedFirst) await admit(node, c, route)
      return await serve(node, c, route)
    })
  }
}
