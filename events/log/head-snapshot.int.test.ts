import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { postMessage } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { type Appender, openAppender } from './append.ts'

const BATCHES = 400
/** The index from its root to a leaf, and the row; a chain of dead versions would take a page for every few batches. */
const MAX_PAGES = 6

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

/** The number of pages that a look-up of the head touches. */
const pagesOfHead = async () => {
  const rows = await sql<{ 'QUERY PLAN': string }[]>`
    explain (analyze, buffers, costs off, timing off, summary off)
    select position, hash from events order by position desc limit 1`
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  const [, hit = '0'] = /hit=(\d+)/.exec(text) ?? []
  return Number(hit)
}

test('the head costs the same however many batches commit under a snapshot that stays open, as that of a backup', async () => {
  const session = randomUUID()
  const append = async (batches: number) => {
    for (let count = 0; count < batches; count += 1) await appender.append(postMessage(session, 'meanwhile'))
    return await pagesOfHead()
  }
  const snapshot = await sql.reserve()
  try {
    await snapshot`begin transaction isolation level repeatable read`
    await snapshot`select count(*) from events`
    expect(await append(BATCHES)).toBeLessThanOrEqual(MAX_PAGES)
    expect(await append(3 * BATCHES)).toBeLessThanOrEqual(MAX_PAGES)
  } finally {
    await snapshot`rollback`
    snapshot.release()
  }
})
