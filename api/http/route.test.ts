import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { LimitName } from '../admission/limits.ts'
import type { ApiNode } from '../node/node.ts'
import { ROUTES } from '../routes.ts'
import { RequestError } from './errors.ts'
import { pathOf } from './path.ts'
import { mountRoutes, type Route, route } from './route.ts'

const ID = '0b7a4f2e-93d1-4c58-8e6a-f1d2c3b4a596'
const incoming = { socket: { remoteAddress: '192.0.2.1' } }

/** An app of these routes that returns the code of an error as its text, on a node that counts requests. */
const openApp = (...routes: Route[]) => {
  const counted: [LimitName, unknown][] = []
  const node = {
    config: { trustedHops: 0, isProxy: () => false, publicUrl: 'http://localhost' },
    admission: { admit: async (...each: [LimitName, unknown]) => counted.push(each) },
  } as unknown as ApiNode
  const app = new Hono({ getPath: pathOf })
  mountRoutes(app, node, routes)
  app.onError((error, c) => c.text(error instanceof RequestError ? error.code : String(error), 400))
  const ask = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    app.request(path, { method, headers: { 'content-type': 'application/json', ...headers }, body }, { incoming })
  return { ask, counted }
}

const noted = route('POST', '/api/leads/:id/notes', {
  access: 'anyone',
  summary: 'Adds a note',
  query: v.object({ times: v.optional(v.pipe(v.string(), v.regex(/^\d$/), v.transform(Number)), '1') }),
  body: v.object({ note: v.string() }),
  answer: v.object({ notes: v.array(v.string()) }),
  status: 201,
  handler: ({ params: { id }, query: { times }, body: { note } }) => ({ notes: [id, ...Array(times).fill(note)] }),
})

const empty = (method: Route['method'], path: string) =>
  route(method, path, { access: 'anyone', summary: 'Does nothing', handler: async () => {} })

test('a handler gets the query and the body validated, and its result is sent with the declared status', async () => {
  const { ask } = openApp(noted)
  const answer = await ask('POST', `/api/leads/${ID}/notes?times=2`, '{"note":"Hi","more":1}')
  expect([answer.status, await answer.json()]).toEqual([201, { notes: [ID, 'Hi', 'Hi'] }])
})

test('a route without a result returns 204, or its own status, and no body', async () => {
  const { ask } = openApp(empty('DELETE', '/api/tokens'))
  const answer = await ask('DELETE', '/api/tokens')
  expect([answer.status, await answer.text()]).toEqual([204, ''])
})

test.each([
  ['?times=x', '{"note":"Hi"}', 'invalid'],
  ['', '{"note":1}', 'invalid'],
  ['', '[]', 'invalid'],
  ['', '{', 'malformed_body'],
  ['', JSON.stringify({ note: 'x'.repeat(64 * 1024) }), 'body_too_large'],
])('invalid input is refused before the handler runs: %s %.20s', async (query, body, code) => {
  const { ask } = openApp(noted)
  const length = { 'content-length': String(body.length) }
  expect(await (await ask('POST', `/api/leads/${ID}/notes${query}`, body, length)).text()).toBe(code)
})

test.each([
  ['/api/leads/export', 'POST', true],
  [`/api/leads/${ID}/notes`, 'POST', true],
  [`/api/files/${ID}/${ID}`, 'GET', true],
  ['/api/leads/%00/notes', 'POST', false],
  ['/api/leads/%2500/notes', 'POST', false],
  ['/api/leads/1/notes', 'POST', false],
  [`/api/files/${ID}/%00`, 'GET', false],
  [`/api/files/%00/${ID}`, 'HEAD', false],
])('of the ids in a path only UUIDs reach a route: %s by %s', async (path, method, isFound) => {
  const { ask } = openApp(
    empty('POST', '/api/leads/export'),
    empty('POST', '/api/leads/:id/notes'),
    empty('POST', '/api/leads/:id'),
    empty('GET', '/api/files/:id/:file'),
  )
  expect((await ask(method, path)).status).toBe(isFound ? 204 : 400)
  if (!isFound && method !== 'HEAD') expect(await (await ask(method, path)).text()).toBe('not_found')
})

test.each([
  ['application/json', '{'],
  ['application/json', '{}'],
  ['application/x-www-form-urlencoded', 'a&'.repeat(32_000)],
  ['text/plain', 'hello'],
])('a lead whose body is refused counts as a form of its address (%s)', async (type, body) => {
  const { ask, counted } = openApp(...ROUTES)
  expect((await ask('POST', '/api/leads', body, { 'content-type': type })).status).toBe(400)
  expect(counted).toEqual([['forms', { address: '192.0.2.1' }]])
})

test('programs are served on no routes but those of staff', () => {
  for (const { path, access, scope } of ROUTES) if (scope) expect([path, access]).toEqual([path, 'staff'])
})
