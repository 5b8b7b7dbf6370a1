import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../events/staff.ts'
import type { Session } from '../../events/wire/staff.ts'
import { joinStaff } from '../chat/test-client.ts'
import { openTestAccounts, PASSWORD, type TestAccounts } from './test-accounts.ts'

/** Well under the 5 s of the polls that stand behind the bus, which would take half of that on average. */
const AT_ONCE_MS = 1_500

let accounts: TestAccounts

beforeAll(async () => {
  accounts = await openTestAccounts()
  await accounts.startWorker()
})
afterAll(() => accounts.stop())

describe('at once on all nodes', () => {
  const waits: number[] = []

  /** Opens what a signed-in browser keeps open, on the other node; answers how long it takes to end from now on. */
  const open = async (headers: { cookie: string }) => {
    const socket = await joinStaff(accounts.nodes[1], headers)
    const stream = await accounts.nodes[1].call('/api/leads/stream', { headers })
    const reader = stream.body?.getReader()
    await reader?.read()
    const streamEnds = (async () => {
      while (!(await reader?.read())?.done);
    })()
    return async (act: () => Promise<unknown>) => {
      await act()
      const start = performance.now()
      const [code] = await Promise.all([socket.closed, streamEnds])
      expect(code).toBe(4401)
      waits.push(performance.now() - start)
      expect(await accounts.isSignedIn(headers)).toBe(false)
    }
  }

  test('sign-out ends the socket and the stream, of that session alone', async () => {
    const account = await accounts.add('agent')
    const other = await joinStaff(accounts.nodes[1], await accounts.signInAs(account))
    const headers = await accounts.signInAs(account)
    const ends = await open(headers)
    await ends(() => accounts.send('POST', '/api/logout', undefined, headers))
    other.send({ type: 'ping' })
    await other.take('pong')
    await other.close()
  })

  test.each([
    [
      'a new password',
      ({ id }: Account) => accounts.send('PATCH', `/api/accounts/${id}`, { password: 'another password' }),
    ],
    ['the removal of the account', ({ id }: Account) => accounts.send('DELETE', `/api/accounts/${id}`)],
    ['the command line', ({ username }: Account) => accounts.command(['remove', username])],
  ])('%s ends them', async (_, act) => {
    const account = await accounts.add('agent')
    const ends = await open(await accounts.signInAs(account))
    await ends(() => act(account))
  })

  test('ending one of one’s sessions from another ends that one alone', async () => {
    const account = await accounts.add('agent')
    const stays = await accounts.signInAs(account)
    const here = await accounts.signInAs(account)
    const theirs = await accounts.signInAs(await accounts.add('agent'))
    const ends = await open(await accounts.signInAs(account))
    const list = async (): Promise<Session[]> =>
      await (await accounts.send('GET', '/api/me/sessions', undefined, here)).json()
    const [newest, own, oldest, ...others] = await list()
    expect([newest?.isThis, own?.isThis, oldest?.isThis, others]).toEqual([false, true, false, []])
    expect(newest?.from).toMatchObject({ browser: 'other', system: 'other' })
    expect(JSON.stringify(await list())).not.toContain(here.cookie)

    const end = (id: string, headers: object) => accounts.send('DELETE', `/api/me/sessions/${id}`, undefined, headers)
    await end(newest?.id ?? '', theirs) // nobody ends another account's
    expect(await list()).toHaveLength(3)
    await ends(() => end(newest?.id ?? '', here))
    expect((await list()).map(({ id }) => id)).toEqual([own?.id, oldest?.id])
    expect([await accounts.isSignedIn(here), await accounts.isSignedIn(stays)]).toEqual([true, true])
    expect((await end(newest?.id ?? '', here)).status).toBe(204)
    expect((await end('this', here)).status).toBe(404)
  })

  test('becoming an agent ends them', async () => {
    const account = await accounts.add('owner')
    const ends = await open(await accounts.signInAs(account))
    await ends(() => accounts.send('PATCH', `/api/accounts/${account.id}`, { role: 'agent' }))
  })

  test('a change of one’s own password ends the other sessions, and keeps this one', async () => {
    const account = await accounts.add('agent')
    const here = await accounts.signInAs(account)
    const stays = await joinStaff(accounts.nodes[1], here)
    const ends = await open(await accounts.signInAs(account))
    const next = 'a new long password'
    await ends(() => accounts.send('POST', '/api/me/password', { current: PASSWORD, next }, here))
    expect(await accounts.isSignedIn(here)).toBe(true)
    stays.send({ type: 'ping' })
    await stays.take('pong')
    await stays.close()
    const { username } = account
    expect((await accounts.nodes[1].post('/api/login', { username, password: PASSWORD })).status).toBe(401)
    await accounts.signInAs(account, next)
  })

  test('is well before anybody would look by themselves', () => {
    expect(waits).toHaveLength(7)
    expect(waits.toSorted((a, b) => a - b)[3]).toBeLessThan(AT_ONCE_MS)
  })
})

describe('one’s own password', () => {
  const change = (headers: object, body: object) => accounts.send('POST', '/api/me/password', body, headers)

  test.each([
    [{ current: 'not it at all', next: 'a new long password' }, 'current', 'This is not your current password'],
    [{ current: '', next: 'a new long password' }, 'current', 'Password is required'],
    [{ current: PASSWORD, next: 'short' }, 'next', 'Must be at least 8 characters'],
    [{ current: PASSWORD, next: PASSWORD }, 'next', 'Choose a different password'],
  ])('is not changed by %j', async (body, path, message) => {
    const headers = await accounts.signInAs(await accounts.add('agent'))
    const response = await change(headers, body)
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toContainEqual({ path, message })
  })

  test('is changed once by two changes at once', async () => {
    const headers = await accounts.signInAs(await accounts.add('agent'))
    const answers = await Promise.all(
      ['one new password', 'another new password'].map((next) => change(headers, { current: PASSWORD, next })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('cannot be guessed: ten failures are enough', async () => {
    const headers = await accounts.signInAs(await accounts.add('agent'))
    for (let failure = 0; failure < 10; failure += 1) {
      expect((await change(headers, { current: 'a guess', next: 'a new long password' })).status).toBe(422)
    }
    const refused = await change(headers, { current: PASSWORD, next: 'a new long password' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  })
})
