import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../events/staff/staff.ts'
import { STAFF, signIn, startTestNode, type TestNode } from '../../events/testing/node.ts'
import { makeTestDevice } from '../../events/testing/push-service.ts'
import { LIMITS } from '../admission/limits.ts'
import { openTestAccounts, PASSWORD, sessionOf } from '../testing/accounts.ts'
import { joinStaff } from '../testing/socket-client.ts'

const accounts = await openTestAccounts()
afterAll(accounts.stop)
const { nodes, stores, sql } = accounts

let addresses = 0
/** An address that no caller has used before, so that limits of one test do not affect those of another. */
const newCaller = () => {
  addresses += 1
  return { 'x-forwarded-for': `100.64.${addresses >> 8}.${addresses & 255}` }
}

/** Three attempts each: thirty wrong passwords close an account. */
const COST_ROUNDS = 7

const wrong = { ...STAFF, password: 'a long wrong password' }

test('signing in returns 204 and a cookie that scripts and other sites cannot use', async () => {
  const response = await nodes[0].post('/api/login', { ...STAFF, username: 'THANDI' })
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  const [pair, ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? []
  expect(pair).toMatch(/^staff_session=\S{40,}/)
  expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
  const expires = attributes.find((attribute) => attribute.startsWith('Expires='))
  expect(Date.parse(expires?.slice('Expires='.length) ?? '')).toBeGreaterThan(Date.now())
  expect(attributes).not.toContain('Secure')
})

test('under https the cookie is for encrypted connections and this host alone', async () => {
  const node = await startTestNode(stores, { PUBLIC_URL: 'https://www.agency.example' })
  const response = await node.post('/api/login', STAFF, { origin: 'https://www.agency.example' })
  const [session = '', ...others] = response.headers.getSetCookie()
  expect(session).toMatch(/^__Host-staff_session=.*; Path=\/;.*; Secure/)
  expect(session).not.toContain('Domain=')
  expect(others).toContainEqual(expect.stringMatching(/^__Host-staff_device=.*; Secure/))
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await node.call('/healthz')).headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await nodes[0].call('/')).headers.get('strict-transport-security')).toBeNull()

  const cookie = session.split(';')[0] ?? ''
  const isSignedIn = async (cookie: string) => (await node.call('/api/me', { headers: { cookie } })).status === 200
  expect(await isSignedIn(cookie)).toBe(true)
  // another host of the domain could set it
  expect(await isSignedIn(cookie.replace('__Host-', ''))).toBe(false)
  const fromBefore = await signIn(nodes[0])
  expect(fromBefore.cookie).toMatch(/^staff_session=/)
  expect(await isSignedIn(fromBefore.cookie)).toBe(true)
  await node.stop()
})

test('signing in ends the session of the request’s cookie, and its open connections', async () => {
  const before = await signIn(nodes[0])
  const socket = await joinStaff(nodes[1], before)
  const response = await nodes[0].post('/api/login', STAFF, before)
  expect(await socket.closed).toBe(4401)
  expect(await accounts.isSignedIn(before)).toBe(false)
  expect(await accounts.isSignedIn(sessionOf(response))).toBe(true)
})

test('a session ends once it is unused for a day, and continues while it is used', async () => {
  const [used, idle] = [await accounts.add('agent'), await accounts.add('agent')]
  const [here, away] = [await accounts.signInAs(used), await accounts.signInAs(idle)]
  const pass = (hours: number) =>
    sql`update staff_sessions set last_seen_at = last_seen_at - make_interval(hours => ${hours})
      where staff_id in (${used.id}, ${idle.id})`
  await pass(23)
  expect(await accounts.isSignedIn(here)).toBe(true)
  await pass(23)
  expect([await accounts.isSignedIn(here), await accounts.isSignedIn(away)]).toEqual([true, false])
})

