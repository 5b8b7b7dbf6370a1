import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'

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

/** The nth event of a batch for a stream. `expected` is the version that the stream has to be at; empty for any. */
const lineFor = (stream: string, expected: string, nth = 1) => {
  const id = randomUUID()
  return `${nth}\t${id}\t${id}\t${stream}\t${expected}\tPlanned\t1\t{}\t\t\t{}\t\t`
}

/** An event for each of some streams. */
const batchFor = (streams: string[], expected: string) => streams.map((stream) => lineFor(stream, expected)).join('\n')

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

test.each(SIZES)('a batch of %i for existing streams reads one more event for each of them', async (size) => {
  const streams = streamsOf(size)
  for (let version = 1; version <= BATCHES; version += 1) {
    expect(await append(batchFor(streams, ''))).toBe(streams.map(() => version).join(' '))
  }
  const reads = await readsOfLog()
  expect(reads?.scanned).toBe(0)
  expect(reads?.entries).toBeLessThanOrEqual(BATCHES * (1 + size))
})

/** With two events per stream, a plan that reads a whole stream looks cheap. */
const OTHERS = 3_000
/** The streams that events are appended to, beyond those that the plans are made for. */
const LENGTHS = [1, 100, 10_000]
const APPENDS = 20

test('an append to a stream of 10,000 events reads as little as to one of 1, by plans of a filled log', async () => {
  const others = streamsOf(OTHERS)
  for (let events = 0; events < 2; events += 1) await append(batchFor(others, ''))
  await sql`vacuum analyze events`
  const streams = LENGTHS.map((length) => ({ stream: `plan-${randomUUID()}`, length }))
  for (const { stream, length } of streams) {
    await append(Array.from({ length }, (_, index) => lineFor(stream, '', index + 1)).join('\n'))
  }
  for (const { stream } of streams) {
    await sql.end()
    sql = connect(database.url, { max: 1, name: 'plan' })
    const before = await readsOfLog()
    for (let count = 0; count < APPENDS; count += 1) await append(batchFor([stream], ''))
    const after = await readsOfLog()
    expect(after?.scanned).toBe(before?.scanned)
    expect((after?.entries ?? 0) - (before?.entries ?? 0)).toBeLessThanOrEqual(3 * APPENDS)
  }
})
