import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
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

beforeAll(async () => {
  workers = await openTestWorkers()
  sql = workers.sql
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

test.each([2, 5])(
  '%i workers process each event once, while some are killed and Redis is killed and emptied',
  async (count) => {
    await workers.start(count)
    for (let round = 0; round < 3; round += 1) {
      const submitting = submit(100)
      await delay(20 * round) // a fault at another point of the work in each round
      if (round % 2 === 0) await workers.direct.flushdb()
      else await workers.loseRedis(() => delay(200))
      if (round > 0) await workers.kill()
      await submitting
      if (workers.running.size === 0) await workers.start()
    }
    await areAtHead(60_000)
    await isExact()
  },
)
