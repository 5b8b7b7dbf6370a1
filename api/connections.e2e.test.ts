import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../events/stores/connection.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'
import { joinChat } from './testing/socket-client.ts'

/** The nodes for which compose.yaml's Postgres is enough, by api/OPERATIONS.md. */
const NODES = 20
const WORKERS = 4
/** Connections reserved for Postgres's superuser, migrations, backups, operators and monitoring. */
const BESIDES = 15
const AT_ONCE = 60

let database: TestDatabase
let sql: Sql
let node: TestNode
let worker: TestProcess

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'looking on' })
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  // the node as the owner, to distinguish its connections from the worker's
  ;[node, worker] = await Promise.all([startTestNode(stores, { DATABASE_URL: database.url }), startTestWorker(stores)])
})

afterAll(async () => {
  await Promise.all([node?.stop(), worker?.stop()])
  await sql?.end()
  await database?.drop()
})

/** A limit of compose.yaml. */
const allowedBy = (limit: RegExp) => Number(limit.exec(readFileSync('compose.yaml', 'utf8'))?.[1])

test(`${NODES} nodes and ${WORKERS} workers under load stay within the connections of compose.yaml’s Postgres`, async () => {
  const staff = await signIn(node)
  const lead = { name: 'Ana', email: 'ana@example.com', phone: '082 555 0199', leadSource: 'hero_form' }
  const most = { node: 0, worker: 0 }
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const rows = await sql<{ user: string; count: number }[]>`
        select usename as user, count(*)::integer as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() group by usename`
      for (const { user, count } of rows) {
        const who = user === new URL(database.url).username ? 'node' : 'worker'
        most[who] = Math.max(most[who], count)
      }
    }
  }
  const watching = watch()
  expect((await node.post('/api/leads', lead)).status).toBe(201)
  await eventually(async () => expect((await node.call('/api/leads', { headers: staff })).status).toBe(200))
  const everything = Array.from({ length: AT_ONCE }, (_, number) => [
    node.post('/api/leads', lead),
    node.call(`/api/leads?q=an&from=2020-01-0${(number % 9) + 1}T00:00:00Z`, { headers: staff }),
    node.call('/readyz'),
    joinChat(node).then(({ client }) => client.close()),
    ...(number === 0
      ? [node.call('/api/leads/export?format=csv', { headers: staff }).then((file) => file.text())]
      : []),
  ]).flat()
  await Promise.all(everything)
  isOver = true
  await watching
  const allowed = allowedBy(/max_connections=(\d+)/)
  expect(most.node).toBeGreaterThan(5)
  expect(most.worker).toBeGreaterThan(2)
  const clients = NODES * most.node + WORKERS * most.worker
  expect(clients + BESIDES, JSON.stringify(most)).toBeLessThanOrEqual(allowed)
  // a rollout doubles both, and uses the pooler
  expect(2 * clients, JSON.stringify(most)).toBeLessThanOrEqual(allowedBy(/MAX_CLIENT_CONN: (\d+)/))
})
