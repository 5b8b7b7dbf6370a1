import { expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { startTestRebuilds } from './test-rebuilds.ts'

const { workers, leads, rebuildByCommand, dropView, isFilled, tables, halfTables, holdUp, isUnderWay, rebuildJob } =
  await startTestRebuilds()

test('the command has a worker rebuild a view, whose job tells how far it is', async () => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await eventually(async () => expect((await rebuildJob())?.progress).toMatchObject({ position: leads, head: leads }))
  expect(await tables()).toBe(before)
  await release()
  const { status, out, err } = await command
  expect([status, err]).toEqual([0, ''])
  expect(out).toMatch(/^leads \d+: rebuilt from 20 events in [\d.]+ s\n$/)
  expect(await tables()).not.toBe(before)
  await isFilled()
})

test('a rebuild whose worker is killed goes on in another one, and leaves no half tables', async () => {
  await workers.start()
  await isFilled()
  const before = await tables()
  const release = await holdUp()
  const command = rebuildByCommand()
  await isUnderWay()
  const [half] = await halfTables()
  await workers.kill()
  await release()
  await workers.start()
  const { status, out, err } = await command
  expect([status, err]).toEqual([0, ''])
  expect(out).toContain('rebuilt from 20 events')
  expect(await tables()).not.toBe(before)
  expect(await halfTables()).toEqual([])
  expect(half).toBeDefined()
  await isFilled()
})

test.each([
  ['without a worker', async () => {}],
  ['without Redis', () => workers.redis.refuse()],
])('%s the command rebuilds the view by itself, and says so', async (_, breakIt) => {
  await breakIt()
  const before = await tables()
  const { status, out, err } = await rebuildByCommand()
  expect([status, err]).toEqual([0, 'No worker rebuilds leads: it is done here\n'])
  expect(out).toContain('rebuilt from 20 events')
  expect(await tables()).not.toBe(before)
  expect(await rebuildJob()).toBeUndefined()
})

test('without Redis a worker fills the view that lacks by itself', async () => {
  await workers.start()
  await workers.redis.refuse()
  await dropView()
  await isFilled()
})
