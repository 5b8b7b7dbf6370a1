import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrations.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let folder: URL

beforeEach(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test' })
  folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'migrations-'))}/`)
})

afterEach(async () => {
  await sql.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const appliedMigrations = () => sql`select name, checksum, applied_at from migrations order by name`
const empty = () => sql.unsafe('drop schema public cascade; create schema public')
/** Adds a migration to those of this test. */
const add = (name: string, text: string) => writeFileSync(new URL(name, folder), text)
const waiting = async () => {
  const rows = await sql<{ query: string }[]>`
    select query from pg_stat_activity
    where datname = current_database() and application_name = 'migrate' and wait_event_type = 'Lock'`
  return rows.map(({ query }) => query)
}
/** Holds a lock on events until it is released. */
const hold = async (mode: string) => {
  const tx = await sql.reserve()
  await tx`begin`
  await tx.unsafe(`lock table events in ${mode} mode`)
  return async () => {
    await tx`commit`
    tx.release()
  }
}

test('twelve concurrent processes bring an empty database to the schema, each migration once', async () => {
  const template = await appliedMigrations()
  await empty()
  await Promise.all(Array.from({ length: 12 }, () => migrate(database.url)))
  const applied = await appliedMigrations()
  expect(applied.map(({ name, checksum }) => ({ name, checksum }))).toEqual(
    template.map(({ name, checksum }) => ({ name, checksum })),
  )
  expect(applied[0]).toMatchObject({ name: '0001_keys.sql' })
  expect(await sql`select from events`).toEqual([])
})

test('migrating again changes nothing', async () => {
  const before = await appliedMigrations()
  await migrate(database.url)
  expect(await appliedMigrations()).toEqual(before)
})

test('a migration that was edited after it had run is refused, and a later start is no different', async () => {
  await sql`update migrations set checksum = 'other' where name = '0002_schema.sql'`
  for (let start = 0; start < 2; start++) {
    await expect(migrate(database.url)).rejects.toThrow(
      'Migration 0002_schema.sql was edited after it had run: add a new one instead',
    )
  }
})

test('a failed migration leaves nothing behind, and the next attempt continues from there', async () => {
  add('1_first.sql', 'create table first ()')
  add('2_second.sql', 'create table second (); create table third ()')
  await sql`create table third ()`
  await expect(migrate(database.url, { folder })).rejects.toThrow('already exists')
  expect(await sql`select to_regclass('first') is not null as first, to_regclass('second') as second`).toEqual([
    { first: true, second: null },
  ])
  await sql`drop table third`
  await migrate(database.url, { folder })
  expect((await appliedMigrations()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['1_first.sql', '2_second.sql']),
  )
})

test('a migration gives up on a table in use, and tries again later', async () => {
  add('1_wider.sql', 'alter table events add column wider integer')
  const release = await hold('access share')
  const lines: string[] = []
  const migrating = migrate(database.url, { folder, print: (line) => lines.push(line) })
  await vi.waitFor(() => expect(lines).toEqual([expect.stringMatching(/lock timeout.*trying again in 0\.2 s/)]), 20_000)
  await release()
  await migrating
  expect(await sql`select wider from events`).toEqual([])
})

test('a process that waits for another migration gives up after a while', async () => {
  add('1_wider.sql', 'alter table events add column wider integer')
  const release = await hold('access share')
  const first = migrate(database.url, { folder })
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(1))
  await expect(migrate(database.url, { folder, turnTimeoutMs: 300 })).rejects.toThrow(
    'Another process has been migrating this database for 0.3 s: try again later',
  )
  await release()
  await first
})

test('statements without a transaction are repeated after a crash between them, and a broken index is made again', async () => {
  add(
    '1_indexes.sql',
    `-- no transaction
create table if not exists counted (number integer);
insert into counted values (1);
-- the events of a type
create index concurrently if not exists events_type
  on events (type);
insert into counted values (2);
`,
  )
  const release = await hold('row exclusive')
  const crashing = migrate(database.url, { folder })
  await vi.waitFor(async () => expect(await waiting()).toEqual([expect.stringContaining('events_type')]))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'migrate'`
  await vi.waitFor(async () => expect(await waiting()).toEqual([expect.stringContaining('drop index')]), 20_000)
  await release()
  await crashing
  expect(await sql`select number from counted order by number`).toEqual([{ number: 1 }, { number: 1 }, { number: 2 }])
  expect(await sql`select indisvalid from pg_index where indexrelid = 'events_type'::regclass`).toEqual([
    { indisvalid: true },
  ])
  await migrate(database.url, { folder })
  expect(await sql`select number from counted`).toHaveLength(3)
})

test('a file that runs every time runs last, edited or not', async () => {
  add('1_always.sql', '-- every time\ncreate table if not exists seen (edition integer); insert into seen values (1)')
  add('2_once.sql', 'create table once ()')
  await migrate(database.url, { folder })
  add('1_always.sql', '-- every time\ninsert into seen values (2)')
  await migrate(database.url, { folder })
  expect(await sql`select edition from seen order by 1`).toEqual([{ edition: 1 }, { edition: 2 }])
  expect((await readMigrations(folder)).map(({ name }) => name)).toEqual(['2_once.sql', '1_always.sql'])
})
