import { expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { startTestRebuilds } from '../testing/rebuilds.ts'

const { workers, dropView, isFilled, halfTables, holdUp, isUnderWay } = await startTestRebuilds()

test('a worker that is asked to stop leaves the view that it fills to another one', async () => {
  await dropView()
  const release = await holdUp()
  const worker = await workers.start()
  await isUnderWay()
  await workers.start()
  await workers.stop(worker)
  await release()
  await isFilled()
  await eventually(async () => expect(await halfTables()).toEqual([]))
})

test.each([
  ['emptied', () => workers.direct.flushdb()],
  ['killed, and empty once it is back,', () => workers.loseRedis()],
])('Redis %s while one of two workers fills a missing view: it is filled', async (_, lose) => {
  await dropView()
  const release = await holdUp()
  await workers.start(2)
  await isUnderWay()
  await lose()
  await release()
  await isFilled()
  await eventually(async () => expect(await halfTables()).toEqual([]))
})
