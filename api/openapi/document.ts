/** The OpenAPI 3.1 document of all calls, from their declarations. It is made on the first request. */

import { Hono } from 'hono'
import { type DescribeRouteOptions, describeRoute, type GenerateSpecOptions, generateSpecs } from 'hono-openapi'
import type * as v from 'valibot'
import { WEBHOOK_TOPICS } from '../../events/webhook/form.ts'
import { webhookMessage } from '../../events/webhook/wire.ts'
import type { Access, Route } from '../http/route.ts'
import { ROUTES } from '../routes.ts'
import { hasHostCookies } from '../staff/staff-cookie.ts'
import { jsonSchemaOf, namedSchemas } from './json-schema.ts'

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body cannot be read',
  401: 'Not signed in, or the token is not known',
  403: 'Not allowed, a foreign origin, or the password has to be given again first (POST /api/me/confirm)',
  404: 'Not found',
  409: 'Conflict with the current state, such as a change by another person',
  413: 'The body is too large',
  415: 'This media type is not accepted',
  422: 'Some fields are not valid',
  429: 'Too many requests: Retry-After says when to try again',
  503: 'Temporarily unavailable: Retry-After says when to try again',
}

const refused = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** The content of a body or a response, by its media type. */
const contentOf = (content: NonNullable<Route['body']>) =>
  'mediaType' in content
    ? { [content.mediaType]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: jsonSchemaOf(content) } }

const isOpen = (access: Access) => access === 'anyone' || access === 'inner network'

const statusesOf = ({ path, access, scope, isConfirmed, query, body, mayConflict }: Route) => [
  ...(body ? [400, 413, 415] : []),
  ...(body || query ? [422] : []),
  ...(isOpen(access) ? [] : [401]),
  ...(access === 'owners' || access === 'inner network' || scope || isConfirmed || body ? [403] : []),
  ...(path.includes(':') ? [404] : []),
  ...(mayConflict ? [409] : []),
  429,
  503,
]

const securityOf = ({ access, scope }: Route): Record<string, string[]>[] => {
  if (isOpen(access)) return []
  if (access === 'participants') return [{ session: [] }, { resumeToken: [] }]
  return [{ session: [] }, ...(scope ? [{ token: [scope] }] : [])]
}

const queryOf = (query: Route['query']) => {
  if (!query) return []
  const required: readonly string[] = jsonSchemaOf(query).required ?? []
  return Object.entries(query.entries).map(([name, entry]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema: jsonSchemaOf(entry as v.GenericSchema),
  }))
}

const headersOf = (headers: Route['headers'] = {}) =>
  Object.entries(headers).map(([name, description]) => ({
    in: 'header',
    name,
    description,
    schema: { type: 'string' },
  }))

const WHO: Record<Access, string> = {
  anyone: 'Anyone may call this.',
  participants: 'For the visitor of the chat, and staff.',
  'signed in': 'For staff.',
  staff: 'For staff.',
  owners: 'For owners.',
  'inner network': 'For the inner network.',
}

/** The part of the API that a path belongs to. */
const tagOf = (path: string) => /^\/api\/([\w-]+)(?!.*\.json)/.exec(path)?.[1] ?? 'node'

const PAGES = { Link: { description: 'The next page of the list: rel="next"', schema: { type: 'string' } } }

const describe = (route: Route) => {
  const {
    path,
    access,
    scope,
    summary,
    query,
    body,
    isBodyOptional,
    answer,
    status = answer ? 200 : 204,
    headers,
    isPaged,
  } = route
  const success = {
    description: 'Done',
    ...(answer && { content: contentOf(answer) }),
    ...(isPaged && { headers: PAGES }),
  }
  const described = {
    summary,
    description: scope ? `${WHO[access]} Programs need the scope ${scope}.` : WHO[access],
    tags: [tagOf(path)],
    security: securityOf(route),
    parameters: [...queryOf(query), ...headersOf(headers)],
    ...(body && { requestBody: { required: !isBodyOptional, content: contentOf(body) } }),
    responses: {
      [status]: success,
      ...Object.fromEntries(statusesOf(route).map((code) => [code, refused(REFUSALS[code] ?? 'Refused')])),
    },
  }
  // valibot's JSON Schema is of a draft that OpenAPI 3.1 accepts, and that is newer than these types
  return describeRoute(described as DescribeRouteOptions)
}

const webhookOf = (topic: string) => ({
  post: {
    summary: `Notifies of ${topic}`,
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
  // this app serves no requests: it only collects descriptions
  const described = new Hono()
  for (const route of ROUTES) described.on(route.method, route.path, describe(route))
  const options: Partial<GenerateSpecOptions> = {
    documentation: documentation(publicUrl) as NonNullable<GenerateSpecOptions['documentation']>,
    excludeStaticFile: false,
  }
  return await generateSpecs(described, options)
}
