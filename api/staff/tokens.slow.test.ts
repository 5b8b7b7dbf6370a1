import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { leadsProjection, UNASSIGNED_ID } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { eventually, type TestNode } from '../../events/testing/node.ts'
import { LIMITS } from '../admission/limits.ts'
import { openTestAccounts } from '../testing/accounts.ts'

const VIEW = schemaOf(leadsProjection)
/** More than sockets and pipes hold, so that an export still runs while its response is not read. */
const ROWS = 40_000

const accounts = await openTestAccounts()
afterAll(accounts.stop)
const { sql } = accounts
await accounts.startWorker()

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const call = (method: string, path: string, token: string, body?: object, node = accounts.nodes[0]) =>
  accounts.send(method, path, body, bearer(token), node)
const revoke = (id: string) => accounts.send('DELETE', `/api/tokens/${id}`)
/** Sends a request to another node and reads nothing of the response's body. */
const open = async (node: TestNode, path: string, token: string) => {
  const answer = Promise.withResolvers<IncomingMessage>()
  httpGet(node.url + path, { headers: bearer(token), agent: false }, answer.resolve).on('error', answer.reject)
  return await answer.promise
}

const insertLeads = () => sql`
  with made as materialized (
    select gen_random_uuid() as id, '2020-01-01T10:00:00Z'::timestamptz + n * interval '1 second' as at, n
    from generate_series(1, ${ROWS}::int) n
  ), entries as (
    insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting)
    select -n, id, at, false, '', 'new', ${UNASSIGNED_ID}, 'hero_form', 'none', true from made
  )
  insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, lead)
  select id, -n, 0, false, jsonb_build_object('id', id, 'name', 'Ana Botha', 'email', 'ana@example.com',
    'phone', '082 555 0199', 'leadSource', 'hero_form', 'followUpStatus', 'new', 'version', 1,
    'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'message', (select string_agg(md5(n || ' ' || part), '') from generate_series(1, 10) part))
  from made`

test('a token that is revoked ends its exports, lists and streams on another node, whole answers never', async () => {
  await insertLeads()
  const paths = ['/api/leads/export?format=csv', '/api/leads/export?format=xlsx', '/api/leads', '/api/leads/stream']
  for (const path of paths) {
    const { id, token } = await accounts.addToken('leads:read')
    const answer = await open(accounts.nodes[1], path, token)
    expect(answer.statusCode).toBe(200)
    const ended = Promise.race([once(answer, 'close'), once(answer, 'aborted')])
    expect((await revoke(id)).status).toBe(204)
    answer.on('error', () => {}).resume()
    await ended
    // a stream of changes has no end, so a part cannot be taken for the whole
    expect(answer.complete, path).toBe(path === '/api/leads/stream')
  }
})

test('a program has one export at a time, and a limit of calls a minute; others are not held up', async () => {
  const { token } = await accounts.addToken('leads:read')
  const first = await open(accounts.nodes[0], '/api/leads/export?format=csv', token)
  const second = await call('GET', '/api/leads/export?format=csv', token)
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10'])
  first.destroy()
  await eventually(async () => {
    const third = await open(accounts.nodes[0], '/api/leads/export?format=csv', token)
    third.destroy()
    expect(third.statusCode).toBe(200)
  })
  const [{ points }] = LIMITS.token_calls.account
  let status = 200
  for (let calls = 0; calls < points && status === 200; calls += 1) {
    status = (await call('GET', '/api/leads/waiting', token)).status
  }
  expect(status).toBe(429)
  const other = await accounts.addToken('leads:read')
  expect((await call('GET', '/api/leads/waiting', other.token)).status).toBe(200)
})