test('a session is valid on both nodes, and ends on both by signing out', async () => {
  const headers = await signIn(nodes[0])
  for (const node of nodes) {
    const response = await node.call('/api/me', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      id: expect.any(String),
      leadsLayout: 'cards',
      username: 'thandi',
      displayName: 'thandi',
      role: 'owner',
      photo: null,
    })
  }
  const other = await signIn(nodes[1])
  const response = await nodes[1].call('/api/logout', { method: 'POST', headers })
  expect(response.status).toBe(204)
  expect(response.headers.get('set-cookie')).toMatch(/^staff_session=;.*Max-Age=0/)
  for (const node of nodes) expect((await node.call('/api/me', { headers })).status).toBe(401)
  expect((await nodes[0].call('/api/me', { headers: other })).status).toBe(200)
})

test.each(['', 'staff_session=', 'staff_session=forged', 'staff_session=forged.c2lnbmF0dXJl'])(
  'staff calls return 401 for the cookie %j',
  async (cookie) => {
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['POST', '/api/logout'],
      ['GET', '/api/outbox'],
      ['GET', '/api/leads'],
    ] as const) {
      const response = await nodes[0].call(path, { method, headers: cookie ? { cookie } : {} })
      expect(response.status).toBe(401)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    }
  },
)

test('a cookie with a changed signature is refused', async () => {
  const { cookie } = await signIn(nodes[0])
  const changed = cookie.replace(/(staff_session=.)(.)/, (_, start, next) => start + (next === 'a' ? 'b' : 'a'))
  expect((await nodes[0].call('/api/me', { headers: { cookie: changed } })).status).toBe(401)
})

test('a wrong password and an unknown name get the same response, and cost the node as much', async () => {
  const account = { username: 'timed', displayName: 'Timed', role: 'agent', password: STAFF.password }
  expect((await nodes[0].post('/api/accounts', account, await signIn(nodes[0]))).status).toBe(201)
  const processorSeconds = async () => {
    const text = await (await nodes[0].call('/metrics')).text()
    return Number(/^process_cpu_seconds_total(?:\{.*\})? (\S+)$/m.exec(text)?.[1])
  }
  const answers = new Set<string>()
  /** The processor time that refused attempts take, whatever else runs on the machine. */
  const costOf = async (username: string) => {
    const before = await processorSeconds()
    for (let tries = 0; tries < 3; tries += 1) {
      const response = await nodes[0].post('/api/login', { ...wrong, username }, newCaller())
      answers.add(`${response.status} ${await response.text()}`)
    }
    return (await processorSeconds()) - before
  }
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let round = 0; round < COST_ROUNDS; round += 1) {
    known.push(await costOf(account.username))
    unknown.push(await costOf(`nobody${round}`))
  }
  const median = (costs: number[]) => costs.toSorted((one, other) => one - other)[(COST_ROUNDS - 1) / 2] ?? 0
  expect([...answers]).toEqual([expect.stringMatching(/^401 .*wrong-credentials/)])
  const ratio = median(unknown) / median(known)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.7)
})

test('ten failures are enough, counted over both nodes, for that caller and name alone', async () => {
  const caller = newCaller()
  for (let failure = 0; failure < 10; failure += 1) {
    expect((await nodes[failure % 2]?.post('/api/login', wrong, caller))?.status).toBe(401)
  }
  const refused = await nodes[0].post('/api/login', STAFF, caller)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(await refused.json()).toMatchObject({ status: 429, type: 'urn:problem:too-many-requests' })
  expect((await nodes[1].post('/api/login', { ...wrong, username: 'THANDI' }, caller)).status).toBe(429)
  expect((await nodes[0].post('/api/login', STAFF, newCaller())).status).toBe(204)
})

test('a burst of concurrent attempts gets no further than ten', async () => {
  const caller = newCaller()
  const login = async (body: object) => (await nodes[0].post('/api/login', body, caller)).status
  const burst = Array.from({ length: 24 }, () => login(wrong))
  const isRefused = async (answer: Promise<number>) => expect(await answer).toBe(429)
  await Promise.any(burst.map(isRefused))
  expect(await login(STAFF)).toBe(429)
  expect((await Promise.all(burst)).filter((status) => status === 401)).toHaveLength(10)
})

test('signing in again and again is no failure', async () => {
  const caller = newCaller()
  for (let round = 0; round < 12; round += 1) {
    expect((await nodes[0].post('/api/login', STAFF, caller)).status).toBe(204)
  }
})

