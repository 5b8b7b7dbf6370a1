import { spawn } from 'node:child_process'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, testRedisUrl } from '../events/local/test-database.ts'
import {
  STAFF,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
  type TestStores,
} from '../events/local/test-node.ts'
import type { TestProcess } from '../events/local/test-process.ts'
import type { Account, StaffRole } from '../events/staff.ts'
import { joinStaff } from './chat/test-client.ts'

/** Well under the 5 s of the polls that stand behind the bus. */
const AT_ONCE_MS = 1_500
const PASSWORD = 'the password of an account'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let stores: TestStores
let nodes: [TestNode, TestNode]
let worker: TestProcess
let owner: { cookie: string }

beforeAll(async () => {
  database = await createTestDatabase()
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[nodes, worker] = await Promise.all([
    Promise.all([startTestNode(stores), startTestNode(stores)]),
    startTestWorker(stores),
  ])
  owner = await signIn(nodes[0])
})

afterAll(async () => {
  await Promise.all([...nodes, worker].map((each) => each.stop()))
  await database.drop()
})

const send = (method: string, path: string, body?: object, headers: object = owner, node = nodes[0]) =>
  node.call(path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

const accounts = async (): Promise<Account[]> => await (await send('GET', '/api/accounts')).json()

let made = 0
const addAccount = async (role: StaffRole): Promise<Account> => {
  made += 1
  const body = { username: `${role}-${made}`, displayName: `Number ${made}`, password: PASSWORD, role }
  const response = await send('POST', '/api/accounts', body)
  expect(response.status).toBe(201)
  return await response.json()
}

const signInAs = async ({ username }: Account, password = PASSWORD, node = nodes[0]) => {
  const response = await node.post('/api/login', { username, password })
  expect(response.status).toBe(204)
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

const isSignedIn = async (headers: object) => (await send('GET', '/api/me', undefined, headers)).status === 200

describe('roles', () => {
  test('an agent reads the settings and the names of colleagues; accounts and changes are the owners’ alone', async () => {
    const agent = await signInAs(await addAccount('agent'))
    expect((await send('GET', '/api/settings', undefined, agent)).status).toBe(200)
    const staff = await (await send('GET', '/api/staff', undefined, agent)).json()
    expect(staff).toContainEqual({ id: expect.any(String), displayName: STAFF.username })
    const hours = { days: [1], opensAtMinute: 0, closesAtMinute: 60 }
    const { id } = await addAccount('agent')
    for (const [method, path, body] of [
      ['GET', '/api/accounts'],
      ['POST', '/api/accounts', { username: 'mine', displayName: 'Mine', password: PASSWORD, role: 'owner' }],
      ['PATCH', `/api/accounts/${id}`, { role: 'owner' }],
      ['DELETE', `/api/accounts/${id}`],
      ['PUT', '/api/settings/support-hours', hours],
      ['PUT', '/api/settings/canned-replies', { replies: [] }],
      ['PUT', '/api/settings/inbox-addresses', { addresses: [] }],
    ] as const) {
      const response = await send(method, path, body, { ...agent, 'if-match': '"0"' })
      expect([method, path, response.status]).toEqual([method, path, 403])
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect((await response.json()).detail).toBe('Only an owner may do this')
    }
    expect((await send('GET', '/api/accounts', undefined, {})).status).toBe(401)
  })

  test('an account is listed without its password, renamed and promoted; a promotion keeps its session', async () => {
    const account = await addAccount('agent')
    const session = await signInAs(account)
    expect(account).toEqual({
      id: expect.any(String),
      username: expect.any(String),
      displayName: expect.any(String),
      role: 'agent',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await accounts()).toContainEqual(account)
    const change = { displayName: 'Somebody Else', role: 'owner' }
    const response = await send('PATCH', `/api/accounts/${account.id}`, change)
    expect(await response.json()).toEqual({ ...account, ...change })
    expect((await send('GET', '/api/accounts', undefined, session)).status).toBe(200)
    await send('PATCH', `/api/accounts/${account.id}`, { role: 'agent' })
    expect(await isSignedIn(session)).toBe(false)
  })

  test.each([
    [{ username: 'THANDI' }, 'username', 'This username is taken'],
    [{ username: '' }, 'username', 'Username is required'],
    [{ username: 'two words' }, 'username', 'Must not contain spaces'],
    [{ username: 'x'.repeat(101) }, 'username', 'Must be at most 100 characters'],
    [{ displayName: ' ' }, 'displayName', 'Name is required'],
    [{ password: 'short' }, 'password', 'Must be at least 8 characters'],
    [{ password: 'p'.repeat(1_001) }, 'password', 'Must be at most 1000 characters'],
    [{ role: 'king' }, 'role', 'Choose a role'],
  ])('refuses an account that cannot be (%j)', async (part, path, message) => {
    const body = { username: 'new', displayName: 'New', password: PASSWORD, role: 'agent', ...part }
    const response = await send('POST', '/api/accounts', body)
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toContainEqual({ path, message })
  })

  test.each(['nobody', '00000000-0000-4000-8000-000000000000'])('answers 404 to the id %s', async (id) => {
    expect((await send('PATCH', `/api/accounts/${id}`, { role: 'owner' })).status).toBe(404)
    expect((await send('DELETE', `/api/accounts/${id}`)).status).toBe(404)
  })
})

describe('the last owner', () => {
  const owners = async () => (await accounts()).filter(({ role }) => role === 'owner')

  test('can neither be removed nor become an agent', async () => {
    const [last, ...others] = await owners()
    expect(others).toEqual([])
    for (const response of [
      await send('DELETE', `/api/accounts/${last?.id}`),
      await send('PATCH', `/api/accounts/${last?.id}`, { role: 'agent' }),
    ]) {
      expect(response.status).toBe(409)
      expect((await response.json()).detail).toBe('This is the last owner: make somebody else an owner first')
    }
    expect(await owners()).toEqual([last])
    expect(await isSignedIn(owner)).toBe(true)
  })

  test('stays when all owners go at once, whichever way', async () => {
    for (let round = 0; round < 5; round += 1) {
      const rivals = await Promise.all(Array.from({ length: 5 }, () => addAccount('owner')))
      const everybody = await owners()
      const sessions = await Promise.all(rivals.map((rival) => signInAs(rival)))
      const answers = await Promise.all(
        everybody.map(({ id }, index) => {
          const [method, body] = index % 2 === 0 ? (['DELETE'] as const) : (['PATCH', { role: 'agent' }] as const)
          const actor = sessions[index % sessions.length]
          return send(method, `/api/accounts/${id}`, body, actor, nodes[index % 2])
        }),
      )
      const refused = answers.filter(({ status }) => status >= 400)
      expect(refused.length).toBeGreaterThan(0)
      const alive = (await Promise.all(sessions.map(async (each) => ((await isSignedIn(each)) ? each : [])))).flat()
      const [witness = owner] = alive
      const left = await (await send('GET', '/api/accounts', undefined, witness)).json()
      expect(left.filter((account: Account) => account.role === 'owner').length).toBeGreaterThan(0)
      await restoreFirstOwner()
    }
  })
})

/** The command line, as an operator runs it; answers what it prints. */
const staffCommand = async (args: string[], input = '', env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, ['api/staff.cli.ts', ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      printed += data
    })
  }
  child.stdin.end(input)
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, printed }
}

