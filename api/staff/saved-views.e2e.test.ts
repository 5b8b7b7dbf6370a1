import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestAccounts, type TestAccounts } from './test-accounts.ts'

let accounts: TestAccounts
let own: { cookie: string }
let others: { cookie: string }

beforeAll(async () => {
  accounts = await openTestAccounts()
  own = await accounts.signInAs(await accounts.add('agent'))
  others = await accounts.signInAs(await accounts.add('agent'))
})
afterAll(() => accounts.stop())

type View = { id: string; name: string; query: string }

const send = async (method: string, path = '', body?: object, headers: object = own) => {
  const response = await accounts.send(method, `/api/me/views${path}`, body, headers)
  return { status: response.status, views: (await response.json()) as View[] }
}
const namesFor = async (headers: object) => (await send('GET', '', undefined, headers)).views.map(({ name }) => name)

test('a view is kept, renamed and removed, for its own account alone', async () => {
  const added = await send('POST', '', { name: ' Late ', query: 'period=all&overdue=true' })
  expect(added.status).toBe(201)
  expect(added.views).toEqual([{ id: expect.any(String), name: 'Late', query: 'period=all&overdue=true' }])
  const path = `/${added.views[0]?.id}`
  expect(await namesFor(others)).toEqual([])
  expect((await send('PATCH', path, { name: 'Mine now' }, others)).status).toBe(404)
  await send('DELETE', path, undefined, others)
  expect((await send('PATCH', path, { name: 'Too late' })).views[0]?.name).toBe('Too late')
  expect((await send('DELETE', path)).views).toEqual([])
  expect((await send('PATCH', path, { name: 'Gone' })).status).toBe(404)
})

test('names are told apart, there is a most, and what is no query is refused', async () => {
  const two = await Promise.all([1, 2].map(() => send('POST', '', { name: 'Same', query: 'period=all' })))
  expect(two.map(({ status }) => status).sort()).toEqual([201, 422])
  expect((await send('POST', '', { name: 'SAME', query: 'period=week' })).status).toBe(422)
  expect((await send('POST', '', { name: '', query: 'period=week' })).status).toBe(422)
  expect((await send('POST', '', { name: 'x', query: 'a b' })).status).toBe(422)
  expect((await send('POST', '', { name: 'x', query: 'x'.repeat(1_001) })).status).toBe(422)
  const many = await Promise.all(
    Array.from({ length: 35 }, (_, index) => send('POST', '', { name: `View ${index}`, query: 'period=all' })),
  )
  expect(many.filter(({ status }) => status === 201)).toHaveLength(29)
  expect(await namesFor(own)).toHaveLength(30)
})
