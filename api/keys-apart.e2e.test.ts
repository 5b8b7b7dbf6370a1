import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lead } from '../events/lead/lead.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { runTestCli } from '../events/testing/cli.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../events/testing/fault-proxy.ts'
import { createEmptyKeysDatabase, type TestKeysDatabase } from '../events/testing/keys-database.ts'
import {
  eventually,
  nodeEnvironment,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
} from '../events/testing/node.ts'
import { runTestProcess, type TestProcess } from '../events/testing/process.ts'
import { joinChat, joinStaff, openTestClient, say } from './testing/socket-client.ts'

/** For processes that end before they open it. */
const NO_PORT = 65_535

let database: TestDatabase
let keysDatabase: TestKeysDatabase
let proxy: FaultProxy
let sql: Sql
let keys: Sql
let nodes: [TestNode, TestNode]
let worker: TestProcess
let owner: { cookie: string }
let env: { KEYS_DATABASE_URL: string }
let stores: { databaseUrl: string; redisUrl: string }

beforeAll(async () => {
  database = await createTestDatabase()
  keysDatabase = await createEmptyKeysDatabase()
  proxy = await openFaultProxy(keysDatabase.url)
  env = { KEYS_DATABASE_URL: proxy.url }
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  sql = connect(database.url, { max: 1, name: 'test' })
  keys = connect(keysDatabase.url, { max: 1, name: 'test' })
  const starting = Promise.all([
    startTestNode(stores, env),
    startTestNode(stores, env),
    startTestWorker(stores, env, 'worker/testing/hasty-worker.cli.ts'),
  ])
  const migrating = runTestProcess('events/log/migrate.cli.ts', { DATABASE_URL: database.url, ...env })
  expect(await migrating).toEqual({ status: 0, printed: '' })
  const [node, other, started] = await starting
  nodes = [node, other]
  worker = started
  owner = await signIn(node)
})

afterAll(async () => {
  await Promise.all([...(nodes ?? []), worker].map((each) => each?.stop()))
  await Promise.all([sql?.end(), keys?.end()])
  await proxy?.close()
  await database?.drop()
  await keysDatabase?.drop()
})

const post = (fields: object, headers: Record<string, string> = {}) =>
  nodes[0].post('/api/leads', { leadSource: 'hero_form', phone: '000 000 0000', ...fields }, headers)
const submit = async (name: string): Promise<Lead> => {
  const response = await post({ name, email: `${name}@apart.example` })
  expect(response.status).toBe(201)
  return await response.json()
}
const submitContract = async (name: string): Promise<Lead> => {
  const contract = { leadSource: 'contract_premium', businessName: 'Apart', agreedToTerms: true }
  const response = await post({ name, email: `${name}@apart.example`, ...contract })
  expect(response.status).toBe(201)
  return await response.json()
}
const get = (path: string) => nodes[1].call(path, { headers: owner })
const found = async (path: string) => (await (await get(path)).json()).length
const chatsFound = async (word: string) => (await (await get(`/api/chats?q=${word}`)).json()).length
const isUnavailable = async (response: Response) => {
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  return (await response.json()).detail
}

