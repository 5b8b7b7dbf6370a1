import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../events/local/port.ts'
import { startRedis } from '../../events/local/redis.ts'
import { connect } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { makeTestFolder, TEST_REDIS_PROGRAMS } from '../../events/testing/folders.ts'
import {
  eventually,
  nodeEnvironment,
  signIn,
  startTestNode,
  startTestWorker,
  type TestStores,
} from '../../events/testing/node.ts'
import { runTestProcess, startTestProcess, type TestProcess } from '../../events/testing/process.ts'
import { joinChat, openTestClient, say } from '../testing/socket-client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let stores: TestStores

beforeAll(async () => {
  database = await createTestDatabase()
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
})

afterAll(() => database.drop())

/** Starts an API process that cannot start. Returns the lines that it printed. */
const failToStart = async (env: Record<string, string>, script = 'api/process/main.ts') => {
  const { status, printed } = await runTestProcess(script, { ...nodeEnvironment(stores, await freePort()), ...env })
  expect(status).toBe(1)
  return printed.trimEnd().split('\n')
}

describe.each(['api/process/main.ts', 'worker/main.ts'])('%s does not start', (script) => {
  test('with variables that cannot be used, and names each in a line', async () => {
    const lines = await failToStart(
      {
        PORT: 'http',
        DATABASE_URL: '',
        REDIS_URL: '%',
        PUBLIC_URL: 'ftp://x',
        AGENCY_EMAIL: 'nobody',
        LOG_LEVEL: 'loud',
      },
      script,
    )
    const names = lines.map((line) => /^(\w+) (cannot be used|is not set): expected /.exec(line)?.[1])
    expect(names.toSorted()).toEqual(['AGENCY_EMAIL', 'DATABASE_URL', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'REDIS_URL'])
  })

  test('without Postgres: one line with the variable, the address and the remedy, and no password', async () => {
    const port = await freePort()
    const lines = await failToStart({ DATABASE_URL: `postgres://user:secret@127.0.0.1:${port}/db` }, script)
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^DATABASE_URL: Postgres at 127\\.0\\.0\\.1:${port} cannot be used \\(.+\\): start it`),
      ),
    ])
    expect(lines[0]).not.toContain('secret')
  })

  test('with a password that Redis does not take: one line, and no password', async () => {
    const { host } = new URL(stores.redisUrl)
    const lines = await failToStart({ REDIS_URL: `redis://nobody:secret@${host}` }, script)
    expect(lines).toEqual([expect.stringMatching(/^REDIS_URL: Redis at \S+ cannot be used \(WRONGPASS.+\): start it/)])
    expect(lines[0]).not.toContain('secret')
  })
})

