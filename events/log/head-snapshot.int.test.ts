import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postMessage } from '../fixtures/samples.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { type Appender, openAppender } from './append.ts'
import { connect, type Sql } from './connection.ts'

const BATCHES = 1_500

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  appender = openAppender(database.url, { keys: TEST_KEYS, batchesInFlight: 1 })
})

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

/** How many pages a look-up of the head touches. */
const pagesOfHead = async () => {
  const rows = await sql<{ 'QUERY PLAN': string }[]>`
    explain (analyze, buffers, costs off, timing off, summary off)
    select position, hash from events order by position desc limit 1`
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  return [...text.matchAll(/(?:hit|read)=(\d+)/g)].slice(0, 2).reduce((sum, [, pages]) => sum + Number(pages), 0)
}

test('the head costs the same however many batches commit under a snapshot that stays open, as that of a backup', async () => {
  const session = randomUUID()
  for (let count = 0; count < 50; count += 1) await appender.append(postMessage(session, 'before'))
  const snapshot = await sql.reserve()
  await snapshot`begin transaction isolation level repeatable read`
  await snapshot`select count(*) from events`
  const before = await pagesOfHead()
  for (let count = 0; count < BATCHES; count += 1) await appender.append(postMessage(session, 'meanwhile'))
  expect(await pagesOfHead()).toBeLessThanOrEqual(before + 1)
  await snapshot`rollback`
  snapshot.release()
})