test('leads, chats and erasures work as with the keys next to the log', async () => {
  const lead = await submit('Ana')
  const { client, sessionId } = await joinChat(nodes[0], 'Ana')
  await say(client, sessionId, 'something of mine')
  await client.close()
  await eventually(async () => expect(await found('/api/leads?q=ana')).toBe(1))
  await eventually(async () => expect(await chatsFound('something')).toBe(1))
  expect(await sql`select from subject_keys`).toHaveLength(0)
  expect(await keys`select from subject_keys`).toHaveLength(2)

  const form = { name: 'Ben', email: 'ben@apart.example' }
  const again = { 'idempotency-key': 'the key of Ben' }
  const { id } = await (await post(form, again)).json()
  await eventually(async () => expect((await nodes[1].post(`/api/leads/${id}/erase`, {}, owner)).status).toBe(204))
  await eventually(async () => expect((await (await get(`/api/leads/${id}`)).json()).name).toBe('Erased'))
  await eventually(async () =>
    expect(await sql`select from subject_keys where destroyed_at is not null`).toHaveLength(1),
  )
  await eventually(async () => expect(await sql`select from rewrites`).toHaveLength(0))
  const events = await sql`select from events`
  for (const node of nodes) {
    const response = await node.post('/api/leads', { leadSource: 'hero_form', phone: '000 000 0000', ...form }, again)
    expect(response.status).toBe(409)
    expect((await response.json()).detail).toBe('This person has been erased: nothing can be stored about them')
  }
  expect(await sql`select from events`).toHaveLength(events.length)
  expect((await (await get(`/api/leads/${lead.id}`)).json()).name).toBe('Ana')
})

test('while the key store is away no new person is stored and none counts as erased, and then everything continues', async () => {
  const { id } = await submit('Cleo')
  const { client, sessionId } = await joinChat(nodes[0], 'Cleo')
  const admin = await joinStaff(nodes[1], owner)
  await say(client, sessionId, 'before')
  await admin.take('new_message', ({ message }) => message === 'before')
  await eventually(async () => expect(await found('/api/leads?q=cleo')).toBe(1))
  const { count } = (await sql`select count(*) from events`)[0] ?? {}
  await proxy.refuse()
  try {
    expect(await isUnavailable(await post({ name: 'Dan', email: 'dan@apart.example' }))).toMatch(
      'The database of the data keys gave no answer in time',
    )
    expect(await isUnavailable(await get(`/api/leads/${id}`))).toMatch('The data keys cannot be reached')
    expect(await isUnavailable(await nodes[1].post(`/api/leads/${id}/erase`, {}, owner))).toMatch('The data keys')
    expect(await found('/api/leads?q=cleo')).toBe(1)
    const newcomer = await openTestClient(nodes[0])
    newcomer.send({ type: 'join_chat', visitorName: 'Dan', pageUrl: '/' })
    expect(await newcomer.take('error')).toMatchObject({ code: 'unavailable' })
    await newcomer.close()
    expect((await sql`select count(*) from events`)[0]?.count).toBe(count)

    await say(client, sessionId, 'meanwhile')
    await admin.take('new_message', ({ message }) => message === 'meanwhile')
    admin.send({ type: 'get_messages', sessionId })
    expect(await admin.take('error')).toMatchObject({ code: 'unavailable' })
    await eventually(() => expect(worker.printed()).toContain('KeyStoreError'))
    expect(await chatsFound('meanwhile')).toBe(0)
    expect(await (await nodes[0].call('/readyz')).json()).toMatchObject({ keys: 'down', failing: [] })
  } finally {
    await proxy.resume()
  }
  await eventually(async () => expect(await chatsFound('meanwhile')).toBe(1))
  await eventually(async () => expect((await post({ name: 'Dan', email: 'dan@apart.example' })).status).toBe(201))
  expect((await (await get(`/api/leads/${id}`)).json()).name).toBe('Cleo')
  admin.send({ type: 'get_messages', sessionId })
  const { messages } = await admin.take('chat_history')
  expect(messages.map(({ message }) => message)).toEqual(['before', 'meanwhile'])
  await Promise.all([client, admin].map((each) => each.close()))
})

