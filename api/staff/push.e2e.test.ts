import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sql } from '../../events/log/connection.ts'
import type { Account } from '../../events/staff.ts'
import { makeTestDevice } from '../../events/testing/push-service.ts'
import { openTestAccounts, PASSWORD, type TestAccounts } from './test-accounts.ts'

let accounts: TestAccounts
let sql: Sql

beforeAll(async () => {
  accounts = await openTestAccounts()
  sql = accounts.sql
})
afterAll(() => accounts.stop())

/** A device of somebody that is told of leads, and its session. */
const give = async (account: Account) => {
  const session = await accounts.signInAs(account)
  const { endpoint, keys } = makeTestDevice(`https://push.example.org/${randomBytes(8).toString('hex')}`)
  const kept = await accounts.send('POST', '/api/me/push', { endpoint, keys }, session)
  expect(kept.status).toBe(204)
  return { endpoint, session }
}

const isKept = async ({ endpoint }: { endpoint: string }) =>
  (await sql`select 1 from push_subscriptions where endpoint = ${endpoint}`).length === 1

type Device = Awaited<ReturnType<typeof give>>

test.each<[string, (device: Device, account: Account) => Promise<unknown>]>([
  ['is signed out', ({ session }) => accounts.send('POST', '/api/logout', {}, session)],
  [
    'is ended from the list',
    async ({ session }, account) => {
      const [{ id }] = await (await accounts.send('GET', '/api/me/sessions', undefined, session)).json()
      await accounts.send('DELETE', `/api/me/sessions/${id}`, undefined, await accounts.signInAs(account))
    },
  ],
  [
    'ends with its password',
    async (_, account) =>
      await accounts.send(
        'POST',
        '/api/me/password',
        { current: PASSWORD, next: 'another password' },
        await accounts.signInAs(account),
      ),
  ],
  [
    'ends with its password, by an owner',
    (_, { id }) => accounts.send('PATCH', `/api/accounts/${id}`, { password: 'another password' }),
  ],
  ['is one of an owner no more', (_, { id }) => accounts.send('PATCH', `/api/accounts/${id}`, { role: 'agent' })],
  ['is of an account that is removed', (_, { id }) => accounts.send('DELETE', `/api/accounts/${id}`)],
  ['is of an account that the command line removes', (_, { username }) => accounts.command(['remove', username])],
  [
    'expires',
    async ({ endpoint }, account) => {
      await sql`
        update staff_sessions set expires_at = now() - interval '1 second'
        where id = (select session_id from push_subscriptions where endpoint = ${endpoint})`
      await accounts.signInAs(account)
    },
  ],
  ['is ended by an older node', (_, { id }) => sql`delete from staff_sessions where staff_id = ${id}`],
])('a device is forgotten once its session %s; others are not', async (_, end) => {
  const [account, other] = [await accounts.add('owner'), await accounts.add('agent')]
  const [device, stays] = [await give(account), await give(other)]
  expect(await isKept(device)).toBe(true)
  await end(device, account)
  expect(await isKept(device)).toBe(false)
  expect(await isKept(stays)).toBe(true)
})

test('a device keeps its notifications while other sessions of its account end, and goes over to who signs in on it', async () => {
  const [account, next] = [await accounts.add('agent'), await accounts.add('agent')]
  const [device, other] = [await give(account), await give(account)]
  await accounts.send('POST', '/api/logout', {}, other.session)
  expect(await isKept(device)).toBe(true)
  const session = await accounts.signInAs(next)
  const { keys } = makeTestDevice(device.endpoint)
  await accounts.send('POST', '/api/me/push', { endpoint: device.endpoint, keys }, session)
  await accounts.send('POST', '/api/logout', {}, device.session)
  expect(await isKept(device)).toBe(true)
  await accounts.send('POST', '/api/logout', {}, session)
  expect(await isKept(device)).toBe(false)
})
