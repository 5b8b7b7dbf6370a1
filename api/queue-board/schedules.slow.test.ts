import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { openTestAccounts, type TestAccounts } from '../staff/test-accounts.ts'

const API = '/admin-queues/api'
/** A call takes less. */
const MARGIN_MS = 3_000

let accounts: TestAccounts

beforeAll(async () => {
  accounts = await openTestAccounts()
  await accounts.startWorker()
})

afterAll(() => accounts.stop())

type Shown = { id: string; queueName: string; next: number; nextRunJobId?: string; iterationCount: number }

const schedulers = async (): Promise<Shown[]> =>
  (await (await accounts.send('GET', `${API}/job-schedulers`)).json()).schedulers

test('schedules are shown, and go on whatever an owner removes of them', async () => {
  await eventually(async () => expect((await schedulers()).map(({ id }) => id)).toContain('requeue'))
  const before = await schedulers()
  expect(before.map(({ queueName }) => queueName)).toEqual(expect.arrayContaining(['projections', 'upkeep']))
  const requeue = await eventually(async () => {
    const found = (await schedulers()).find(({ id }) => id === 'requeue')
    if (!found?.nextRunJobId || found.iterationCount < 2) throw new Error('It has not run yet')
    // one that runs just now is refused in other words
    if (found.next < Date.now() + MARGIN_MS) throw new Error('It is about to run')
    return found
  }, 30_000)
  const nextRun = `${API}/queues/upkeep/${encodeURIComponent(requeue.nextRunJobId ?? '')}/clean`
  expect((await accounts.send('PUT', nextRun)).status).toBe(400)
  for (const queue of ['projections', 'upkeep']) {
    expect((await accounts.send('PUT', `${API}/queues/${queue}/clean/delayed`)).status).toBe(200)
    expect((await accounts.send('PUT', `${API}/queues/${queue}/promote`)).status).toBeLessThan(300)
  }
  await eventually(async () => {
    const after = await schedulers()
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    for (const { id, iterationCount } of after) {
      expect([id, iterationCount]).toEqual([id, expect.any(Number)])
      expect(iterationCount).toBeGreaterThan(before.find((each) => each.id === id)?.iterationCount ?? 0)
    }
  }, 90_000)
})