const restoreFirstOwner = async () => {
  const { status } = await staffCommand(['role', STAFF.username, 'owner'])
  if (status !== 0) await staffCommand(['add', STAFF.username, '--owner'], STAFF.password)
  owner = await signIn(nodes[0])
  for (const { id, username } of await accounts()) {
    if (username !== STAFF.username) await send('DELETE', `/api/accounts/${id}`)
  }
}

describe('npm run staff', () => {
  test('adds, lists, promotes, demotes and removes', async () => {
    expect((await staffCommand(['add', 'sipho'], 'a password of his')).printed).toContain('Added sipho, an agent')
    expect((await staffCommand(['add', 'naledi', '--owner'], 'a password of hers')).printed).toContain('an owner')
    expect((await staffCommand(['list'])).printed).toMatch(
      /naledi {2}owner {2}since \d{4}[\s\S]*sipho {2}agent {2}since/,
    )
    expect(await staffCommand(['role', 'SIPHO', 'owner'])).toEqual({ status: 0, printed: 'SIPHO is an owner now\n' })
    expect((await staffCommand(['role', 'sipho', 'agent'])).status).toBe(0)
    expect((await staffCommand(['remove', 'sipho'])).status).toBe(0)
    expect((await staffCommand(['remove', 'naledi'])).status).toBe(0)
    expect((await staffCommand(['list'])).printed).not.toMatch(/sipho|naledi/)
  })

  test.each([
    [['role', STAFF.username, 'agent'], 'This is the last owner: make somebody else an owner first'],
    [['remove', STAFF.username], 'This is the last owner: make somebody else an owner first'],
    [['role', STAFF.username, 'king'], 'Usage: npm run staff -- '],
    [['add', 'x', '--king'], 'Usage: npm run staff -- '],
    [['passwd', 'nobody'], 'There is no account nobody'],
    [['add', 'THANDI'], 'There is an account THANDI already'],
    [['add', 'two words'], 'A username has 1 to 100 characters and no spaces'],
    [['add', 'tiny'], 'Password: Must be at least 8 characters'],
  ])('refuses %j', async (args, message) => {
    const { status, printed } = await staffCommand(args, 'tiny')
    expect(status).toBe(1)
    expect(printed).toContain(message)
  })

  test('works without Redis', async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:1' }
    expect((await staffCommand(['passwd', STAFF.username], STAFF.password, env)).status).toBe(0)
    owner = await signIn(nodes[0])
  })
})

