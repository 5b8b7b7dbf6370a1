import { expect, test } from 'vitest'
import { connect } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { startTestWorker } from '../../events/testing/node.ts'

// That a worker does not end because Postgres or Redis is away is in patience.slow.test.ts.

test('a worker whose consumer cannot continue ends with status 1 and a line with its name, position and reason', async () => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1, name: 'test' })
  // as if the event before it had been removed
  await sql`
    insert into events (position, id, stream, version, type, schema_version, data, metadata, recorded_at, hash)
    select last_position + 2, gen_random_uuid(), 'lead-none', 1, 'LeadErased', 1, '{}', '{}', now(), '' from log_head`
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  const worker = await startTestWorker(stores, { PATIENCE_MS: '1000' }, 'worker/testing/impatient-worker.cli.ts')
  const { status } = await worker.ended
  expect(status).toBe(1)
  const ending =
    /^The worker ends, to be started again: \w+ \(version \d+\) has not come past position (\d+) of the log for [\d.]+ minutes: The log has no event (\d+): /m
  const [, position, missing] = ending.exec(worker.printed()) ?? []
  expect(Number(missing)).toBe(Number(position) + 1)
  await sql.end()
  await database.drop()
})
