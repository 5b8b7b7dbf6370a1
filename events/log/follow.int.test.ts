import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { openFaultProxy } from '../local/fault-proxy.ts'
import { testRedisUrl } from '../local/test-database.ts'
import { type Bus, openBus } from './bus.ts'
import { type Follower, follow, LOG_CHANNEL, retryDelayMs } from './follow.ts'
import { LogIntegrityError } from './read.ts'

const POLL_MS = 1_000
const WAIT = { timeout: 30_000, interval: 2 }

const toClose: (() => unknown)[] = []

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

const startBus = async (redisUrl: string, prefix = `test-${randomUUID()}:`): Promise<Bus> => {
  const bus = openBus(redisUrl, { prefix, onError: () => {} })
  toClose.push(() => bus.close())
  return bus
}

const upBus = async (redisUrl: string, prefix?: string) => {
  const bus = await startBus(redisUrl, prefix)
  await vi.waitFor(() => expect(bus.isUp).toBe(true), WAIT)
  return bus
}

/** A bus that never comes up: nothing listens at its address. */
const downBus = async () => {
  const proxy = await openFaultProxy(await testRedisUrl())
  await proxy.refuse()
  toClose.push(() => proxy.close())
  return await startBus(proxy.url)
}

/** Follows with a step that notes when it ran and does what `behave` says. */
const startFollower = (
  bus: Bus,
  behave: (call: number, signal: AbortSignal) => boolean | Promise<boolean> = () => false,
) => {
  const calls: number[] = []
  const errors: unknown[] = []
  const follower: Follower = follow(
    bus,
    async (signal) => {
      calls.push(performance.now())
      return await behave(calls.length, signal)
    },
    { onFailure: (error) => errors.push(error) },
  )
  toClose.push(() => follower.stop())
  return { follower, calls, errors }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const hasRun = (calls: number[], times: number) =>
  vi.waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(times), WAIT)

test('a follower steps at once, and again as long as there is more', async () => {
  const { calls } = startFollower(await downBus(), (call) => call < 100)
  await hasRun(calls, 100)
  expect((calls[99] ?? 0) - (calls[0] ?? 0)).toBeLessThan(10 * POLL_MS)
})

test('a follower is woken by another process as the log grows', async () => {
  const redisUrl = await testRedisUrl()
  const bus = await upBus(redisUrl)
  const other = await upBus(redisUrl, bus.prefix)
  const { calls } = startFollower(bus)
  await hasRun(calls, 1)
  const waits: number[] = []
  for (let turn = 0; turn < 10; turn++) {
    const before = calls.length
    const start = performance.now()
    expect(await other.publish(LOG_CHANNEL, String(turn))).toBe(true)
    await hasRun(calls, before + 1)
    waits.push((calls[before] ?? 0) - start)
  }
  // each began right after a step: the timer alone would take its whole second
  expect(median(waits)).toBeLessThan(POLL_MS / 4)
})

test('growth that is told during a step leads to another step at once', async () => {
  const bus = await upBus(await testRedisUrl())
  const waits: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const stepping = Promise.withResolvers<boolean>()
    const { follower, calls } = startFollower(bus, (call) => (call === 1 ? stepping.promise : false))
    await hasRun(calls, 1)
    const heard = Promise.withResolvers<void>()
    await bus.subscribe(LOG_CHANNEL, () => heard.resolve())
    await bus.publish(LOG_CHANNEL, '1')
    await heard.promise
    const start = performance.now()
    stepping.resolve(false)
    await hasRun(calls, 2)
    waits.push(performance.now() - start)
    await follower.stop()
  }
  expect(median(waits)).toBeLessThan(POLL_MS / 2)
})

test('without Redis a follower steps every second', async () => {
  const { calls } = startFollower(await downBus())
  await hasRun(calls, 3)
  const pauses = calls.slice(1).map((time, index) => time - (calls[index] ?? 0))
  for (const pause of pauses) expect(pause).toBeGreaterThan(POLL_MS * 0.9)
  expect(Math.min(...pauses)).toBeLessThan(POLL_MS * 3)
})

test('a step that fails is tried again', async () => {
  const failure = new Error('Postgres is away')
  const { calls, errors } = startFollower(await downBus(), (call) => {
    if (call < 3) throw failure
    return false
  })
  await hasRun(calls, 3)
  expect(errors).toEqual([failure, failure])
})

test('a log that this code cannot read is tried again too, and goes on once it can', async () => {
  const error = new LogIntegrityError('Event 3 is LeadStarred in version 2, which this code does not know')
  const { calls, errors } = startFollower(await downBus(), (call) => {
    if (call < 4) throw error
    return call < 6
  })
  await hasRun(calls, 6)
  expect(errors).toEqual([error, error, error])
})

test('the pauses between failures grow, by chance, up to 10 s', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => retryDelayMs(failures, 1))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000])
  expect(retryDelayMs(3, 0)).toBe(0)
  expect(retryDelayMs(3, 0.25)).toBe(500)
})

test('stop tells the step under way, and what that breaks off is no failure', async () => {
  const { follower, calls, errors } = startFollower(
    await downBus(),
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('broken off')))),
  )
  await hasRun(calls, 1)
  await follower.stop()
  expect(calls).toHaveLength(1)
  expect(errors).toEqual([])
})

test('stop waits for the step under way, and none comes after it', async () => {
  const bus = await upBus(await testRedisUrl())
  const stepping = Promise.withResolvers<boolean>()
  const { follower, calls } = startFollower(bus, () => stepping.promise)
  await hasRun(calls, 1)
  let isStopped = false
  const stopped = follower.stop().then(() => {
    isStopped = true
  })
  await bus.publish(LOG_CHANNEL, '1')
  expect(isStopped).toBe(false)
  stepping.resolve(true)
  await stopped
  expect(calls).toHaveLength(1)
})
