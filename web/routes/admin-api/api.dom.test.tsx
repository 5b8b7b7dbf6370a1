import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
import { problem, requestsOf } from '../../testing/server.ts'

const operation = (operationId: string, summary: string, more: object = {}) => ({
  operationId,
  summary,
  description: `${summary}.`,
  tags: ['leads'],
  responses: { 200: { description: 'Done', content: { 'application/json': { schema: { type: 'array' } } } } },
  ...more,
})

const DOCUMENT = {
  paths: {
    '/api/leads': { get: operation('list', 'Lists leads', { parameters: [{ in: 'query', name: 'limit' }] }) },
    '/api/leads/{id}': { get: operation('one', 'One lead', { parameters: [{ in: 'path', name: 'id' }] }) },
    '/api/leads/by-hand': {
      post: operation('enter', 'Enters a lead', { requestBody: { content: { 'application/json': { schema: {} } } } }),
    },
  },
  components: { schemas: { Lead: { type: 'object' } } },
}

const unfold = async (summary: string, call: string) => {
  const details = (await screen.findByText(summary)).closest('details') ?? expect.fail()
  details.open = true
  fireEvent(details, new Event('toggle'))
  return within(await screen.findByLabelText(call, { selector: 'form' }))
}

test('A call is sent by the signed-in account, with the values filled in, and its response is shown', async () => {
  const { user } = await openScreen('/admin-api', {
    'GET /api/openapi.json': DOCUMENT,
    'GET /api/leads': () => Response.json([{ name: 'Ana Botha' }], { statusText: 'OK' }),
  })
  const form = await unfold('Lists leads', 'GET /api/leads')
  fill(form.getByLabelText('limit'), '1')
  await user.click(form.getByText('Send'))
  await form.findByText('200 OK')
  expect(form.getByRole('region', { name: 'Response' }).textContent).toContain('"name": "Ana Botha"')
  const [sent] = requestsOf('GET /api/leads')
  expect([sent?.query.toString(), sent?.headers.get('authorization')]).toEqual(['limit=1', null])
  screen.getByText('Lead')
})

test('With a token it is sent by its program, and a refusal is shown as it came', async () => {
  const { user } = await openScreen('/admin-api', {
    'GET /api/openapi.json': DOCUMENT,
    'POST /api/leads/by-hand': problem(403, { detail: 'This token does not have the scope leads:write' }),
    'GET /api/leads/a%2Fb': { name: 'Ana Botha' },
  })
  fill(await screen.findByLabelText('API token'), ' agency_token ')
  const enter = await unfold('Enters a lead', 'POST /api/leads/by-hand')
  fill(enter.getByLabelText('Body'), '{ "name": "Sipho" }')
  await user.click(enter.getByText('Send'))
  expect((await enter.findByRole('region', { name: 'Response' })).textContent).toContain(
    'This token does not have the scope leads:write',
  )
  const [sent] = requestsOf('POST /api/leads/by-hand')
  expect(sent?.body).toEqual({ name: 'Sipho' })
  expect(sent?.headers.get('authorization')).toBe('Bearer agency_token')
  const one = await unfold('One lead', 'GET /api/leads/{id}')
  fill(one.getByLabelText('id'), 'a/b')
  await user.click(one.getByText('Send'))
  expect((await one.findByRole('region', { name: 'Response' })).textContent).toContain('Ana Botha')
})