test.each([
  [{ username: '', password: 'x' }, 'Username is required'],
  [{ username: 'thandi' }, 'Password is required'],
  [{ username: 'thandi', password: 7 }, 'Password is required'],
  [{ username: 'thandi', password: 'p'.repeat(1_001) }, 'Must be at most 1000 characters'],
  [{ username: 'a\u0000b', password: 'x' }, 'Must not contain characters that cannot be stored'],
])('returns 422 for a body without username and password (%#)', async (body, message) => {
  const response = await nodes[0].post('/api/login', body)
  expect(response.status).toBe(422)
  expect((await response.json()).errors[0].message).toContain(message)
})

test('takes no form, which another site could make a browser send', async () => {
  const response = await nodes[0].call('/api/login', { method: 'POST', body: new URLSearchParams(STAFF) })
  expect(response.status).toBe(415)
})

test('stores neither the password nor the cookie', async () => {
  const { cookie } = await signIn(nodes[0])
  const rows = await sql`select s::text, ss::text as session from staff s left join staff_sessions ss on true`
  const text = JSON.stringify(rows)
  expect(text).toContain('$argon2id$v=19$')
  expect(text).not.toContain(STAFF.password)
  expect(text).not.toContain(decodeURIComponent(cookie).slice('staff_session='.length).split('.')[0])
})

describe('many tries', () => {
  const ATTACKERS = 40
  const ALLOWED = LIMITS.failed_sign_ins_of_account.account[0].points

  /** Signs in. Returns the cookies that a browser would store. */
  const signInOn = async (node: TestNode, credentials: object, cookie?: string) => {
    const response = await node.post('/api/login', credentials, cookie ? { cookie } : {})
    const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0])
    return { status: response.status, retryAfter: response.headers.get('retry-after'), cookie: cookies.join('; ') }
  }

  test('wrong passwords for one account from many addresses end, and its owner gets in all the same', async () => {
    const owner = await signInOn(nodes[0], STAFF)
    expect(owner.status).toBe(204)
    const account = { username: 'zanele', displayName: 'Zanele', role: 'owner', password: 'the first long password' }
    const made = await nodes[0].post('/api/accounts', account, { cookie: owner.cookie })
    const { id } = await made.json()
    const known = await signInOn(nodes[1], account)
    expect(known.status).toBe(204)

    const tries: number[] = []
    for (let attacker = 0; attacker < ATTACKERS; attacker += 1) {
      const wrong = { username: 'Zanele', password: `guess ${attacker}` }
      tries.push((await signInOn(nodes[attacker % 2] ?? nodes[0], wrong)).status)
    }
    expect(tries).toEqual([...Array(ALLOWED).fill(401), ...Array(ATTACKERS - ALLOWED).fill(429)])
    const refused = await signInOn(nodes[0], account)
    expect(refused.status).toBe(429)
    expect(Number(refused.retryAfter)).toBeGreaterThan(0)

    expect((await signInOn(nodes[0], account, known.cookie)).status).toBe(204)
    expect((await signInOn(nodes[0], account, owner.cookie)).status).toBe(429)

    const password = 'the second long password'
    const change = { method: 'PATCH', headers: { cookie: owner.cookie, 'content-type': 'application/json' } }
    await nodes[0].call(`/api/accounts/${id}`, { ...change, body: JSON.stringify({ password }) })
    expect((await signInOn(nodes[0], { ...account, password })).status).toBe(204)
  })

  test('a link admits a staff member on a new device while strangers use up the account’s attempts, once', async () => {
    const { cookie } = await signInOn(nodes[0], STAFF)
    const account = { username: 'busi', displayName: 'Busi', role: 'agent', password: 'the long password of Busi' }
    await nodes[0].post('/api/accounts', account, { cookie })
    await Promise.all(
      Array.from({ length: ATTACKERS }, (_, number) =>
        signInOn(nodes[number % 2] ?? nodes[0], { username: 'busi', password: `guess ${number}` }),
      ),
    )
    expect((await signInOn(nodes[0], account)).status).toBe(429)
    const { printed } = await accounts.command(['link', 'busi'])
    const [, link] = /\/login#link=(\S+)/.exec(printed) ?? []
    expect(link, printed).toBeDefined()
    expect((await signInOn(nodes[1], { ...account, link: `${link}x` })).status).toBe(429)
    expect((await signInOn(nodes[1], { ...account, password: 'a guess', link })).status).toBe(401)
    expect((await signInOn(nodes[1], { ...STAFF, password: 'a guess', link })).status).toBe(401)
    expect((await signInOn(nodes[1], { ...account, link })).status).toBe(204)
    expect((await signInOn(nodes[1], { ...account, link })).status).toBe(429)
  })

  test('attempts on new devices from one address are refused before any account is looked up', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const most = LIMITS.sign_in_tries.address[0].points
    const bodies = Array.from({ length: most + 5 }, (_, number) =>
      number % 2 ? { username: `no-one-${number}`, password: 'a long wrong password' } : { username: number },
    )
    const answers = await Promise.all(bodies.map((body) => nodes[0].post('/api/login', body, headers)))
    const refused = await Promise.all(answers.filter(({ status }) => status === 429).map((answer) => answer.text()))
    expect(refused.filter((text) => text.includes('Many people are signing in'))).toHaveLength(5)
  })

  test.each(['/api/login', '/api/login/forgotten', '/api/login/password'])(
    'a body of more than 16 kB is not read (%s)',
    async (path) => {
      const answer = await nodes[0].post(path, { username: 'x'.repeat(16 * 1024) })
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({ detail: 'A body may hold 16 KiB' })
    },
  )

  test('a known device has a limit of its own', async () => {
    const known = await signInOn(nodes[0], STAFF)
    const guess = (number: number) =>
      signInOn(nodes[number % 2] ?? nodes[0], { ...STAFF, password: `guess ${number}` }, known.cookie)
    const most = LIMITS.failed_sign_ins_of_device.session[0].points
    for (let number = 0; number < most; number += 1) expect((await guess(number)).status).toBe(401)
    expect((await guess(most)).status).toBe(429)
    expect((await signInOn(nodes[0], STAFF)).status).toBe(204)
  })
})

