import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, expect, test } from 'vitest'
import { WEBHOOK_TOPICS } from '../../events/webhook-form.ts'
import { ROUTE_ACCESS, TOKEN_ROUTES } from '../access.ts'
import { makeDocument, OPERATIONS } from './document.ts'

type Described = {
  operationId: string
  security: Record<string, string[]>[]
  requestBody?: object
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

let document: Awaited<ReturnType<typeof makeDocument>>
beforeAll(async () => {
  document = await makeDocument('https://www.agency.example')
})

/** What answers pages, sockets or the board of queues, and what holds for many paths, is no call of the API. */
const isCall = (route: string) => !route.startsWith('ALL ') && !/ (\/\*|\/ws|\/admin-queues\/.*)$/.test(route)

const describedBy = (route: string): Described => {
  const [method = '', path = ''] = route.split(' ')
  const operations = document.paths?.[path.replace(/:(\w+)/g, '{$1}')] as Record<string, Described> | undefined
  return operations?.[method.toLowerCase()] ?? expect.fail(`${route} is not described`)
}

test('every call that the table of access knows is described, and no other', () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual(Object.keys(ROUTE_ACCESS).filter(isCall).sort())
  for (const route of Object.keys(OPERATIONS)) describedBy(route)
})

test('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('every call has its schemas, its errors and an id of its own; each name that is referred to is there', () => {
  const ids = Object.keys(OPERATIONS).map((route) => describedBy(route).operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [route, { answer, body, status = answer ? 200 : 204 }] of Object.entries(OPERATIONS)) {
    const { responses, requestBody } = describedBy(route)
    expect([route, requestBody !== undefined]).toEqual([route, body !== undefined])
    expect([route, responses[status]?.content !== undefined]).toEqual([route, answer !== undefined])
    expect(responses['503']?.content?.['application/problem+json']).toBeDefined()
    const isFor = ROUTE_ACCESS[route]
    expect([route, '401' in responses]).toEqual([
      route,
      isFor === 'staff' || isFor === 'owners' || isFor === 'participants',
    ])
  }
  const referred = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const known = Object.keys(document.components?.schemas ?? {})
  for (const [, name] of referred) expect(known).toContain(name)
})

test('a token opens the calls of its scope, and of others none', () => {
  for (const route of Object.keys(OPERATIONS)) {
    const tokens = describedBy(route).security.flatMap(({ token }) => token ?? [])
    expect([route, tokens]).toEqual([route, route in TOKEN_ROUTES ? [TOKEN_ROUTES[route]] : []])
  }
})

test('it tells which fields a form requires, though an empty one is refused in words', () => {
  const { requestBody } = describedBy('POST /api/leads')
  expect(requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: {
          required: ['name', 'email', 'phone', 'leadSource'],
          properties: { name: { type: 'string', minLength: 2 }, company: { anyOf: expect.anything() } },
        },
      },
    },
  })
})

test('it describes what webhooks are sent', () => {
  expect(document.webhooks && Object.keys(document.webhooks)).toEqual([...WEBHOOK_TOPICS])
  expect(document.webhooks).toMatchObject({
    'lead.created': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookMessage' } } } },
      },
    },
  })
})