test('while the key store is away lists of emails have their rows, marked as unreadable for now', async () => {
  const { id } = await submitContract('Fay')
  const rowIn = async (path: string) => {
    const response = await get(path)
    expect(response.status, path).toBe(200)
    const found = await response.json()
    const rows: { about: { leadId?: string } }[] = found.emails?.emails ?? found
    return rows.find(({ about }) => about.leadId === id)
  }
  const paths = ['/api/emails', '/api/today']
  const readable = { subject: 'New contract: premium 50% off', state: 'outbox', isContract: true }
  for (const path of paths) await eventually(async () => expect(await rowIn(path)).toMatchObject(readable))
  await proxy.refuse()
  try {
    for (const path of paths) {
      expect(await rowIn(path)).toMatchObject({
        subject: 'This email cannot be read at the moment',
        person: null,
        fields: [],
        ...{ isErased: false, isUnreadable: true, areKeysAway: true },
        ...{ state: 'outbox', isContract: true },
      })
    }
    const outbox = await (await get('/api/outbox')).json()
    expect(outbox.length).toBeGreaterThan(0)
    for (const { subject } of outbox) expect(subject).toBe('This email cannot be read at the moment')
  } finally {
    await proxy.resume()
  }
  for (const path of paths) await eventually(async () => expect(await rowIn(path)).toMatchObject(readable))
})

test('a list of emails waits once for a silent key store, however many emails it has', async () => {
  for (const name of ['Gus', 'Hal', 'Ina', 'Jon', 'Kit', 'Lea']) await submitContract(name)
  const list = async () => await (await get('/api/emails')).json()
  await eventually(async () => expect((await list()).length).toBeGreaterThan(6))
  proxy.stall()
  try {
    const beganAt = performance.now()
    for (const { subject } of await list()) expect(subject).toBe('This email cannot be read at the moment')
    // the deadline of one read of keys is about 6 s
    expect(performance.now() - beganAt).toBeLessThan(12_000)
  } finally {
    await proxy.resume()
  }
  await eventually(async () => expect((await list())[0].areKeysAway).toBeUndefined())
})

test('a key that was changed by hand halts the consumers that need it, with its reason, until it is corrected', async () => {
  const lead = await submit('Eve')
  const { client, sessionId } = await joinChat(nodes[0], 'Gil')
  await eventually(async () => expect(await found('/api/leads?q=eve')).toBe(1))
  const change = () => keys`
    update subject_keys set wrapped = set_byte(wrapped, 20, 255 - get_byte(wrapped, 20))
    where subject_id in ${keys([lead.id, sessionId])}`
  await change()
  await say(client, sessionId, 'not opened')
  expect(await isUnavailable(await get(`/api/leads/${lead.id}`))).toMatch('does not match this data')
  await eventually(async () => {
    const [row] = await sql`select halt_reason as reason from checkpoints where consumer = 'chats'`
    expect(row?.reason).toMatch(`The data key ${sessionId} was not wrapped by key`)
  })
  expect(await chatsFound('opened')).toBe(0)
  await change()
  await eventually(async () => expect(await chatsFound('opened')).toBe(1))
  expect((await (await get(`/api/leads/${lead.id}`)).json()).name).toBe('Eve')
  await client.close()
})

test('views are rebuilt with keys from elsewhere', async () => {
  const read = async (): Promise<Lead[]> => await (await get('/api/leads')).json()
  // the emails of the contracts before have gone out, and change no lead during the rebuild
  await eventually(async () => expect((await read()).map((lead) => lead.emailStatus)).not.toContain('pending'))
  const before = await read()
  const environment = { ...nodeEnvironment(stores, NO_PORT), ...env }
  const { status, err } = await runTestCli('worker/projections.cli.ts', ['rebuild'], environment)
  expect([status, err]).toEqual([0, ''])
  expect(await read()).toEqual(before)
})

test('a start without the keys’ database, or with another one, is refused in a line', async () => {
  const environment = nodeEnvironment(stores, NO_PORT)
  expect(await runTestProcess('api/process/main.ts', environment)).toEqual({
    status: 1,
    printed: expect.stringContaining('set KEYS_DATABASE_URL to the address of their database'),
  })
  await proxy.refuse()
  try {
    expect(await runTestProcess('worker/main.ts', { ...environment, ...env })).toEqual({
      status: 1,
      printed: expect.stringMatching(/^KEYS_DATABASE_URL: Postgres at 127.0.0.1:\d+ cannot be used .*\n$/),
    })
  } finally {
    await proxy.resume()
  }
})