describe('a saved view', () => {
  let own: { cookie: string }
  let others: { cookie: string }

  beforeAll(async () => {
    own = await accounts.signInAs(await accounts.add('agent'))
    others = await accounts.signInAs(await accounts.add('agent'))
  })

  type View = { id: string; name: string; query: string }

  const send = async (method: string, path = '', body?: object, headers: object = own) => {
    const response = await accounts.send(method, `/api/me/views${path}`, body, headers)
    return { status: response.status, views: (await response.json()) as View[] }
  }
  const namesFor = async (headers: object) => (await send('GET', '', undefined, headers)).views.map(({ name }) => name)

  test('a view is stored, renamed and removed, for its own account alone', async () => {
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

  test('names are unique, the number is limited, and an invalid query is refused', async () => {
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
})

describe('a device’s notifications end with its session', () => {
  /** An account's device with push notifications of leads, and its session. */
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
    ['is deleted', (_, { id }) => sql`delete from staff_sessions where staff_id = ${id}`],
  ])('a device is forgotten once its session %s; others are not', async (_, end) => {
    const [account, other] = [await accounts.add('owner'), await accounts.add('agent')]
    const [device, stays] = [await give(account), await give(other)]
    expect(await isKept(device)).toBe(true)
    await end(device, account)
    expect(await isKept(device)).toBe(false)
    expect(await isKept(stays)).toBe(true)
  })

  test('a device keeps its notifications while other sessions of its account end, and then belongs to the next account that signs in on it', async () => {
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
})

test('an account chooses how its list of leads opens, for itself alone', async () => {
  const [own, others] = await Promise.all(
    ['agent', 'agent'].map(async (role) => accounts.signInAs(await accounts.add(role as 'agent'))),
  )
  const choose = (leadsLayout: string) => accounts.send('POST', '/api/me/leads-layout', { leadsLayout }, own)
  const layoutOf = async (headers: object | undefined) =>
    (await (await accounts.send('GET', '/api/me', undefined, headers)).json()).leadsLayout
  expect(await layoutOf(own)).toBe('cards')
  expect((await (await choose('list')).json()).leadsLayout).toBe('list')
  expect((await choose('board')).status).toBe(422)
  expect(await layoutOf(own)).toBe('list')
  expect(await layoutOf(others)).toBe('cards')
})
