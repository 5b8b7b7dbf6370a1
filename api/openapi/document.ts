/**
 * The OpenAPI 3.1 document of all calls. It is made of the very schemas that the routes read and answer by, and of the
 * table of access, once a process and only when somebody asks: the routes themselves know nothing of it, so it costs
 * them nothing.
 */

import { Hono } from 'hono'
import { type DescribeRouteOptions, describeRoute, type GenerateSpecOptions, generateSpecs } from 'hono-openapi'
import type * as v from 'valibot'
import { WEBHOOK_TOPICS } from '../../events/webhook-form.ts'
import { webhookMessage } from '../../events/wire/webhook.ts'
import { CONFIRMED_ROUTES, ROUTE_ACCESS, type RouteAccess, TOKEN_ROUTES } from '../access.ts'
import { hasHostCookies } from '../staff/staff-cookie.ts'
import { jsonSchemaOf, namedSchemas } from './json-schema.ts'
import { LEAD_OPERATIONS } from './lead-operations.ts'
import type { Operation } from './operation.ts'
import { STAFF_OPERATIONS } from './staff-operations.ts'
import { VISITOR_OPERATIONS } from './visitor-operations.ts'

/** All operations that the document describes, by method and path. */
export const OPERATIONS = { ...LEAD_OPERATIONS, ...VISITOR_OPERATIONS, ...STAFF_OPERATIONS }

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body cannot be read',
  401: 'Not signed in, or the token is not known',
  403: 'Not allowed, a foreign origin, or the password has to be given again first (POST /api/me/confirm)',
  404: 'Not found',
  409: 'Changed by somebody else',
  413: 'The body is too large',
  415: 'This media type is not accepted',
  422: 'Some fields are not valid',
  429: 'Too many requests: Retry-After says when to come back',
  503: 'Not available just now: Retry-After says when to come back',
}

const refused = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** What a schema, or what is no JSON, is in a body. */
const contentOf = (content: NonNullable<Operation['body']>) =>
  'mediaType' in content
    ? { [content.mediaType]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: jsonSchemaOf(content) } }

const statusesOf = (route: string, access: RouteAccess, { query, body, mayConflict }: Operation) => [
  ...(body ? [400, 413, 415] : []),
  ...(body || query ? [422] : []),
  ...(access === 'anyone' || access === 'inner network' ? [] : [401]),
  ...(access === 'owners' || access === 'inner network' || TOKEN_ROUTES[route] || CONFIRMED_ROUTES[route] || body
    ? [403]
    : []),
  ...(route.includes(':') ? [404] : []),
  ...(mayConflict ? [409] : []),
  429,
  503,
]

const securityOf = (route: string, access: RouteAccess): Record<string, string[]>[] => {
  if (access === 'anyone' || access === 'inner network') return []
  const scope = TOKEN_ROUTES[route]
  if (access === 'participants') return [{ session: [] }, { resumeToken: [] }]
  return [{ session: [] }, ...(scope ? [{ token: [scope] }] : [])]
}

const queryOf = (query: Operation['query']) => {
  if (!query) return []
  const required: readonly string[] = jsonSchemaOf(query).required ?? []
  return Object.entries(query.entries).map(([name, entry]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema: jsonSchemaOf(entry as v.GenericSchema),
  }))
}

const headersOf = (headers: Operation['headers'] = {}) =>
  Object.entries(headers).map(([name, description]) => ({
    in: 'header',
    name,
    description,
    schema: { type: 'string' },
  }))

const WHO: Record<RouteAccess, string> = {
  anyone: 'Anybody may call this.',
  participants: 'For the visitor of the chat, and staff.',
  staff: 'For staff.',
  owners: 'For owners.',
  'inner network': 'For the inner network.',
}

/** The part of the API that a path belongs to. */
const tagOf = (path: string) => /^\/api\/([\w-]+)(?!.*\.json)/.exec(path)?.[1] ?? 'node'

const PAGES = { Link: { description: 'Where the list goes on: rel="next"', schema: { type: 'string' } } }

const describe = (route: string, operation: Operation) => {
  const access = ROUTE_ACCESS[route] ?? 'owners'
  const { summary, query, body, answer, headers, isPaged } = operation
  const scope = TOKEN_ROUTES[route]
  const status = operation.status ?? (answer ? 200 : 204)
  const success = {
    description: 'Done',
    ...(answer && { content: contentOf(answer) }),
    ...(isPaged && { headers: PAGES }),
  }
  const described = {
    summary,
    description: scope ? `${WHO[access]} Programs need the scope ${scope}.` : WHO[access],
    tags: [tagOf(route.split(' ')[1] ?? '')],
    security: securityOf(route, access),
    parameters: [...queryOf(query), ...headersOf(headers)],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      [status]: success,
      ...Object.fromEntries(
        statusesOf(route, access, operation).map((code) => [code, refused(REFUSALS[code] ?? 'Refused')]),
      ),
    },
  }
  // valibot's JSON Schema is of a draft that OpenAPI 3.1 takes, and that these types are older than
  return describeRoute(described as DescribeRouteOptions)
}

const webhookOf = (topic: string) => ({
  post: {
    summary: `Tells of ${topic}`,
    description:
      'Answer with any 2xx status within 10 seconds. Anything else is tried again for a day, under the same webhook-id, no sooner than a Retry-After asks for, up to 4 hours. 410 pauses the webhook at once. The signature is that of Standard Webhooks.',
    security: [],
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      in: 'header',
      name,
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: jsonSchemaOf(webhookMessage) } } },
    responses: { '2XX': { description: 'Taken' } },
  },
})

const documentation = (publicUrl: string) => ({
  info: {
    title: 'Agency site',
    version: '1',
    description:
      'Leads and chats of the website. Programs send a token that an owner made in the settings, as `Authorization: Bearer`. Errors are problem documents (RFC 9457).',
  },
  servers: [{ url: publicUrl }],
  components: {
    schemas: namedSchemas(),
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: hasHostCookies({ publicUrl }) ? '__Host-staff_session' : 'staff_session',
        description: 'A member of staff.',
      },
      token: { type: 'http', scheme: 'bearer', description: 'A program, by an API token with scopes.' },
      resumeToken: { type: 'http', scheme: 'bearer', description: 'A visitor, by the resume token of their chat.' },
    },
  },
  webhooks: Object.fromEntries(WEBHOOK_TOPICS.map((topic) => [topic, webhookOf(topic)])),
})

/** Makes the document, for a site at this address. */
export const makeDocument = async (publicUrl: string) => {
  // an app that nobody is served by: it holds descriptions alone
  const described = new Hono()
  for (const [route, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ')
    described.on(method, path, describe(route, operation))
  }
  const options: Partial<GenerateSpecOptions> = {
    documentation: documentation(publicUrl) as NonNullable<GenerateSpecOptions['documentation']>,
    excludeStaticFile: false,
  }
  return await generateSpecs(described, options)
}
