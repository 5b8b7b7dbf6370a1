import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadsProjection, UNASSIGNED_ID } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'

/** More than sockets and pipes hold, so that an export still runs while its response is not read. */
const VIEW = schemaOf(leadsProjection)
const ROWS = 60_000
/** A client that reads everything at once is done sooner. */
const LONGER_THAN_AN_EXPORT_MS = 4_000
/** The time that a node may take to end after SIGTERM. */
const END_TIMEOUT_MS = 10_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let stores: { databaseUrl: string; redisUrl: string }

/** Inserts leads directly into the view: 300 bytes of message each. */
const insertLeads = () => sql`
  with made as materialized (
    select gen_random_uuid() as id, '2020-01-01T10:00:00Z'::timestamptz + n * interval '1 second' as at, n
    from generate_series(1, ${ROWS}::int) n
  ), entries as (
    insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting)
    select n, id, at, false, '', 'new', ${UNASSIGNED_ID}, 'hero_form', 'none', true from made
  )
  insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, lead)
  select id, n, 0, false, jsonb_build_object('id', id, 'name', 'Ana Botha', 'email', 'ana@example.com',
    'phone', '082 555 0199', 'leadSource', 'hero_form', 'followUpStatus', 'new', 'version', 1,
    'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'message', (select string_agg(md5(n || ' ' || part), '') from generate_series(1, 10) part))
  from made`

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  await (await startTestWorker(stores)).stop()
  await insertLeads()
  await sql`analyze ${sql(VIEW)}.leads, ${sql(VIEW)}.entries`
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** The live processes, with their parents; one that has ended and was not reaped yet does not count. */
const processes = () =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent) }]
    } catch {
      return []
    }
  })
const descendantsOf = (pid: number): number[] =>
  processes()
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child.pid, ...descendantsOf(child.pid)])
const livingOf = (pids: number[]) => processes().filter(({ pid }) => pids.includes(pid))

const FORMATS = ['xlsx', 'csv']

type Reader = { answer: Promise<IncomingMessage | undefined>; leave: () => void }

/** Requests a file and does not read it. */
const openExport = (node: TestNode, headers: { cookie: string }, format: string): Reader => {
  const answer = Promise.withResolvers<IncomingMessage | undefined>()
  const request = httpGet(`${node.url}/api/leads/export?format=${format}`, { headers, agent: false }, (response) => {
    response.on('error', () => {})
    answer.resolve(response)
  })
  request.on('error', () => answer.resolve(undefined))
  return { answer: answer.promise, leave: () => request.destroy() }
}

type Scene = { nodes: string; scene: string; prepare: (readers: Reader[], node: TestNode) => Promise<unknown> }

const answered = (readers: Reader[]) => Promise.all(readers.map(({ answer }) => answer))
const haveStarted = (node: TestNode) => eventually(() => expect(descendantsOf(node.pid)).not.toEqual([]))

const SCENES: Scene[] = [
  { nodes: '2', scene: 'readers who do not read', prepare: answered },
  {
    nodes: '1',
    scene: 'readers who go away at that moment',
    prepare: async (readers) => {
      await answered(readers)
      for (const { leave } of readers) leave()
    },
  },
  { nodes: '1', scene: 'exports that are just starting', prepare: (_, node) => haveStarted(node) },
]

const exportFrom = async (nodes: string) => {
  const node = await startTestNode(stores, { NODES: nodes })
  const headers = await signIn(node)
  return { node, readers: FORMATS.map((format) => openExport(node, headers, format)) }
}

describe.runIf(process.platform === 'linux')('in the midst of exports', () => {
  test.each(SCENES)(
    'an API of $nodes nodes with $scene ends in time on SIGTERM and leaves no process',
    async (scene) => {
      const { node, readers } = await exportFrom(scene.nodes)
      await scene.prepare(readers, node)
      const children = descendantsOf(node.pid)
      const start = performance.now()
      node.kill('SIGTERM')
      const { status } = await node.ended
      expect(performance.now() - start).toBeLessThan(END_TIMEOUT_MS)
      expect(status).toBe(0)
      await eventually(() => expect(livingOf(children)).toEqual([]))
      for (const { leave } of readers) leave()
    },
  )

  test('a node that is killed leaves no process', async () => {
    const { node, readers } = await exportFrom('1')
    await haveStarted(node)
    const children = descendantsOf(node.pid)
    node.kill('SIGKILL')
    await eventually(() => expect(livingOf(children)).toEqual([]))
    for (const { leave } of readers) leave()
  })
})

describe('a large export', () => {
  const LARGE = 'to=2021-01-01T00:00:00Z'
  /** The number of exports that are reading: each has a connection of its own. */
  const reading = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from pg_stat_activity
      where application_name = 'export' and datname = current_database()`
    return row?.count
  }

  let proxy: FaultProxy
  let node: TestNode
  let staff: { cookie: string }

  beforeAll(async () => {
    proxy = await openFaultProxy(database.url)
    node = await startTestNode({ ...stores, databaseUrl: proxy.url })
    staff = await signIn(node)
  })

  afterAll(async () => {
    await node?.stop()
    await proxy?.close()
  })

  const get = (query: string) => node.call(`/api/leads/export?${query}`, { headers: staff })
  /** A request whose response is read only when the test starts reading. */
  const open = (query: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const path = `${node.url}/api/leads/export?${query}`
      httpGet(path, { headers: { ...staff, origin: node.url } }, resolve).once('error', reject)
    })

  test.each(['xlsx', 'csv'])('waits for a slow client, and stops for one that leaves (%s)', async (format) => {
    const response = await open(`${LARGE}&format=${format}`)
    expect(response.statusCode).toBe(200)
    await delay(LONGER_THAN_AN_EXPORT_MS)
    expect(await reading()).toBe(1)
    expect(response.complete).toBe(false)
    response.destroy()
    await eventually(async () => expect(await reading()).toBe(0))
    expect((await get('q=nobody')).status).toBe(200)
  })

  test.each(['xlsx', 'csv'])('breaks off for its client if Postgres fails midway (%s)', async (format) => {
    const response = await open(`${LARGE}&format=${format}`)
    expect(response.statusCode).toBe(200)
    await once(response, 'readable')
    await proxy.refuse()
    let bytes = 0
    const reading = (async () => {
      for await (const chunk of response) bytes += chunk.length
    })()
    await expect(reading).rejects.toThrow('aborted')
    expect(bytes).toBeGreaterThan(0)
    expect(response.complete).toBe(false)
    await proxy.resume()
    await eventually(async () => expect((await get('q=nobody')).status).toBe(200))
    expect(node.printed()).toContain('export broke off')
  })
})