test('nodes whose pages have not been built end with one line that names the command to run', async () => {
  const checkout = makeTestFolder()
  onTestFinished(() => rmSync(checkout, { recursive: true }))
  for (const part of ['api', 'events', 'package.json']) cpSync(part, join(checkout, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'))
  for (const NODES of ['1', '2']) {
    expect(await failToStart({ NODES }, join(checkout, 'api/process/main.ts'))).toEqual([
      'The web pages have not been built: run npm run build',
    ])
  }
})

test.each(['api/staff/staff.cli.ts', 'worker/projections.cli.ts'])(
  '%s migrates nothing: an older database is refused with one line that names the command to run',
  async (script) => {
    const older = await createTestDatabase()
    const sql = connect(older.url, { max: 1, name: 'test' })
    await sql`delete from migrations where name = '0002_schema.sql'`
    const lines = await failToStart({ DATABASE_URL: older.runtimeUrl }, script)
    expect(lines).toEqual([
      'The database is older than this code (not migrated: 1, the first 0002_schema.sql): run npm run migrate',
    ])
    await sql.end()
    await older.drop()
  },
)

test('a site that goes public with the account of a try-out does not start before its password is changed', async () => {
  const own = await createTestDatabase()
  const env = { DATABASE_URL: own.runtimeUrl, STAFF_USERNAME: 'staff' }
  const port = await freePort()
  const tryOut = await startTestProcess('api/process/main.ts', {
    ...nodeEnvironment({ ...stores, databaseUrl: own.url }, port),
    ...env,
    STAFF_PASSWORD: 'try-out-only',
  })
  await tryOut.stop()
  expect(await failToStart({ ...env, PUBLIC_URL: 'https://www.agency.example' })).toEqual([
    'The account staff has the public password of a try-out: run npm run staff -- passwd staff',
  ])
  await own.drop()
})

test('on a first start, without Redis and before any worker, forms and chats are accepted and a console joins; it gets the list once a worker has made it', async () => {
  const own = await createTestDatabase()
  onTestFinished(own.drop)
  const redis = await openFaultProxy(stores.redisUrl)
  await redis.refuse()
  onTestFinished(redis.close)
  const away = { databaseUrl: own.url, redisUrl: redis.url }
  // as the owner of the log, which both messages mention
  const asOwner = { DATABASE_URL: own.url }
  const saysOnce = ({ printed }: TestProcess, line: RegExp) => expect(printed().match(line)).toHaveLength(1)
  const node = await startTestNode(away, asOwner)
  onTestFinished(() => node.stop())
  const ready = async () => (await node.call('/readyz')).json()
  expect(await ready()).toMatchObject({ redis: 'down', failing: [] })

  const staff = await signIn(node)
  const before = await joinChat(node, 'Before')
  const admin = await openTestClient(node, staff)
  admin.send({ type: 'join_admin' })
  expect(await admin.take('active_sessions')).toEqual({
    type: 'active_sessions',
    sessions: [],
    total: 0,
    isPreparing: true,
  })
  const { client, sessionId } = await joinChat(node, 'After')
  await admin.take('new_chat_session', (session) => session.sessionId === sessionId)
  await say(client, sessionId, 'Is anybody there?')
  await admin.take('new_message', ({ message }) => message === 'Is anybody there?')
  await say(admin, sessionId, 'Yes')
  await client.take('new_message', ({ message }) => message === 'Yes')
  const person = { name: 'Ana', email: 'ana@example.com', phone: '082 555 0199', businessName: 'Ana’s' }
  const lead = { ...person, leadSource: 'contract_premium', agreedToTerms: true }
  const { id } = await (await node.post('/api/leads', lead)).json()

  const worker = await startTestWorker(away, asOwner)
  onTestFinished(() => worker.stop())
  for (const each of [node, worker]) {
    saysOnce(each, /REDIS_URL: Redis at/g)
    saysOnce(each, /only discipline protects the log/g)
  }
  await eventually(async () => expect((await node.call(`/api/leads/${id}`, { headers: staff })).status).toBe(200))

  await redis.resume()
  await eventually(async () => expect(await ready()).toMatchObject({ redis: 'up' }))
  const listed = await eventually(async () => {
    admin.send({ type: 'join_admin' })
    const { sessions, isPreparing } = await admin.take('active_sessions')
    expect(isPreparing).toBeUndefined()
    return sessions
  })
  expect(listed.map((session) => session.sessionId).toSorted()).toEqual([before.sessionId, sessionId].toSorted())
  await eventually(async () => {
    const outbox = await (await node.call('/api/outbox', { headers: staff })).text()
    expect(outbox).toContain('ana@example.com')
  }, 60_000)
  await Promise.all([admin, client, before.client].map((each) => each.close()))
})

test.each(['1', '2'])('a taken port stops the start of %s nodes with one line', async (nodes) => {
  const server = createServer().listen(0)
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const lines = await failToStart({ PORT: String(port), NODES: nodes, LOG_LEVEL: 'silent' })
  server.close()
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^PORT: ${port} cannot be used \\(EADDRINUSE\\): stop what uses it`)),
  ])
})

test('a Redis that may evict keys is refused: they are jobs that have to be done', async () => {
  // one of its own: others run on the tests' Redis at the same time
  const dataDir = makeTestFolder()
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const { url, stop } = await startRedis({ dataDir, print, programs: TEST_REDIS_PROGRAMS })
  const redis = new Redis(url)
  try {
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await failToStart({ REDIS_URL: url })).toEqual([
      expect.stringMatching(
        /^REDIS_URL: Redis at \S+ cannot be used \(its maxmemory-policy is allkeys-lru: set it to noeviction\)/,
      ),
    ])
  } finally {
    redis.disconnect()
    await stop()
    rmSync(dataDir, { recursive: true })
  }
})
