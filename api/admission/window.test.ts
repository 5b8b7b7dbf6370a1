import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_REMEMBERED, openLocalCount, openWindows } from './window.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a node gives out as many points as the limit has, reports when there are more, and accepts returned ones', () => {
  const count = openLocalCount({ points: 2, windowS: 60 })
  expect([count.take('one'), count.take('one')]).toEqual([0, 0])
  vi.advanceTimersByTime(20_000)
  expect(count.take('one')).toBe(40_000)
  expect(count.take('other')).toBe(0)
  vi.advanceTimersByTime(40_000)
  expect([count.take('one'), count.take('one')]).toEqual([0, 0])
  count.refund('one')
  expect(count.take('one')).toBe(0)
  expect(count.take('one')).toBeGreaterThan(0)
})

test('expired windows are dropped when new ones come', () => {
  const windows = openWindows(60, () => ({ used: 0 }))
  for (let who = 0; who < 1_000; who += 1) windows.find(String(who))
  expect(windows.size).toBe(1_000)
  vi.advanceTimersByTime(60_000)
  windows.find('later')
  expect(windows.size).toBe(1)
})

test('a crowd of addresses takes no more memory than a number of them', () => {
  const windows = openWindows(60, () => ({ used: 0 }))
  for (let who = 0; who < MAX_REMEMBERED + 10; who += 1) windows.find(String(who)).used += 1
  expect(windows.size).toBe(MAX_REMEMBERED)
  expect(windows.find(String(MAX_REMEMBERED)).used).toBe(1)
  expect(windows.find('0').used).toBe(0)
})
