import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, expect, test } from 'vitest'
import { WEBHOOK_TOPICS } from '../../events/webhook/form.ts'
import type { Route } from '../http/route.ts'
import { ROUTES } from '../routes.ts'
import { makeDocument } from './document.ts'

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

const describedBy = ({ method, path }: Pick<Route, 'method' | 'path'>): Described => {
  const operations = document.paths?.[path.replace(/:(\w+)/g, '{$1}')] as Record<string, Described> | undefined
  return operations?.[method.toLowerCase()] ?? expect.fail(`${method} ${path} is not described`)
}

test('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('every route has its schemas, its errors and an id of its own; each name that is referred to is there', () => {
  const ids = ROUTES.map((route) => describedBy(route).operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const route of ROUTES) {
    const { path, access, answer, body, status = answer ? 200 : 204 } = route
    const { responses, requestBody } = describedBy(route)
    expect([path, requestBody !== undefined]).toEqual([path, body !== undefined])
    expect([path, responses[status]?.content !== undefined]).toEqual([path, answer !== undefined])
    expect(responses['503']?.content?.['application/problem+json']).toBeDefined()
    expect([path, '401' in responses]).toEqual([path, access !== 'anyone' && access !== 'inner network'])
  }
  const referred = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  const known = Object.keys(document.components?.schemas ?? {})
  for (const [, name] of referred) expect(known).toContain(name)
})

test('a token opens the routes of its scope, and no others', () => {
  for (const route of ROUTES) {
    const tokens = describedBy(route).security.flatMap(({ token }) => token ?? [])
    expect([route.path, tokens]).toEqual([route.path, route.scope ? [route.scope] : []])
  }
})

test('it names the required fields of a form, though an empty one is refused with a sentence', () => {
  const { requestBody } = describedBy({ method: 'POST', path: '/api/leads' })
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

test('it describes the messages to webhooks', () => {
  expect(document.webhooks && Object.keys(document.webhooks)).toEqual([...WEBHOOK_TOPICS])
  expect(document.webhooks).toMatchObject({
    'lead.created': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookMessage' } } } },
      },
    },
  })
})
