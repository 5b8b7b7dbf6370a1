import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { openAppender } from './append.ts'

const APPENDS = 40
/** Compiling takes a hundred times as long as an append; the noise of a machine far less. */
const MOST_TIMES = 4

let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** How long the fastest appends took, one by one, on connections that begin with this setting. */
const typicalAppendMs = async (jit: 'on' | 'off') => {
  const url = new URL(database.runtimeUrl)
  url.searchParams.set('jit', jit)
  const appender = openAppender(url.href, { keys: TEST_KEYS })
  const times: number[] = []
  for (let count = 0; count < APPENDS; count += 1) {
    const began = performance.now()
    await appender.append(newLead(randomUUID()))
    times.push(performance.now() - began)
  }
  await appender.close()
  return times.toSorted((one, other) => one - other)[APPENDS / 2] ?? 0
}

test('no statement of an append is compiled just in time, even if Postgres can', async () => {
  const [without, withJit] = [await typicalAppendMs('off'), await typicalAppendMs('on')]
  const [server] = await sql<{ version: string; canCompile: boolean }[]>`
    select current_setting('server_version') as version, pg_jit_available() as "canCompile"`
  const told = `Postgres ${server?.version}, just-in-time compiler: ${server?.canCompile ? 'yes' : 'none'}`
  expect(withJit, told).toBeLessThan(without * MOST_TIMES)
})
