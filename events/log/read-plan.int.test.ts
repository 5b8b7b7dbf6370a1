import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newLead } from '../fixtures/samples.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { openAppender } from './append.ts'
import { connect } from './connection.ts'
import { readDeclared } from './read.ts'

const LEADS = 1_000
const OTHER_KEYS = 20_000
const BATCH_EVENTS = 500

test('a batch reads the keys of its own subjects, however many keys there are', async () => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1, name: 'plan', keys: TEST_KEYS })
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  await Promise.all(Array.from({ length: LEADS }, () => appender.append(newLead(randomUUID()))))
  await sql`insert into subject_keys (subject_id, destroyed_at) select gen_random_uuid(), now() from generate_series(1, ${OTHER_KEYS})`
  await sql`analyze events`
  await sql`analyze subject_keys`
  await sql`select pg_stat_reset_single_table_counters('subject_keys'::regclass)`
  for (let position = 0; position < LEADS; position += BATCH_EVENTS) {
    await readDeclared(sql, position, BATCH_EVENTS, { types: ['LeadSubmitted'] })
  }
  await sql`select pg_stat_force_next_flush()`
  const [reads] = await sql<{ scanned: number; fetched: number }[]>`
    select seq_tup_read::integer as scanned, idx_tup_fetch::integer as fetched
    from pg_stat_user_tables where relname = 'subject_keys'`
  expect(reads).toEqual({ scanned: 0, fetched: LEADS })
  await Promise.all([appender.close(), sql.end()])
  await database.drop()
})
