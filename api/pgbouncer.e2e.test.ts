import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../events/local/port.ts'
import { connect, inTransaction } from '../events/stores/connection.ts'
import { throughPooler } from '../events/stores/postgres/pool.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../events/testing/database.ts'
import {
  eventually,
  nodeEnvironment,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
} from '../events/testing/node.ts'
import { POOL_CONNECTIONS, pgbouncer, startPgBouncer, type TestPgBouncer } from '../events/testing/pgbouncer.ts'
import { runTestProcess, type TestProcess } from '../events/testing/process.ts'
import { joinChat, joinStaff, say } from './testing/socket-client.ts'

const MESSAGES = 20
const TRANSACTIONS = 40
const AT_ONCE = 30
/** A worker that fills a view has two connections of its own; without a pooler node and worker have 17. */
const PAST_THE_POOLER = 2

describe.runIf(pgbouncer !== undefined)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase
  let redisUrl: string
  let pooler: TestPgBouncer
  let node: TestNode
  let worker: TestProcess
  let staff: { cookie: string }

  beforeAll(async () => {
    database = await createTestDatabase()
    redisUrl = await testRedisUrl()
    pooler = await startPgBouncer(database.runtimeUrl)
    const stores = { databaseUrl: pooler.through(database.runtimeUrl), redisUrl }
    const env = { DATABASE_DIRECT_URL: database.runtimeUrl }
    ;[node, worker] = await Promise.all([startTestNode(stores, env), startTestWorker(stores, env)])
    staff = await signIn(node)
  })

  afterAll(async () => {
    await Promise.all([node, worker].map((each) => each?.stop()))
    await pooler?.stop()
    await database?.drop()
  })

  /** Starts a misconfigured process. Returns the lines that it printed. */
  const failToStart = async (script: string, env: Record<string, string>) => {
    const port = await freePort()
    const { status, printed } = await runTestProcess(script, {
      ...nodeEnvironment({ databaseUrl: database.url, redisUrl }, port),
      ...env,
    })
    expect(status).toBe(1)
    return printed.trimEnd().split('\n')
  }

  test('a lead is stored, seen, changed and exported', async () => {
    const lead = { name: 'Ana', email: 'ana@example.com', phone: '082 555 0199', leadSource: 'hero_form' }
    const response = await node.post('/api/leads', lead)
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: string }
    const read = async () => (await node.call(`/api/leads/${id}`, { headers: staff })).json()
    await eventually(async () => expect(await read()).toMatchObject({ name: 'Ana' }))
    const change = { method: 'PATCH', headers: { ...staff, 'content-type': 'application/json' } }
    const changed = await node.call(`/api/leads/${id}`, { ...change, body: JSON.stringify({ projectValue: 900 }) })
    expect(changed.status).toBe(200)
    await eventually(async () => expect(await read()).toMatchObject({ projectValue: 900 }))
    const file = await node.call('/api/leads/export?format=csv', { headers: staff })
    expect(await file.text()).toContain('Ana')
  })

  test('a chat goes both ways and is read back whole', async () => {
    const admin = await joinStaff(node, staff)
    const { client: visitor, sessionId } = await joinChat(node)
    for (let count = 1; count <= MESSAGES; count += 1) {
      await say(count % 2 ? visitor : admin, sessionId, `number ${count}`, randomUUID())
      await visitor.take('new_message', ({ message, sequence }) => message === `number ${count}` && sequence === count)
    }
    admin.send({ type: 'get_messages', sessionId })
    expect((await admin.take('chat_history')).messages).toHaveLength(MESSAGES)
    for (const client of [admin, visitor]) await client.close()
  })

  test('Postgres sees the connections of the pool under load, and hardly more', async () => {
    const sql = connect(database.url, { max: 1, name: 'looking on' })
    onTestFinished(() => sql.end())
    let isOver = false
    let most = 0
    const watch = async () => {
      while (!isOver) {
        const seen = await sql`
          select from pg_stat_activity where datname = current_database() and usename = ${new URL(database.runtimeUrl).username}`
        most = Math.max(most, seen.length)
      }
    }
    const watching = watch()
    const lead = { name: 'Ana', email: 'ana@example.com', phone: '082 555 0199', leadSource: 'hero_form' }
    const load = Array.from({ length: AT_ONCE }, () => [
      node.post('/api/leads', lead),
      node.call('/api/leads?q=an', { headers: staff }),
      node.call('/readyz'),
    ])
    const answers = await Promise.all(load.flat())
    isOver = true
    await watching
    expect(answers.filter(({ status }) => status >= 400)).toEqual([])
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(POOL_CONNECTIONS + PAST_THE_POOLER)
  })

  test('accounts are stored: an owner adds one, and it signs in', async () => {
    const account = { username: 'sipho', displayName: 'Sipho', password: 'the password of an account', role: 'agent' }
    const added = await node.call('/api/accounts', {
      method: 'POST',
      headers: { ...staff, 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    expect(added.status).toBe(201)
    expect((await node.post('/api/login', account)).status).toBe(204)
  })

  test('more clients than connections of the server do not get into one another’s transactions', async () => {
    const url = throughPooler(pooler.through(database.runtimeUrl))
    const sql = connect(url, { max: 12, name: 'test' })
    const [limits] =
      await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
    expect(limits).toEqual({ statement: '30s', lock: '10s' })
    const work = Array.from({ length: TRANSACTIONS }, (_, number) =>
      inTransaction(sql, async (tx) => {
        await tx`select set_config('test.number', ${String(number)}, true)`
        if (number % 4 === 0) await expect(tx`select 1 / ${0}`).rejects.toThrow('division by zero')
        const [row] = await tx`select current_setting('test.number', true) as number`
        return row?.number
      }).catch((error: Error) => error.message),
    )
    const expected = work.map((_, number) => (number % 4 === 0 ? expect.stringContaining('aborted') : String(number)))
    expect(await Promise.all(work)).toEqual(expected)
    await sql.end()
  })

  test.each(['api/process/main.ts', 'worker/main.ts'])('%s does not start on a pooler alone', async (script) => {
    const pooled = pooler.through(database.runtimeUrl)
    expect(await failToStart(script, { DATABASE_URL: pooled })).toEqual([
      expect.stringMatching(
        /^DATABASE_URL: 127.0.0.1:\d+ is a pooler that gives out connections a transaction at a time \(unsupported startup parameter: \w+\): set DATABASE_DIRECT_URL to the address of Postgres itself as well$/,
      ),
    ])
  })

  test('nor on one that loses settings without a word', async () => {
    const ignored = 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
    const silent = await startPgBouncer(database.runtimeUrl, [`ignore_startup_parameters = ${ignored}`])
    const lines = await failToStart('api/process/main.ts', { DATABASE_URL: silent.through(database.runtimeUrl) })
    expect(lines).toEqual([
      expect.stringMatching(
        /^DATABASE_URL: \S+ is a pooler .+: set DATABASE_DIRECT_URL to the address of Postgres itself/,
      ),
    ])
    await silent.stop()
  })

  test('nor with a direct address that is a pooler’s, or another database’s', async () => {
    const env = { DATABASE_URL: pooler.through(database.runtimeUrl) }
    const second = pooler.through(database.runtimeUrl).replace('127.0.0.1', 'localhost')
    expect(await failToStart('api/process/main.ts', { ...env, DATABASE_DIRECT_URL: second })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL: \S+ is a pooler .+: set it to the address of Postgres itself$/),
    ])
    const other = await createTestDatabase()
    expect(await failToStart('worker/main.ts', { ...env, DATABASE_DIRECT_URL: other.runtimeUrl })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL: \S+ and DATABASE_URL at \S+ are not the same database/),
    ])
    await other.drop()
  })

  test('a migration refuses a pooler as well', async () => {
    const pooled = pooler.through(database.runtimeUrl)
    const env = { DATABASE_URL: database.runtimeUrl, MIGRATIONS_DATABASE_URL: pooled }
    expect(await failToStart('events/log/migrate.cli.ts', env)).toEqual([
      expect.stringMatching(/^MIGRATIONS_DATABASE_URL: \S+ is a pooler .+: set it to the address of Postgres itself$/),
    ])
  })
})
