import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Sql } from '../events/log/connection.ts'
import { listLeads } from '../events/projections/lead-search.ts'
import { leadsProjection } from '../events/projections/leads.ts'
import { schemaOf } from '../events/projections/projection.ts'
import { askForRebuild, type ReaderQueue } from '../events/projections/read-jobs.ts'
import { runTestCli } from '../events/testing/cli.ts'
import { newLead } from '../events/testing/fixtures/samples.ts'
import { eventually, nodeEnvironment } from '../events/testing/node.ts'
import { openTestWorkers, type TestWorkers } from './test-workers.ts'

const LEADS = 20
const NO_PORT = 1
const VIEW = schemaOf(leadsProjection)

let workers: TestWorkers
let sql: Sql
let queue: ReaderQueue

beforeAll(async () => {
  workers = await openTestWorkers()
  sql = workers.sql
  queue = workers.queue
  for (let count = 0; count < LEADS; count += 1) await workers.log.append(newLead(randomUUID()))
})

afterEach(() => workers.reset())

afterAll(() => workers.close())

const rebuildByCommand = () =>
  runTestCli('worker/projections.cli.ts', ['rebuild', 'leads'], nodeEnvironment(workers.stores, NO_PORT))
const isFilled = () =>
  eventually(async () => expect(await listLeads(sql, { sort: 'asc' }, { limit: 100 })).toHaveLength(LEADS))
/** Which tables the view has: others after a rebuild. */
const tables = async () => {
  const rows = await sql<{ oid: number }[]>`select oid::int from pg_namespace where nspname = ${VIEW}`
  return rows[0]?.oid
}
const halfTables = async () => {
  const rows = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname like ${`${VIEW.replaceAll('_', '\\_')}\\_next\\_%`}`
  return rows.map(({ name }) => name)
}
/** Holds every rebuild of the view up once its new tables are full, before they take their place. */
const holdUp = async () => {
  const tx = await sql.reserve()
  await tx`begin`
  await tx`set local idle_in_transaction_session_timeout = 0` // a slow machine starts a worker meanwhile
  await tx`select from checkpoints where consumer = 'leads' for update`
  return async () => {
    await tx`commit`
    tx.release()
  }
}
const isUnderWay = () => eventually(async () => expect(await halfTables()).toHaveLength(1))
const rebuildJob = async () => {
  const jobs = await queue.getJobs(['active', 'waiting', 'delayed'])
  return jobs.find(({ name }) => name === 'rebuild')
}

test('the command has a worker rebuild a view, whose job tells how far it is', async () => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await eventually(async () => expect((await rebuildJob())?.progress).toMatchObject({ position: LEADS, head: LEADS }))
  expect(await tables()).toBe(before)
  await release()
  const { status, out, err } = await command
  expect([status, err]).toEqual([0, ''])
  expect(out).toMatch(/^leads \d+: rebuilt from 20 events in [\d.]+ s\n$/)
  expect(await tables()).not.toBe(before)
  await isFilled()
})

test('a rebuild whose worker is killed goes on in another one, and leaves no half tables', async () => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await isUnderWay()
  const [half] = await halfTables()
  await workers.kill()
  await release()
  await workers.start()
  const { status, out, err } = await command
  expect([status, err]).toEqual([0, ''])
  expect(out).toContain('rebuilt from 20 events')
  expect(await tables()).not.toBe(before)
  expect(await halfTables()).toEqual([])
  expect(half).toBeDefined()
  await isFilled()
})

test('a worker that is asked to stop hands its rebuild on at once', async () => {
  const worker = await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  await askForRebuild(queue, leadsProjection)
  await isUnderWay()
  await workers.start()
  await workers.stop(worker)
  await release()
  await eventually(async () => expect(await tables()).not.toBe(before))
  await eventually(async () => expect(await halfTables()).toEqual([]))
})

test.each([
  ['emptied', () => workers.direct.flushdb()],
  ['killed, and empty once it is back,', () => workers.loseRedis()],
])('Redis %s in the midst of a rebuild: the command sees to it that the view is rebuilt', async (_, lose) => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await isUnderWay()
  await lose()
  await release()
  const { status, out, err } = await command
  expect(status).toBe(0)
  expect(err).toMatch(/^(No worker rebuilds leads: it is done here\n)?$/)
  expect(out).toContain('rebuilt from 20 events')
  expect(await tables()).not.toBe(before)
  await isFilled()
})

test.each([
  ['without a worker', async () => {}],
  ['without Redis', () => workers.redis.refuse()],
])('%s the command rebuilds the view by itself, and says so', async (_, breakIt) => {
  await breakIt()
  const before = await tables()
  const { status, out, err } = await rebuildByCommand()
  expect([status, err]).toEqual([0, 'No worker rebuilds leads: it is done here\n'])
  expect(out).toContain('rebuilt from 20 events')
  expect(await tables()).not.toBe(before)
  expect(await rebuildJob()).toBeUndefined()
})

test('a view that lacks is filled by one of two workers, even where its job is removed by hand', async () => {
  await sql.unsafe(`drop schema ${VIEW} cascade`)
  await sql`update checkpoints set filled_at = null where consumer = 'leads'`
  await queue.pause()
  await workers.start(2)
  // a worker looks by itself while no job comes
  const job = await eventually(async () => (await rebuildJob()) ?? expect.fail('no rebuild is asked for'))
  await job.remove()
  await eventually(async () => expect((await rebuildJob())?.id).not.toBe(job.id))
  await queue.resume()
  await isFilled()
  await eventually(async () => expect(await halfTables()).toEqual([]))
})

test('without Redis a worker fills the view that lacks by itself', async () => {
  await workers.start()
  await workers.redis.refuse()
  await sql.unsafe(`drop schema ${VIEW} cascade`)
  await sql`update checkpoints set filled_at = null where consumer = 'leads'`
  await isFilled()
})
