import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { pathOf } from './path.ts'

const ID = '0b7a4f2e-93d1-4c58-8e6a-f1d2c3b4a596'
const calls = new Hono().get('/:id', (c) => c.text(c.req.param('id'))).post('/:id/notes', (c) => c.text(c.req.path))
const app = new Hono({ getPath: pathOf }).route('/api/leads', calls).get('*', (c) => c.text(c.req.path))
const answer = async (path: string, method = 'GET') => await (await app.request(path, { method })).text()

test('an id in a path becomes lower case', async () => {
  expect(await answer(`/api/leads/${ID.toUpperCase()}?q=A`)).toBe(ID)
  expect(await answer(`/api/leads/${ID.replace('f', '%46')}`)).toBe(ID)
  expect(await answer(`/api/leads/${ID.toUpperCase()}/notes`, 'POST')).toBe(`/api/leads/${ID}/notes`)
})

test('the rest of a path is unchanged', async () => {
  for (const path of ['/api/leads/By-Hand', `/api/leads/X${ID.toUpperCase()}`, `/work/${ID.toUpperCase()}`]) {
    expect(await answer(path)).toBe(path.replace('/api/leads/', ''))
  }
})
