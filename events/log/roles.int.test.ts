import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rebuildProjection } from '../consumers/rebuild.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { leadsProjection } from '../lead/store/view.ts'
import { prepareProjection, project } from '../projections/projection.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { type Appender, openAppender } from './append.ts'
import { migrate } from './migrate.ts'
import { readHead } from './read.ts'
import { RUNTIME_ROLE } from './runtime-user.ts'
import { assertSchema } from './schema.ts'

const DENIED = '42501'

let database: TestDatabase
let owner: Sql
let sql: Sql
let appender: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  owner = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  sql = connect(database.runtimeUrl, { max: 2, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.runtimeUrl, { keys: TEST_KEYS })
  await appender.append(newLead(randomUUID()))
})

afterAll(async () => {
  await appender.close()
  await Promise.all([owner, sql].map((each) => each.end()))
  await database.drop()
})

test('a node appends to the log', async () => {
  const before = await readHead(sql)
  const { events } = await appender.append(newLead(randomUUID()))
  expect(events[0]?.position).toBe(before.position + 1)
})

test.each([
  'insert into events select * from events',
  "update events set data = '{}'",
  'update events set personal = null',
  'delete from events',
  'truncate events',
  'drop table events',
  'alter table events disable trigger all',
  'create trigger mine after insert on events execute function suppress_redundant_updates_trigger()',
  'create rule mine as on insert to events do instead nothing',
  'drop function append_events',
  'create or replace function append_events(batch jsonb) returns void language sql as $$ select $$',
  'alter function append_events reset all',
  'insert into subject_keys (subject_id, destroyed_at) values (gen_random_uuid(), now())',
  'update subject_keys set destroyed_at = now(), wrapped = null, ring_key = null',
  "update subject_keys set wrapped = 'another', ring_key = 'another', destroyed_at = null",
  'delete from subject_keys',
  'truncate subject_keys',
  'create or replace function destroy_keys(subjects uuid[]) returns void language sql as $$ select $$',
  'select from migrations',
  "insert into migrations (name, checksum) values ('x', 'x')",
  'delete from migrations',
  'create table public.mine ()',
  'create function public.mine() returns void language sql as $$ select $$',
])('a node may not: %s', async (statement) => {
  await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: DENIED })
})

test('a worker destroys keys, and leaves the tombstones that are there', async () => {
  const [known, unknown] = [randomUUID(), randomUUID()]
  await appender.append(newLead(known))
  const tombstones = () => owner`
    select subject_id as id, wrapped, destroyed_at from subject_keys
    where subject_id in ${owner([known, unknown])} and destroyed_at is not null order by destroyed_at`
  await destroyKeys(sql, TEST_KEYS, [known, known])
  const [first] = await tombstones()
  expect(first).toMatchObject({ id: known, wrapped: null })
  await destroyKeys(sql, TEST_KEYS, [known, unknown])
  expect(await tombstones()).toEqual([first, expect.objectContaining({ id: unknown, wrapped: null })])
})

test('a worker makes, fills, rebuilds and removes a view with its search index', async () => {
  await prepareProjection(sql, leadsProjection)
  expect((await project(sql, leadsProjection)).isFilled).toBe(false)
  const { position } = await readHead(sql)
  expect(await rebuildProjection({ databaseUrl: database.runtimeUrl, keys: TEST_KEYS }, leadsProjection)).toBe(position)
  const [held] = await owner`select count(*) as tables from pg_tables where tableowner = ${RUNTIME_ROLE}`
  expect(held?.tables).toBeGreaterThan(0)
})

test('a view that the owner created belongs to the workers after the next migration', async () => {
  await rebuildProjection({ databaseUrl: database.url, keys: TEST_KEYS }, leadsProjection)
  await expect(
    rebuildProjection({ databaseUrl: database.runtimeUrl, keys: TEST_KEYS }, leadsProjection),
  ).rejects.toMatchObject({ code: DENIED })
  await migrate(database.url)
  expect(await rebuildProjection({ databaseUrl: database.runtimeUrl, keys: TEST_KEYS }, leadsProjection)).toBe(
    (await readHead(sql)).position,
  )
})

test('every table has a line in roles.sql, and only one is out of reach', async () => {
  const rows = await owner<{ relname: string }[]>`
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not has_table_privilege(${RUNTIME_ROLE}, oid, 'select')`
  expect(rows.map(({ relname }) => relname)).toEqual(['migrations'])
})

test('no function that runs as the owner can be called by everyone, or use tables of its caller', async () => {
  const open = await owner`
    select proname from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef and (
      has_function_privilege('public', oid, 'execute')
      or not coalesce(proconfig @> array['search_path=pg_catalog, public, pg_temp'], false)
    )`
  expect(open).toEqual([])
  const elevated = await owner<{ proname: string }[]>`
    select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by proname`
  expect(elevated.map(({ proname }) => proname)).toContain('append_events')
})

test('a start as the owner warns that events are unprotected, and of nothing else', async () => {
  expect(await assertSchema(sql)).toEqual([])
  expect(await assertSchema(owner)).toEqual([expect.stringContaining('only discipline protects the log')])
})
