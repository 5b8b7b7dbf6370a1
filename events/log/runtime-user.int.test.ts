import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalService, startPostgres } from '../local/postgres.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { withDatabase } from '../testing/database.ts'
import { makeTestFolder } from '../testing/folders.ts'
import { installedPostgres } from '../testing/services-kind.ts'
import { migrate } from './migrate.ts'
import { assertSchema } from './schema.ts'

// Roles are of a whole cluster: one of its own, on which none has been made yet.
let dataDir: string
let postgres: LocalService
let admin: Sql

beforeAll(async () => {
  dataDir = makeTestFolder()
  postgres = await startPostgres({ dataDir, installed: installedPostgres })
  admin = connect(postgres.url, { max: 1, name: 'test' })
})

afterAll(async () => {
  await admin.end()
  await postgres.stop()
  rmSync(dataDir, { recursive: true })
})

/** An address of a database of the cluster. */
const address = (name: string, user: string, password = 'secret') => {
  const url = new URL(withDatabase(postgres.url, name))
  Object.assign(url, { username: user, password })
  return url.href
}
const use = async <T>(url: string, work: (sql: Sql) => Promise<T>) => {
  const sql = connect(url, { max: 1, name: 'test' })
  return await work(sql).finally(() => sql.end())
}

test('an owner who may not create roles migrates all the same, as the only user', async () => {
  await admin.unsafe("create role plain login password 'secret'; create role maker login createrole password 'secret'")
  await admin`create database plain owner plain`
  const url = address('plain', 'plain')
  await migrate(url, { runtimeUrl: url })
  expect(await use(url, (sql) => assertSchema(sql))).toEqual([expect.stringContaining('only discipline')])
})

test('databases of one cluster that are migrated at once share the roles', async () => {
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) await admin`create database ${admin(name)}`
  await Promise.all(
    names.map((name) => migrate(withDatabase(postgres.url, name), { runtimeUrl: address(name, 'agency') })),
  )
  for (const name of names) {
    expect(await use(address(name, 'agency'), (sql) => assertSchema(sql))).toEqual([])
  }
})

test('the user’s password follows that of the address, and does not change without need', async () => {
  const secret = async () => (await admin`select rolpassword from pg_authid where rolname = 'agency'`)[0]?.rolpassword
  const before = await secret()
  await migrate(withDatabase(postgres.url, 'one'), { runtimeUrl: address('one', 'agency') })
  expect(await secret()).toBe(before)
  await migrate(withDatabase(postgres.url, 'one'), { runtimeUrl: address('one', 'agency', 'an%20other%25') })
  await use(address('one', 'agency', 'an%20other%25'), (sql) => sql`select 1`)
  await expect(use(address('one', 'agency'), (sql) => sql`select 1`)).rejects.toMatchObject({ code: '28P01' })
})

test('an owner who may create roles makes the user without being a superuser', async () => {
  await admin.unsafe('grant agency_runtime to maker with admin option')
  await admin`create database made owner maker`
  await migrate(address('made', 'maker'), { runtimeUrl: address('made', 'made_app') })
  await use(address('made', 'made_app'), async (sql) => {
    expect(await assertSchema(sql)).toEqual([])
    const [session] = await sql`select session_user::text, current_user::text, current_setting('lock_timeout') as lock`
    expect(session).toEqual({ session_user: 'made_app', current_user: 'agency_runtime', lock: '10s' })
  })
})
