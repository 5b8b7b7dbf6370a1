import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { connect, type Sql } from './connection.ts'

const BATCHES = 300

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

// a database for each test: the plans are made while the log is empty
beforeEach(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'plan' })
})

afterEach(async () => {
  await sql.end()
  await database.drop()
})

/** An event for each of some streams. `expected` is the version that each has to be at; empty for any. */
const batchFor = (streams: string[], expected: string) =>
  streams
    .map((stream) => {
      const id = randomUUID()
      return `1\t${id}\t${id}\t${stream}\t${expected}\tPlanned\t1\t{}\t\t\t{}\t\t`
    })
    .join('\n')

const streamsOf = (size: number) => Array.from({ length: size }, () => `plan-${randomUUID()}`)

const append = async (batch: string) => {
  const [answer] = await sql<{ outcome: string; versions: string }[]>`
    select outcome, versions from append_events(${batch}, '')`
  expect(answer?.outcome).toBe('whole')
  return answer?.versions
}

const readsOfLog = async () => {
  await sql`select pg_stat_force_next_flush()`
  const [reads] = await sql<{ scanned: number; entries: number }[]>`
    select seq_tup_read::integer as scanned,
      (select sum(idx_tup_read)::integer from pg_stat_user_indexes where relname = 'events') as entries
    from pg_stat_user_tables where relname = 'events'`
  return reads
}

/** Up to three events are inserted one by one, more of them together. */
const SIZES = [1, 3, 8]

test.each(SIZES)(
  'a batch of %i for new streams reads one event, though its plans are of an empty log',
  async (size) => {
    for (let count = 0; count < BATCHES; count += 1) await append(batchFor(streamsOf(size), '0'))
    const reads = await readsOfLog()
    expect(reads?.scanned).toBe(0)
    expect(reads?.entries).toBeLessThanOrEqual(BATCHES)
  },
)

test.each(SIZES)('a batch of %i for streams that are there reads one event more for each of them', async (size) => {
  const streams = streamsOf(size)
  for (let version = 1; version <= BATCHES; version += 1) {
    expect(await append(batchFor(streams, ''))).toBe(streams.map(() => version).join(' '))
  }
  const reads = await readsOfLog()
  expect(reads?.scanned).toBe(0)
  expect(reads?.entries).toBeLessThanOrEqual(BATCHES * (1 + size))
})
