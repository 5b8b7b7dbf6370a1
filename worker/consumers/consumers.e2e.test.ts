import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { rebuildProjection } from '../../events/consumers/rebuild.ts'
import { CONSUMERS } from '../../events/consumers/registry.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { readCheckpoint } from '../../events/log/checkpoints.ts'
import { readHead } from '../../events/log/read.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { newLead } from '../../events/testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestWorkers, type TestWorkers } from '../testing/workers.ts'

const VIEW = schemaOf(leadsProjection)

let workers: TestWorkers
let sql: Sql
let queue: TestWorkers['queue']

beforeAll(async () => {
  workers = await openTestWorkers()
  sql = workers.sql
  queue = workers.queue
})

afterEach(() => workers.reset())

afterAll(() => workers.close())

const submit = (count = 1) =>
  Promise.all(Array.from({ length: count }, () => workers.log.append(newLead(randomUUID(), { name: 'Ana Botha' }))))
const areAtHead = (timeoutMs?: number) =>
  eventually(async () => {
    const { position } = await readHead(sql)
    for (const consumer of CONSUMERS) expect(await readCheckpoint(sql, consumer)).toMatchObject({ position })
  }, timeoutMs)
const rows = () => sql.unsafe(`select * from ${VIEW}.leads order by id`)
/** Whether the view equals a fill from the first event: no event was left out or taken in twice. */
const isExact = async () => {
  const kept = (await rows()).map(({ position: _, ...row }) => row)
  await rebuildProjection({ databaseUrl: workers.database.runtimeUrl, keys: TEST_KEYS }, leadsProjection)
  expect((await rows()).map(({ position: _, ...row }) => row)).toEqual(kept)
}

test('without Redis the views follow by the clock of the worker, and by jobs once it is back', async () => {
  await workers.start(1)
  await workers.redis.refuse()
  await submit(10)
  await eventually(async () => {
    const { position } = await readHead(sql)
    expect(await readCheckpoint(sql, leadsProjection)).toMatchObject({ position })
  })
  await workers.redis.resume()
  await areAtHead(60_000)
  await isExact()
})

test('jobs that are removed by hand, waiting or for ever, delay nothing', async () => {
  await workers.start(2)
  await queue.obliterate({ force: true })
  await submit(10)
  await areAtHead()
  for (const { key } of await queue.getJobSchedulers()) await queue.removeJobScheduler(key)
  await submit(10)
  await areAtHead()
  await eventually(async () => expect(await queue.getJobScheduler('requeue')).toBeDefined())
  await isExact()
})
