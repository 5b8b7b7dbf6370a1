import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../local/test-database.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { connect, type Sql } from './connection.ts'
import { migrate } from './migrate.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeEach(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
})

afterEach(async () => {
  await sql.end()
  await database.drop()
})

const appliedMigrations = () => sql`select name, checksum, applied_at from migrations order by name`
const empty = () => sql.unsafe('drop schema public cascade; create schema public')

test('twelve at once bring an empty database to the schema, each migration once', async () => {
  const template = await appliedMigrations()
  await empty()
  await Promise.all(Array.from({ length: 12 }, () => migrate(database.url)))
  const applied = await appliedMigrations()
  expect(applied.map(({ name, checksum }) => ({ name, checksum }))).toEqual(
    template.map(({ name, checksum }) => ({ name, checksum })),
  )
  expect(applied[0]).toMatchObject({ name: '0001_log.sql' })
  expect(await sql`select last_position from log_head`).toEqual([{ last_position: 0 }])
})

test('migrating again changes nothing', async () => {
  const before = await appliedMigrations()
  await migrate(database.url)
  expect(await appliedMigrations()).toEqual(before)
})

test('a migration that was edited after it had run is refused, and a later start is no different', async () => {
  await sql`update migrations set checksum = 'other' where name = '0002_staff.sql'`
  for (let start = 0; start < 2; start++) {
    await expect(migrate(database.url)).rejects.toThrow(
      'Migration 0002_staff.sql was edited after it had run: add a new one instead',
    )
  }
})

test('a migration that fails leaves nothing of itself and lets the next start try again', async () => {
  await empty()
  // 0003 makes a table of this name
  await sql`create table deliveries ()`
  await expect(migrate(database.url)).rejects.toThrow('already exists')
  expect((await appliedMigrations()).map(({ name }) => name)).toEqual(['0001_log.sql', '0002_staff.sql'])
  await sql`drop table deliveries`
  await migrate(database.url)
  expect(await sql`select from deliveries`).toEqual([])
})
