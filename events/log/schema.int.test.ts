import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'
import { assertSchema, SchemaError } from './schema.ts'

let database: TestDatabase
let owner: Sql
let sql: Sql

beforeEach(async () => {
  database = await createTestDatabase()
  owner = connect(database.url, { max: 1, name: 'test' })
  sql = connect(database.runtimeUrl, { max: 1, name: 'test' })
})

afterEach(async () => {
  await Promise.all([owner, sql].map((each) => each.end()))
  await database.drop()
})

const everything = () =>
  owner`select c.oid::regclass::text as name, c.relacl::text as rights, m.applied_at
    from pg_class c left join migrations m on m.name = c.relname where c.relnamespace = 'public'::regnamespace order by 1`

test('a migrated database is accepted, and left as it is', async () => {
  const before = await everything()
  expect(await assertSchema(sql)).toEqual([])
  expect(await everything()).toEqual(before)
})

test('an older database is refused with a line that names the command to run', async () => {
  await owner`delete from migrations where name = '0002_schema.sql'`
  await expect(assertSchema(sql)).rejects.toThrow(
    new SchemaError(
      'The database is older than this code (not migrated: 1, the first 0002_schema.sql): run npm run migrate',
    ),
  )
})

test('an empty database is refused in the same way', async () => {
  await owner.unsafe('drop schema public cascade; create schema public')
  await expect(assertSchema(owner)).rejects.toThrow(SchemaError)
})

test('a process that may wait continues once the migration has run', async () => {
  await owner.unsafe('drop schema public cascade; create schema public')
  const waiting = assertSchema(sql, { waitMs: 30_000 })
  await migrate(database.url)
  expect(await waiting).toEqual([])
})

test('a newer database is accepted and named, as after a rollback', async () => {
  await owner`insert into migrations (name, checksum) values ('7001_later.sql', 'x')`
  expect(await assertSchema(sql)).toEqual(['The database is newer than this code (it has 7001_later.sql): going on'])
  await migrate(database.url)
})
