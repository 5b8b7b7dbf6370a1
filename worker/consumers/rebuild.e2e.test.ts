import { expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { startTestRebuilds } from '../testing/rebuilds.ts'

const { workers, rebuildByCommand, dropView, isFilled, tables, halfTables, holdUp, isUnderWay } =
  await startTestRebuilds()

test('the command rebuilds a view while the old tables serve', async () => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await isUnderWay()
  expect(await tables()).toBe(before)
  await release()
  const { status, out, err } = await command
  expect([status, err]).toEqual([0, ''])
  expect(out).toMatch(/^leads \d+: rebuilt from 20 events in [\d.]+ s\n$/)
  expect(await tables()).not.toBe(before)
  await isFilled()
})

test('a missing view whose worker is killed is filled by another one, which leaves no half tables', async () => {
  await dropView()
  const release = await holdUp()
  await workers.start()
  await isUnderWay()
  const [half] = await halfTables()
  await workers.start()
  await workers.kill()
  await release()
  await isFilled()
  expect(half).toBeDefined()
  await eventually(async () => expect(await halfTables()).toEqual([]))
})

test('without Redis a worker fills a missing view', async () => {
  await workers.start()
  await workers.redis.refuse()
  await dropView()
  await isFilled()
})
