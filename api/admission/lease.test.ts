import { expect, test, vi } from 'vitest'
import { openLease } from './lease.ts'
import { LIMITS, type Limit } from './limits.ts'

const RATE = { points: 100, windowS: 60, lease: 10 }
const WAIT_MS = 5_000

/** A count over all nodes that has this many points. */
const openCount = (points: number) => {
  let used = 0
  let draws = 0
  const draw = async (_: string, wanted: number) => {
    draws += 1
    used += wanted
    return used > points ? WAIT_MS : 0
  }
  return { draw, draws: () => draws }
}

test('two nodes together give out all points, and call Redis once in ten times, the first ten times not at all', async () => {
  const count = openCount(RATE.points)
  const nodes = [openLease(RATE, count.draw), openLease(RATE, count.draw)]
  for (let time = 0; time < 20; time += 1) expect(await nodes[time % 2]?.take('one')).toBe(0)
  expect(count.draws()).toBe(0)
  const waits = await Promise.all(Array.from({ length: 70 }, (_, index) => nodes[index % 2]?.take('one')))
  expect(new Set(waits)).toEqual(new Set([0]))
  expect(count.draws()).toBe(8)
  const late = await Promise.all(Array.from({ length: 30 }, (_, index) => nodes[index % 2]?.take('one')))
  expect(late.filter((wait) => wait === 0)).toHaveLength(10)
  expect(late.filter((wait) => wait === WAIT_MS)).toHaveLength(20)
})

test('a node gives out no more than the limit by itself, and all of it again in the next window', async () => {
  vi.useFakeTimers({ now: 0 })
  try {
    const lease = openLease(RATE, async () => 0)
    for (let time = 0; time < RATE.points; time += 1) expect(await lease.take('one')).toBe(0)
    expect(await lease.take('one')).toBe(60_000)
    expect(await lease.take('other')).toBe(0)
    vi.advanceTimersByTime(60_000)
    expect(await lease.take('one')).toBe(0)
    expect(lease.size).toBe(1) // entries whose window is over are dropped
  } finally {
    vi.useRealTimers()
  }
})

test('leases divide the limits that they are drawn from, so that all of it can be drawn', () => {
  const rates = Object.values(LIMITS).flatMap(({ sentence: _, ...limit }: Limit) => Object.values(limit).flat())
  for (const { points, lease = 1 } of rates) expect(points % lease).toBe(0)
})
