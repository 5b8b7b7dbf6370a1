import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DISPATCH } from '../events/consumers/acting-consumers.ts'
import { leadReleased, leadStreams } from '../events/lead/lead.ts'
import { overviewProjection } from '../events/lead/store/overview.ts'
import { leadsProjection } from '../events/lead/store/view.ts'
import { type ConsumerKey, readCheckpoint } from '../events/log/checkpoints.ts'
import { readHead } from '../events/log/read.ts'
import { schemaOf } from '../events/projections/projection.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { TEST_KEYS } from '../events/testing/keys.ts'
import {
  eventually,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
  type TestStores,
} from '../events/testing/node.ts'
import type { TestProcess } from '../events/testing/process.ts'
import { appendRaw } from '../events/testing/raw-event.ts'

const LEADS: ConsumerKey = { name: 'leads', version: leadsProjection.version }
const NEXT_LEADS: ConsumerKey = { ...LEADS, version: LEADS.version + 1 }

type Version = 'older' | 'newer'

/** A deployment: nodes and workers of two versions on the same log. */
const openDeployment = async () => {
  const database = await createTestDatabase()
  const sql: Sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const stores: TestStores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  const nodes: Partial<Record<Version, TestNode>> = {}
  const running = new Set<TestProcess>()
  const keep = <T extends TestProcess>(started: T) => {
    running.add(started)
    return started
  }
  const stop = async (started: TestProcess | undefined) => {
    if (!started || !running.delete(started)) return
    await started.stop()
  }
  const node = (version: Version) => nodes[version] ?? expect.fail(`no ${version} node runs`)

  const readIds = async (version: Version, cookie: { cookie: string }) => {
    const response = await node(version).call('/api/leads', { headers: cookie })
    expect(response.status).toBe(200)
    return ((await response.json()) as { name: string }[]).map(({ name }) => name).sort()
  }
  const staffOf = new Map<Version, { cookie: string }>()
  const staff = async (version: Version) => {
    const known = staffOf.get(version) ?? (await signIn(node(version)))
    staffOf.set(version, known)
    return known
  }

  return {
    sql,
    url: database.url,
    stop,
    node,
    staff,
    startNode: async (version: Version) => {
      const script = version === 'older' ? 'api/process/main.ts' : 'api/testing/newer-node.cli.ts'
      nodes[version] = keep(await startTestNode(stores, {}, script))
      staffOf.delete(version)
    },
    startWorker: async (version: Version, env: Record<string, string> = {}) =>
      keep(
        await startTestWorker(
          stores,
          env,
          version === 'older' ? 'worker/main.ts' : 'worker/testing/newer-worker.cli.ts',
        ),
      ),
    /** The names in the list that a node of a version shows. */
    listed: async (version: Version) => readIds(version, await staff(version)),
    submit: async (name: string, version: Version) => {
      const form = { name, email: 'ana@example.com', phone: '082 555 0199', leadSource: 'contract_premium' }
      const body = { ...form, businessName: 'Botha & Co', agreedToTerms: true }
      const response = await node(version).post('/api/leads', body)
      expect(response.status).toBe(201)
      return ((await response.json()) as { id: string }).id
    },
    /** Appends an event about a lead as a node of the next version would. */
    append: (leadId: string, type: string, schemaVersion: number, data: object) =>
      appendRaw(sql, { stream: leadStreams.of(leadId), type, schemaVersion, data }),
    /** The tables of a version of the leads view: the same ones as long as it has not been rebuilt. */
    tablesOf: async (key: ConsumerKey) => {
      const rows = await sql`select oid from pg_namespace where nspname = ${schemaOf(key)}`
      return rows.map(({ oid }) => oid)
    },
    isAtHead: async (key: ConsumerKey) => {
      const checkpoint = await readCheckpoint(sql, key)
      expect(checkpoint).toMatchObject({ isFilled: true, position: (await readHead(sql)).position })
    },
    /** Makes it two minutes ago that anything came in, or was taken in. */
    age: () =>
      sql.unsafe(`
        update events set recorded_at = recorded_at - interval '2 minutes';
        update checkpoint_positions set reached_at = reached_at - interval '2 minutes'`),
    halted: async (version: Version) => {
      const text = await (await node(version).call('/metrics')).text()
      return [...text.matchAll(/^log_consumer_halted\{.*consumer="(\w+)".*\} 1$/gm)].map(([, name]) => name)
    },
    standing: async (version: Version) => {
      const response = await node(version).call('/api/standstill', { headers: await staff(version) })
      return ((await response.json()) as { consumer: string }[]).map(({ consumer }) => consumer).sort()
    },
    close: async () => {
      await Promise.all([...running].map(stop))
      await sql.end()
      await database.drop()
    },
  }
}

