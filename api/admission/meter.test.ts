import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIMITS, type Limit } from './limits.ts'
import { MAX_REMEMBERED, openMeter } from './meter.ts'

const RATE = { points: 2, windowS: 60 }
const LEASED = { points: 100, windowS: 60, lease: 10 }
const WAIT_MS = 5_000

/** A count over all nodes that has this many points. */
const openCount = (points = Number.POSITIVE_INFINITY) => {
  const count = { used: 0, draws: 0 }
  const shared = {
    draw: async (_: string, wanted: number) => {
      count.draws += 1
      count.used += wanted
      return count.used > points ? WAIT_MS : 0
    },
    refund: async () => {
      count.used -= 1
    },
  }
  return Object.assign(count, { shared })
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a node gives out as many points as the limit has, reports when there are more, and accepts returned ones', async () => {
  const meter = openMeter([{ ...RATE, ...openCount() }])
  expect(await Promise.all([meter.take('one'), meter.take('one'), meter.take('one')])).toEqual([0, 0, 60_000])
  vi.advanceTimersByTime(20_000)
  expect(await meter.take('one')).toBe(40_000)
  expect(await meter.take('other')).toBe(0)
  vi.advanceTimersByTime(40_000)
  expect([await meter.take('one'), await meter.take('one')]).toEqual([0, 0])
  await meter.refund('one')
  expect(await meter.take('one')).toBe(0)
  expect(await meter.take('one')).toBeGreaterThan(0)
})

test('a caller who is over the limit of all nodes costs them nothing until there is room again', async () => {
  const count = openCount(1)
  const meter = openMeter([{ ...RATE, ...count }])
  expect([await meter.take('one'), await meter.take('one')]).toEqual([0, WAIT_MS])
  vi.advanceTimersByTime(1_000)
  expect(await meter.take('one')).toBe(WAIT_MS - 1_000)
  expect(count.draws).toBe(2)
  vi.advanceTimersByTime(WAIT_MS)
  count.used = 0
  expect(await meter.take('one')).toBe(0)
})

test('a returned point opens a limit that was full while it was in use', async () => {
  const count = openCount(1)
  const meter = openMeter([{ ...RATE, ...count }])
  expect([await meter.take('one'), await meter.take('one')]).toEqual([0, WAIT_MS])
  await meter.refund('one')
  await meter.refund('one')
  expect(await meter.take('one')).toBe(0)
})

test('two nodes together give out all leased points, and call Redis once in ten times, the first ten times not at all', async () => {
  const count = openCount(LEASED.points)
  const nodes = [openMeter([{ ...LEASED, ...count }]), openMeter([{ ...LEASED, ...count }])]
  for (let time = 0; time < 20; time += 1) expect(await nodes[time % 2]?.take('one')).toBe(0)
  expect(count.draws).toBe(0)
  const waits = await Promise.all(Array.from({ length: 70 }, (_, index) => nodes[index % 2]?.take('one')))
  expect(new Set(waits)).toEqual(new Set([0]))
  expect(count.draws).toBe(8)
  const late = await Promise.all(Array.from({ length: 30 }, (_, index) => nodes[index % 2]?.take('one')))
  expect(late.filter((wait) => wait === 0)).toHaveLength(10)
  expect(late.filter((wait) => wait === WAIT_MS)).toHaveLength(20)
})

test('a node gives out no more leased points than the limit by itself, and all of them again in the next window', async () => {
  const meter = openMeter([{ ...LEASED, ...openCount() }])
  for (let time = 0; time < LEASED.points; time += 1) expect(await meter.take('one')).toBe(0)
  expect(await meter.take('one')).toBe(60_000)
  expect(await meter.take('other')).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(await meter.take('one')).toBe(0)
})

test('the windows of a caller end separately', async () => {
  const meter = openMeter([
    { ...RATE, ...openCount() },
    { points: 5, windowS: 600, ...openCount() },
  ])
  const takeThree = async () => [await meter.take('one'), await meter.take('one'), await meter.take('one')]
  expect(await takeThree()).toEqual([0, 0, 60_000])
  vi.advanceTimersByTime(60_000)
  expect(await takeThree()).toEqual([0, 0, 60_000])
  vi.advanceTimersByTime(60_000)
  expect([await meter.take('one'), await meter.take('one')]).toEqual([0, 480_000])
  vi.advanceTimersByTime(480_000)
  expect(await takeThree()).toEqual([0, 0, 60_000])
})

test('a flood of addresses takes no more memory than a number of them', () => {
  const meter = openMeter([{ ...LEASED, ...openCount() }])
  for (let who = 0; who < MAX_REMEMBERED + 10; who += 1) meter.take(String(who))
  expect(meter.size).toBeLessThanOrEqual(MAX_REMEMBERED)
  expect(meter.size).toBeGreaterThanOrEqual(MAX_REMEMBERED / 2)
  for (let minute = 0; minute < 2; minute += 1) {
    vi.advanceTimersByTime(60_000)
    meter.take('later')
  }
  expect(meter.size).toBeLessThanOrEqual(2)
})

test('leases divide the limits that they are drawn from, so that all of it can be drawn', () => {
  const rates = Object.values(LIMITS).flatMap(({ sentence: _, ...limit }: Limit) => Object.values(limit).flat())
  for (const { points, lease = 1 } of rates) expect(points % lease).toBe(0)
})