describe('at once on all nodes', () => {
  /** Opens what a signed-in browser keeps open, on the other node; answers how long it takes to end from now on. */
  const open = async (headers: { cookie: string }) => {
    const socket = await joinStaff(nodes[1], headers)
    const stream = await nodes[1].call('/api/leads/stream', { headers })
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
      expect(performance.now() - start).toBeLessThan(AT_ONCE_MS)
      expect(await isSignedIn(headers)).toBe(false)
    }
  }

  test('sign-out ends the socket and the stream, of that session alone', async () => {
    const account = await addAccount('agent')
    const other = await joinStaff(nodes[1], await signInAs(account))
    const headers = await signInAs(account)
    const ends = await open(headers)
    await ends(() => send('POST', '/api/logout', undefined, headers))
    other.send({ type: 'ping' })
    await other.take('pong')
    await other.close()
  })

  test.each([
    ['a new password', ({ id }: Account) => send('PATCH', `/api/accounts/${id}`, { password: 'another password' })],
    ['the removal of the account', ({ id }: Account) => send('DELETE', `/api/accounts/${id}`)],
    ['the command line', ({ username }: Account) => staffCommand(['remove', username])],
  ])('%s ends them', async (_, act) => {
    const account = await addAccount('agent')
    const ends = await open(await signInAs(account))
    await ends(() => act(account))
  })

  test('becoming an agent ends them', async () => {
    const account = await addAccount('owner')
    const ends = await open(await signInAs(account))
    await ends(() => send('PATCH', `/api/accounts/${account.id}`, { role: 'agent' }))
  })

  test('a change of one’s own password ends the other sessions, and keeps this one', async () => {
    const account = await addAccount('agent')
    const here = await signInAs(account)
    const stays = await joinStaff(nodes[1], here)
    const ends = await open(await signInAs(account))
    const next = 'a new long password'
    await ends(() => send('POST', '/api/me/password', { current: PASSWORD, next }, here))
    expect(await isSignedIn(here)).toBe(true)
    stays.send({ type: 'ping' })
    await stays.take('pong')
    await stays.close()
    const { username } = account
    expect((await nodes[1].post('/api/login', { username, password: PASSWORD })).status).toBe(401)
    await signInAs(account, next)
  })
})

describe('one’s own password', () => {
  const change = (headers: object, body: object) => send('POST', '/api/me/password', body, headers)

  test.each([
    [{ current: 'not it at all', next: 'a new long password' }, 'current', 'This is not your current password'],
    [{ current: '', next: 'a new long password' }, 'current', 'Password is required'],
    [{ current: PASSWORD, next: 'short' }, 'next', 'Must be at least 8 characters'],
    [{ current: PASSWORD, next: PASSWORD }, 'next', 'Choose another password than the current one'],
  ])('is not changed by %j', async (body, path, message) => {
    const headers = await signInAs(await addAccount('agent'))
    const response = await change(headers, body)
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toContainEqual({ path, message })
  })

  test('is changed once by two changes at once', async () => {
    const headers = await signInAs(await addAccount('agent'))
    const answers = await Promise.all(
      ['one new password', 'another new password'].map((next) => change(headers, { current: PASSWORD, next })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('cannot be guessed: ten failures are enough', async () => {
    const headers = await signInAs(await addAccount('agent'))
    for (let failure = 0; failure < 10; failure += 1) {
      expect((await change(headers, { current: 'a guess', next: 'a new long password' })).status).toBe(422)
    }
    const refused = await change(headers, { current: PASSWORD, next: 'a new long password' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  })
})
