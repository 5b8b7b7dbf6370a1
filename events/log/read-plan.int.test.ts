import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadStreams } from '../lead/lead.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { openAppender } from './append.ts'
import { hasBegunAfter, hasEventAfter, readDeclared, readNewest, readParts, readStreams } from './read.ts'

const LEADS = 1_000
const OTHER_KEYS = 20_000
const BATCH_EVENTS = 500

const ids = Array.from({ length: LEADS }, () => randomUUID())
let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'plan', keys: TEST_KEYS })
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  await Promise.all(ids.map((id) => appender.append(newLead(id))))
  // closed, because the reads of its connections would be counted later
  await appender.close()
  await sql`insert into subject_keys (subject_id, destroyed_at) select gen_random_uuid(), now() from generate_series(1, ${OTHER_KEYS})`
  await sql`analyze subject_keys`
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** The reads of a table until now: rows read in sequence, and rows by an index. */
const countersOf = async (table: string) => {
  await sql`select pg_stat_force_next_flush()`
  const [counters] = await sql<{ scanned: number; fetched: number }[]>`
    select seq_tup_read::integer as scanned, idx_tup_fetch::integer as fetched
    from pg_stat_user_tables where relname = ${table}`
  return counters ?? { scanned: 0, fetched: 0 }
}

/** The number of rows of a table that some work reads. */
const readsOf = async (table: string, work: () => Promise<unknown>) => {
  const before = await countersOf(table)
  await work()
  const after = await countersOf(table)
  return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched }
}

test('some streams of a log that was never analysed are read by index, however few events are requested', async () => {
  const [lead = '', another = ''] = ids
  const streams = [leadStreams.of(lead), leadStreams.of(randomUUID())]
  const reads = await readsOf('events', async () => {
    expect(await readStreams(sql, streams, { limit: 7 })).toHaveLength(1)
    expect(await readNewest(sql, leadStreams.of(another), { limit: 7, types: ['LeadSubmitted'] })).toHaveLength(1)
    const parts = streams.map((stream) => ({ stream, limit: 5 }))
    expect(await readParts(sql, parts, 'newest')).toHaveLength(1)
    expect(await readParts(sql, parts, 'oldest')).toHaveLength(1)
  })
  expect(reads.scanned).toBe(0)
  // one row for each of the four, and a few that the planner reads to find the end of the log
  expect(reads.fetched).toBeLessThan(10)
})

test('whether some of many streams have continued or begun is looked up stream by stream', async () => {
  const streams = ids.slice(0, 100).map((id) => leadStreams.of(id))
  const reads = await readsOf('events', async () => {
    for (const position of [0, LEADS]) {
      expect(await hasEventAfter(sql, streams, { position })).toBe(position === 0)
      expect(await hasBegunAfter(sql, streams, position)).toBe(position === 0)
      expect(await hasEventAfter(sql, streams, { position, type: 'LeadCorrected' })).toBe(false)
    }
  })
  expect(reads.scanned).toBe(0)
  // if there is none, one row of each stream, by all three; of a type at each position
  expect(reads.fetched).toBeLessThan(4 * streams.length + 20)
})

test('a batch reads the keys of its own subjects, however many keys there are', async () => {
  await sql`analyze events`
  const reads = await readsOf('subject_keys', async () => {
    for (let position = 0; position < LEADS; position += BATCH_EVENTS) {
      await readDeclared(sql, position, BATCH_EVENTS, { types: ['LeadSubmitted'] })
    }
  })
  expect(reads).toEqual({ scanned: 0, fetched: LEADS })
})