type Deployment = Awaited<ReturnType<typeof openDeployment>>

const statusOf = ({ url }: Deployment) =>
  new Promise<{ code: number | null; text: string }>((resolve) => {
    const child = spawn(process.execPath, ['worker/projections.cli.ts', 'status'], {
      env: { ...process.env, DATABASE_URL: url },
    })
    let text = ''
    for (const out of [child.stdout, child.stderr])
      out.setEncoding('utf8').on('data', (part) => {
        text += part
      })
    child.once('close', (code) => resolve({ code, text }))
  })

describe('a newer version next to an older one', () => {
  let deployment: Deployment
  let older: TestProcess
  let newer: TestProcess
  /** A lead with an event in the log of a type that the older version does not know. */
  let starred: string
  let olderTables: unknown
  let newerTables: unknown

  beforeAll(async () => {
    deployment = await openDeployment()
    await deployment.startNode('older')
    older = await deployment.startWorker('older')
  })

  afterAll(() => deployment?.close())

  test('a worker passes over a type of event that it does not know, and continues', async () => {
    starred = await deployment.submit('Before', 'older')
    await deployment.append(starred, 'LeadStarred', 1, {})
    const last = await deployment.submit('After', 'older')
    await eventually(async () => expect(await deployment.listed('older')).toEqual(['After', 'Before']))
    for (const key of [LEADS, overviewProjection, DISPATCH]) await eventually(() => deployment.isAtHead(key))
    await eventually(async () => {
      const rows = await deployment.sql`select state from deliveries where stream = ${leadStreams.of(last)}`
      expect(rows.map(({ state }) => state)).toEqual(['outbox'])
    })
    expect(await deployment.halted('older')).toEqual([])
    olderTables = await deployment.tablesOf(LEADS)
  })

  test('a node asks to retry requests for data that it cannot read, and serves the rest', async () => {
    const headers = await deployment.staff('older')
    const response = await deployment.node('older').call(`/api/leads/${starred}`, { headers })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
  })

  test('a newer worker fills its own version of a view, and both are kept up to date', async () => {
    await deployment.startNode('newer')
    const headers = await deployment.staff('newer')
    const tooEarly = await deployment.node('newer').call('/api/leads', { headers })
    expect(tooEarly.status).toBe(503)
    newer = await deployment.startWorker('newer')
    await eventually(async () => expect(await deployment.listed('newer')).toEqual(['After', 'Before']))
    await deployment.submit('Later', 'newer')
    for (const version of ['older', 'newer'] as const) {
      await eventually(async () => expect(await deployment.listed(version)).toEqual(['After', 'Before', 'Later']))
    }
    expect(await deployment.tablesOf(LEADS)).toEqual(olderTables)
    newerTables = await deployment.tablesOf(NEXT_LEADS)
  })

  test('after a rollback the older version continues from its position, and the newer one raises no alarm', async () => {
    await deployment.stop(newer)
    await deployment.submit('Rolled back', 'older')
    await eventually(async () => expect(await deployment.listed('older')).toContain('Rolled back'))
    await deployment.age()
    await eventually(async () => expect(await deployment.standing('older')).toEqual([]))
    const { code, text } = await statusOf(deployment)
    expect(code).toBe(0)
    expect(text).toMatch(new RegExp(`^leads +${LEADS.version} .* up to date$`, 'm'))
    expect(text).toMatch(new RegExp(`^leads +${NEXT_LEADS.version} .* another version is in use`, 'm'))
    expect(await deployment.standing('newer')).toEqual(['leads'])
    expect(await deployment.tablesOf(NEXT_LEADS)).toEqual(newerTables)
  })

  test('the newer version comes back and continues from its position; nothing is rebuilt', async () => {
    newer = await deployment.startWorker('newer')
    await eventually(async () => expect(await deployment.listed('newer')).toContain('Rolled back'))
    expect(await deployment.standing('newer')).toEqual([])
    expect(await deployment.tablesOf(LEADS)).toEqual(olderTables)
    expect(await deployment.tablesOf(NEXT_LEADS)).toEqual(newerTables)
  })

  test('at a declared event in a higher version only views of the older version wait, with the reason', async () => {
    const data = { by: randomUUID(), emailId: null }
    const before = await deployment.listed('older')
    await deployment.append(starred, 'LeadReleased', leadReleased.schemaVersion + 1, data)
    await deployment.submit('Beyond', 'newer')
    await eventually(async () => expect(await deployment.listed('newer')).toContain('Beyond'))
    for (const key of [NEXT_LEADS, overviewProjection, DISPATCH]) await eventually(() => deployment.isAtHead(key))
    await eventually(async () => expect(await deployment.halted('older')).toEqual(['leads']))
    expect(await deployment.halted('newer')).toEqual([])
    expect(await deployment.listed('older')).toEqual(before)
    const waits = `version ${LEADS.version} of leads waits here for a worker that keeps this version`
    expect((await statusOf(deployment)).text).toMatch(
      new RegExp(`paused: Event \\d+ is LeadReleased in version ${leadReleased.schemaVersion + 1}.*${waits}`),
    )
    expect(older.printed()).toContain('consumer paused, trying again')
  })

  test('a worker that knows the event and maintains the older view moves it forward, and no event was skipped', async () => {
    await deployment.startWorker('newer', { KEEP_VIEWS: 'yes' })
    await eventually(async () => expect(await deployment.listed('older')).toContain('Beyond'))
    await eventually(() => deployment.isAtHead(LEADS))
    await eventually(async () => expect(await deployment.halted('older')).toEqual([]))
    expect(await deployment.listed('older')).toEqual(await deployment.listed('newer'))
    expect(await deployment.tablesOf(LEADS)).toEqual(olderTables)
    const fresh = await deployment.submit('Fresh', 'older')
    await eventually(async () => expect(await deployment.listed('older')).toContain('Fresh'))
    expect(fresh).toBeDefined()
  })
})

describe('an older version that starts after a newer one', () => {
  let deployment: Deployment

  beforeAll(async () => {
    deployment = await openDeployment()
  })

  afterAll(() => deployment?.close())

  test('fills its own version of a view, leaves the newer one alone, and both continue', async () => {
    await deployment.startNode('newer')
    await deployment.startWorker('newer')
    const starred = await deployment.submit('First', 'newer')
    await deployment.append(starred, 'LeadStarred', 1, {})
    await eventually(async () => expect(await deployment.listed('newer')).toEqual(['First']))
    const newerTables = await deployment.tablesOf(NEXT_LEADS)

    await deployment.startNode('older')
    await deployment.startWorker('older')
    await eventually(async () => expect(await deployment.listed('older')).toEqual(['First']))
    await deployment.submit('Second', 'older')
    for (const version of ['older', 'newer'] as const) {
      await eventually(async () => expect(await deployment.listed(version)).toEqual(['First', 'Second']))
      expect(await deployment.halted(version)).toEqual([])
    }
    expect(await deployment.tablesOf(NEXT_LEADS)).toEqual(newerTables)
    for (const key of [LEADS, NEXT_LEADS, overviewProjection, DISPATCH])
      await eventually(() => deployment.isAtHead(key))
  })
})
