import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadStream } from '../events/lead.ts'
import { createTestDatabase, testRedisUrl } from '../events/local/test-database.ts'
import { TEST_KEYS } from '../events/local/test-keys.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../events/local/test-node.ts'
import { startTestProcess, type TestProcess } from '../events/local/test-process.ts'
import { connect, type Sql } from '../events/log/connection.ts'

const VIEWS = ['chats', 'leads', 'overview']
const READERS = [...VIEWS, 'dispatch']

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let stores: { databaseUrl: string; redisUrl: string }
let node: TestNode
let older: TestProcess
let newer: TestProcess | undefined
let staff: { cookie: string }
/** The lead about which the log holds an event of the next version. */
let starred: string

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[node, older] = await Promise.all([startTestNode(stores), startTestWorker(stores)])
  staff = await signIn(node)
})

afterAll(async () => {
  await Promise.all([node, older, newer].map((each) => each?.stop()))
  await sql.end()
  await database.drop()
})

const submit = async (name: string) => {
  const form = { name, email: 'ana@example.com', phone: '082 555 0199', leadSource: 'contract_premium' }
  const response = await node.post('/api/leads', { ...form, businessName: 'Botha & Co', agreedToTerms: true })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}
const listed = async () => {
  const response = await node.call('/api/leads', { headers: staff })
  return ((await response.json()) as { name: string }[]).map(({ name }) => name).sort()
}
/** Appends an event of the next version, as a node of that version would. */
const star = (leadId: string) => sql`
  select * from append_events(${sql.json([
    {
      request: randomUUID(),
      id: randomUUID(),
      stream: leadStream(leadId),
      expected: null,
      type: 'LeadStarred',
      schemaVersion: 1,
      data: {},
      subjectId: null,
      personal: null,
    },
  ])})`
const halted = async () => {
  const text = await (await node.call('/metrics')).text()
  return [...text.matchAll(/^log_consumer_halted\{.*consumer="(\w+)".*\} 1$/gm)].map(([, name]) => name).sort()
}
const status = () =>
  new Promise<{ code: number | null; text: string }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: database.url }
    const child = spawn(process.execPath, ['worker/projections.cli.ts', 'status'], { env })
    let text = ''
    for (const out of [child.stdout, child.stderr])
      out.setEncoding('utf8').on('data', (part) => {
        text += part
      })
    child.once('close', (code) => resolve({ code, text }))
  })
const statesOf = async (leadId: string) =>
  (await sql`select state from deliveries where stream = ${leadStream(leadId)}`).map(({ state }) => state)
const age = () =>
  sql.unsafe(`
    update events set recorded_at = recorded_at - interval '2 minutes';
    update checkpoints set moved_at = moved_at - interval '2 minutes'`)
const standing = async () => {
  const response = await node.call('/api/standstill', { headers: staff })
  return ((await response.json()) as { consumer: string }[]).map(({ consumer }) => consumer).sort()
}

test('a worker halts before an event of the next version, with no harm, and is seen to', async () => {
  starred = await submit('Before')
  await eventually(async () => expect(await listed()).toEqual(['Before']))
  expect(await halted()).toEqual([])
  await star(starred)
  const last = await submit('After')
  await eventually(async () => expect(await halted()).toEqual(READERS.toSorted()))
  expect(await listed()).toEqual(['Before'])
  expect(older.printed()).toContain('consumer halted')
  expect(await statesOf(last)).toEqual([])

  expect(await standing()).toEqual([])
  expect((await status()).code).toBe(0)
  await age()
  expect(await standing()).toEqual(READERS.toSorted())
  const { code, text } = await status()
  expect(code).toBe(1)
  expect(text).toMatch(/^leads +\d+ +\d+ +\d+ {2}halted: Event \d+ is LeadStarred in version 1.*run newer code$/m)
  expect(text).toMatch(/^forget +\d+ +\d+ +0 {2}up to date$/m)
})

test('a node of the version before asks to be asked again about what it cannot read, and serves the rest', async () => {
  const response = await node.call(`/api/leads/${starred}`, { headers: staff })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await listed()).toEqual(['Before'])
})

test('a worker of the next version beside it goes on, the views are right, and nobody is alarmed', async () => {
  newer = await startTestProcess('worker/newer-worker.cli.ts', {
    DATABASE_URL: database.runtimeUrl,
    REDIS_URL: stores.redisUrl,
  })
  await eventually(async () => expect(await listed()).toEqual(['After', 'Before']))
  await eventually(async () => expect(await standing()).toEqual([]))
  const last = await submit('Later')
  await eventually(async () => expect(await listed()).toEqual(['After', 'Before', 'Later']))
  await eventually(async () => expect(await statesOf(last)).toEqual(['outbox']))
  await eventually(async () => expect((await status()).text).not.toMatch(/behind|halted|still/))
  expect(await halted()).toEqual([])
  expect((await status()).code).toBe(0)
  expect(newer.printed()).not.toContain('halted')
})
