import { afterAll, describe, expect, test } from 'vitest'
import { agencyDay } from '../../events/base/agency-day.ts'
import type { Account } from '../../events/staff/staff.ts'
import type { Session } from '../../events/staff/wire.ts'
import { openTestAccounts, PASSWORD, sessionOf } from '../testing/accounts.ts'
import { joinStaff } from '../testing/socket-client.ts'

const accounts = await openTestAccounts()
afterAll(accounts.stop)
const { sql } = accounts
await accounts.startWorker()

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const call = (method: string, path: string, token: string, body?: object, node = accounts.nodes[0]) =>
  accounts.send(method, path, body, bearer(token), node)
const typeOf = async (response: Response) => [response.status, (await response.json()).type]
const revoke = (id: string) => accounts.send('DELETE', `/api/tokens/${id}`)
const history = async () =>
  (await (await accounts.send('GET', '/api/accounts/history')).json()) as { type: string; token?: string }[]

const newLead = async () => {
  const form = { name: 'Ana Botha', email: 'ana@example.com', phone: '082 555 0199', leadSource: 'hero_form' }
  return (await (await accounts.nodes[0].post('/api/leads', form)).json()).id as string
}

test('a token is shown once and stored as a hash; the list shows its beginning', async () => {
  const form = { name: ' Bookkeeping ', scopes: ['leads:write', 'leads:read'], lastDay: agencyDay(new Date()) }
  const response = await accounts.send('POST', '/api/tokens', form)
  const { id, token } = await response.json()
  expect([response.status, token]).toEqual([201, expect.stringMatching(/^agency_[\w-]{43}$/)])
  const [listed] = await (await accounts.send('GET', '/api/tokens')).json()
  expect(listed).toMatchObject({
    id,
    name: 'Bookkeeping',
    scopes: ['leads:read', 'leads:write'],
    prefix: token.slice(0, 15),
    lastUsedAt: null,
    isEndedByRestore: false,
  })
  expect(new Date(listed.expiresAt).getTime()).toBeGreaterThan(Date.now())
  expect(JSON.stringify(await sql`select * from api_tokens`)).not.toContain(token)
  expect(JSON.stringify(await sql`select data, metadata from events`)).not.toContain(token.slice(15))
  expect((await history())[0]).toMatchObject({
    type: 'ApiTokenMade',
    token: 'Bookkeeping',
    data: { scopes: ['leads:read', 'leads:write'] },
  })
  expect((await call('GET', '/api/leads?limit=1', token)).status).toBe(200)
  const [used] = await (await accounts.send('GET', '/api/tokens')).json()
  expect(used.lastUsedAt).not.toBeNull()
})

test.each([
  [{ name: '', scopes: ['leads:read'] }, 'name'],
  [{ name: 'A', scopes: [] }, 'scopes'],
  [{ name: 'A', scopes: ['everything'] }, 'scopes.0'],
  [{ name: 'A', scopes: ['leads:read'], lastDay: '2020-01-01' }, 'lastDay'],
  [{ name: 'A', scopes: ['leads:read'], lastDay: 'tomorrow' }, 'lastDay'],
])('%j is refused at %s', async (form, path) => {
  const response = await accounts.send('POST', '/api/tokens', form)
  expect(response.status).toBe(422)
  expect((await response.json()).errors[0].path).toBe(path)
})

test('a program’s changes are in the log as done by its token, and are shown under its name', async () => {
  const leadId = await newLead()
  const { id, token } = await accounts.addToken('leads:write', 'leads:read')
  const change = await call('PATCH', `/api/leads/${leadId}`, token, { followUpStatus: 'quoted' })
  expect([change.status, (await change.json()).followUpStatus]).toEqual([200, 'quoted'])
  const note = await call('POST', `/api/leads/${leadId}/notes`, token, { note: 'Quoted by the bookkeeping' })
  expect([note.status, (await note.json()).by]).toEqual([201, 'Bookkeeping'])
  const entered = await call('POST', '/api/leads/by-hand', token, {
    name: 'Sam',
    email: 's@example.com',
    isWaiting: true,
  })
  expect(entered.status).toBe(201)
  const events = await (await call('GET', `/api/leads/${leadId}/history`, token)).json()
  expect(events.slice(1)).toEqual([
    expect.objectContaining({ type: 'LeadFollowUpChanged', by: 'Bookkeeping', actor: { type: 'token', id } }),
    expect.objectContaining({ type: 'LeadNoteAdded', by: 'Bookkeeping', actor: { type: 'token', id } }),
  ])
})

test('a token that is unknown, malformed, without the scope, expired or revoked is refused with the reason, even with a valid cookie', async () => {
  const { id, token } = await accounts.addToken('leads:read')
  const withCookie = { ...accounts.owner(), ...bearer(`${token}x`) }
  expect(await typeOf(await accounts.send('GET', '/api/leads?limit=1', undefined, withCookie))).toEqual([
    401,
    'urn:problem:not-signed-in',
  ])
  for (const wrong of ['', 'x', `${token} `.repeat(3), 'é']) {
    const response = await call('GET', '/api/leads?limit=1', encodeURI(wrong))
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(response.status).toBe(401)
  }
  const refused = await call('GET', '/api/chats', token)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="chats:read"')
  expect(await typeOf(refused)).toEqual([403, 'urn:problem:not-allowed'])
  await sql`update api_tokens set expires_at = now() where id = ${id}`
  expect((await call('GET', '/api/leads?limit=1', token)).status).toBe(401)
  await sql`update api_tokens set expires_at = null where id = ${id}`
  expect((await call('GET', '/api/leads?limit=1', token, undefined, accounts.nodes[1])).status).toBe(200)
  expect((await revoke(id)).status).toBe(204)
  for (const node of accounts.nodes) {
    expect((await call('GET', '/api/leads?limit=1', token, undefined, node)).status).toBe(401)
  }
  expect((await revoke(id)).status).toBe(404)
  expect((await history())[0]).toMatchObject({ type: 'ApiTokenRevoked', token: 'Bookkeeping' })
})

describe('the effects of a sign-out', () => {
  /** Well under the 5 s of the polls that back up the bus, which would take half of that on average. */
  const AT_ONCE_MS = 1_500

  describe('at once on all nodes', () => {
    const waits: number[] = []

    /**
     * Opens the connections that a signed-in browser keeps open, on the other node. Returns how long they take to end
     * from now on.
     */
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
      await end(newest?.id ?? '', theirs) // a session of another account cannot be ended
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

    test('a change of one’s own password ends the other sessions, and replaces the token of this one', async () => {
      const account = await accounts.add('agent')
      const here = await accounts.signInAs(account)
      const byOldToken = await joinStaff(accounts.nodes[1], here)
      const ends = await open(await accounts.signInAs(account))
      const next = 'a new long password'
      let answer: Response | undefined
      await ends(async () => {
        answer = await accounts.send('POST', '/api/me/password', { current: PASSWORD, next }, here)
      })
      expect(await byOldToken.closed).toBe(4401)
      expect(await accounts.isSignedIn(here)).toBe(false)
      const byNewToken = await joinStaff(accounts.nodes[1], sessionOf(answer ?? expect.fail()))
      await byNewToken.close()
      const { username } = account
      expect((await accounts.nodes[1].post('/api/login', { username, password: PASSWORD })).status).toBe(401)
      await accounts.signInAs(account, next)
    })

    test('is well before the nodes’ own polling', () => {
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
      [{ current: PASSWORD, next: 'iloveyou' }, 'next', 'This is one of the most common passwords: choose another'],
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
})
