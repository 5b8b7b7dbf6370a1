import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { connect, type Sql } from './connection.ts'

const BATCHES = 300
const BATCH_EVENTS = 8

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'plan' })
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const batch = () =>
  Array.from({ length: BATCH_EVENTS }, () => {
    const id = randomUUID()
    return `1\t${id}\t${id}\tplan-${id}\t0\tPlanned\t1\t{}\t\t\t{}\t\t`
  }).join('\n')

test('a batch reads no more of the table when the plan was made while it was empty', async () => {
  for (let count = 0; count < BATCHES; count += 1) await sql`select append_events(${batch()}, '')`
  await sql`select pg_stat_force_next_flush()`
  const [reads] = await sql<{ scanned: number; entries: number }[]>`
    select seq_tup_read::integer as scanned,
      (select sum(idx_tup_read)::integer from pg_stat_user_indexes where relname = 'events') as entries
    from pg_stat_user_tables where relname = 'events'`
  expect(reads?.scanned).toBe(0)
  expect(reads?.entries).toBeLessThan(BATCHES * BATCH_EVENTS)
})
