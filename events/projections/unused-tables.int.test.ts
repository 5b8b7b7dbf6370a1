import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { rebuildProjection } from '../consumers/rebuild.ts'
import { postMessage } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { openOwnLog } from '../testing/own-log.ts'
import { type Projection, prepareProjection, project, schemaOf } from './projection.ts'
import { removeUnusedTables, retireSuperseded } from './unused-tables.ts'

const viewOf = (version: number): Projection => ({
  name: 'tally',
  version,
  types: ['ChatMessagePosted'],
  tables: (schema) => `create table ${schema}.tally (position bigint primary key)`,
  indexes: () => '',
  apply: async (tx, schema, events) => {
    const positions = events.map(({ position }) => position)
    return [tx`insert into ${tx(schema)}.tally select unnest(${positions}::bigint[])`]
  },
})
const [older, newer] = [viewOf(1), viewOf(2)]

const { databaseUrl, sql, log: appender } = await openOwnLog()

beforeEach(async () => {
  await sql.unsafe('truncate events, checkpoints, checkpoint_positions')
  for (const schema of await schemas()) await sql.unsafe(`drop schema ${schema} cascade`)
  for (const view of [older, newer]) await prepareProjection(sql, view)
  await append()
})

const append = () => appender.append(postMessage(randomUUID(), 'x'))
const schemas = async () =>
  (await sql<{ nspname: string }[]>`select nspname from pg_namespace where nspname like 'view%' order by 1`).map(
    ({ nspname }) => nspname,
  )
/** Everything so far happened this many hours earlier. */
const letPass = (hours: number) =>
  sql.unsafe(`
    update events set recorded_at = recorded_at - interval '${hours} hours';
    update checkpoint_positions set reached_at = reached_at - interval '${hours} hours'`)
const retired = async () => (await retireSuperseded(sql)).map(({ version }) => version)

test('an older version is removed once an event has waited for it for 12 hours, and not before', async () => {
  await project(sql, older)
  await append()
  await letPass(11)
  await project(sql, newer)
  expect(await retired()).toEqual([])
  await letPass(2)
  await append()
  await project(sql, newer)
  expect(await retired()).toEqual([1])
  await removeUnusedTables(sql)
  expect(await schemas()).toEqual(['view_tally_2'])
  expect(await sql`select from checkpoint_positions where version = 1`).toHaveLength(0)
})

test('a version whose worker returns is filled again', async () => {
  await letPass(13)
  await project(sql, newer)
  expect(await retired()).toEqual([1])
  expect(await project(sql, older)).toEqual({ isFilled: false, advanced: false, hasMore: false, events: 0 })
  expect(await rebuildProjection({ databaseUrl, keys: TEST_KEYS }, older, { onlyMissing: true })).toBe(1)
  expect(await sql`select from ${sql(schemaOf(older))}.tally`).toHaveLength(1)
})

test('a newer version left behind by a rollback is removed in the same way', async () => {
  await letPass(13)
  await project(sql, older)
  expect(await retired()).toEqual([2])
})

test('a running version stays without any events for long, and so does one without a newer version ahead of it', async () => {
  for (const view of [older, newer]) await project(sql, view)
  await letPass(100)
  expect(await retired()).toEqual([])
  await append()
  await letPass(13)
  expect(await retired()).toEqual([])
  await project(sql, older)
  await project(sql, newer)
  expect(await retired()).toEqual([])
})

test('a version that was left behind is removed on a quiet site too, without events since then', async () => {
  await project(sql, older)
  await append()
  await project(sql, newer)
  await letPass(11)
  expect(await retired()).toEqual([])
  await letPass(2)
  expect(await retired()).toEqual([1])
})

test('after all workers were away for a day, nothing is removed before one of them has advanced', async () => {
  await project(sql, older)
  await append()
  await letPass(24)
  expect(await retired()).toEqual([])
  await project(sql, newer)
  expect(await retired()).toEqual([1])
})

test("a version is not removed during a worker's step", async () => {
  await letPass(13)
  await project(sql, newer)
  const step = await sql.reserve()
  await step`begin`
  await step`select 1 from checkpoints where version = 1 for update`
  expect(await retired()).toEqual([])
  await step`rollback`
  step.release()
  expect(await retired()).toEqual([1])
})

test('leftovers of a crashed rebuild are removed, but not tables of a running one or those being read', async () => {
  await sql.unsafe(`
    create schema view_tally_1_next_0a1b2c3d; create table view_tally_1_next_0a1b2c3d.tally (position bigint);
    create schema view_tally_2_old_0a1b2c3d; create table view_tally_2_old_0a1b2c3d.tally (position bigint);
    create schema view_tally_2_next_0a1b2c3d`)
  const [rebuild, backup] = [await sql.reserve(), await sql.reserve()]
  await rebuild`select pg_advisory_lock(7283111, hashtext('view_tally_1'))`
  await backup`begin`
  await backup`select * from view_tally_2_old_0a1b2c3d.tally`
  await removeUnusedTables(sql)
  expect(await schemas()).toEqual([
    'view_tally_1',
    'view_tally_1_next_0a1b2c3d',
    'view_tally_2',
    'view_tally_2_old_0a1b2c3d',
  ])
  await rebuild`select pg_advisory_unlock_all()`
  await backup`rollback`
  for (const each of [rebuild, backup]) each.release()
  await removeUnusedTables(sql)
  expect(await schemas()).toEqual(['view_tally_1', 'view_tally_2'])
})
