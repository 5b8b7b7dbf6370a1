import { expect, test } from 'vitest'
import { leadsProjection } from '../../events/projections/leads.ts'
import { askForRebuild } from '../../events/projections/wake-ups.ts'
import { eventually } from '../../events/testing/node.ts'
import { startTestRebuilds } from './test-rebuilds.ts'

const { workers, queue, rebuildByCommand, dropView, isFilled, tables, halfTables, holdUp, isUnderWay, rebuildJob } =
  await startTestRebuilds()

test('a worker that is asked to stop hands its rebuild on at once', async () => {
  const worker = await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  await askForRebuild(queue, leadsProjection)
  await isUnderWay()
  await workers.start()
  await workers.stop(worker)
  await release()
  await eventually(async () => expect(await tables()).not.toBe(before))
  await eventually(async () => expect(await halfTables()).toEqual([]))
})

test.each([
  ['emptied', () => workers.direct.flushdb()],
  ['killed, and empty once it is back,', () => workers.loseRedis()],
])('Redis %s in the midst of a rebuild: the command sees to it that the view is rebuilt', async (_, lose) => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await isUnderWay()
  await lose()
  await release()
  const { status, out, err } = await command
  expect(status).toBe(0)
  expect(err).toMatch(/^(No worker rebuilds leads: it is done here\n)?$/)
  expect(out).toContain('rebuilt from 20 events')
  expect(await tables()).not.toBe(before)
  await isFilled()
})

test('a view that lacks is filled by one of two workers, even where its job is removed by hand', async () => {
  await dropView()
  await queue.pause()
  await workers.start(2)
  // a worker looks by itself while no job comes
  const job = await eventually(async () => (await rebuildJob()) ?? expect.fail('no rebuild is asked for'))
  await job.remove()
  await eventually(async () => expect((await rebuildJob())?.id).not.toBe(job.id))
  await queue.resume()
  await isFilled()
  await eventually(async () => expect(await halfTables()).toEqual([]))
})
