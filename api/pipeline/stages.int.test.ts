import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type FollowUp, leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { forecastOf } from '../../events/lead/screens/pipeline.ts'
import { overviewProjection } from '../../events/lead/store/overview.ts'
import { prepareProjection, project } from '../../events/projections/projection.ts'
import { newLead } from '../../events/testing/fixtures/samples.ts'
import { openOwnLog } from '../../events/testing/own-log.ts'
import { readStages } from './stages.ts'

const { sql, log: appender } = await openOwnLog()

beforeAll(async () => {
  await prepareProjection(sql, overviewProjection)
})

const lead = async (...changes: FollowUp[]) => {
  const id = randomUUID()
  await appender.append(newLead(id))
  for (const change of changes) {
    const events = [{ id: randomUUID(), ...leadFollowUpChanged({ ...change, by: randomUUID() }) }] as const
    await appender.append({ stream: leadStreams.of(id), expectedVersion: 'any', events: [...events] })
  }
}

test('each stage has its current leads, and the value of those that have one', async () => {
  await lead()
  await lead({ followUpStatus: 'contacted' }, { followUpStatus: 'quoted', projectValue: 1_000 })
  await lead({ followUpStatus: 'quoted', projectValue: 500.5 }, { projectValue: 3_000.5 })
  await lead({ followUpStatus: 'quoted' })
  await lead({ followUpStatus: 'won', projectValue: 2_000, conversionDate: new Date().toISOString() })
  await lead({ followUpStatus: 'lost', projectValue: 9_000 })
  while ((await project(sql, overviewProjection)).hasMore);
  const stages = await readStages(sql, new Date(Date.now() - 60_000))
  expect(stages).toEqual([
    { status: 'new', leads: 1, valued: 0, value: 0 },
    { status: 'contacted', leads: 0, valued: 0, value: 0 },
    { status: 'quoted', leads: 3, valued: 2, value: 4_000.5 },
    { status: 'won', leads: 1, valued: 1, value: 2_000 },
    { status: 'lost', leads: 1, valued: 1, value: 9_000 },
  ])
  expect(forecastOf(stages)).toBe(4_000.25)
  expect((await readStages(sql, new Date(Date.now() + 60_000))).every(({ leads }) => leads === 0)).toBe(true)
})
