import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { growingDelay, openRepeat } from './backoff.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

it('waits anywhere between nothing and a bound that grows up to 20 s', () => {
  expect([0, 1, 2, 50].map((failures) => growingDelay(failures, 0))).toEqual([0, 0, 0, 0])
  expect([0, 1, 2, 3, 4, 50].map((failures) => growingDelay(failures, 1))).toEqual([
    1_000, 3_000, 9_000, 20_000, 20_000, 20_000,
  ])
  expect(growingDelay(2, 0.5)).toBe(4_500)
})

it('repeats what is refused later each time, and not before the server has said', () => {
  const asked: number[] = []
  const repeat = openRepeat(() => asked.push(Date.now()))
  repeat.later(60)
  repeat.later(60)
  vi.advanceTimersByTime(60_000)
  expect(asked).toEqual([])
  vi.advanceTimersByTime(3_000)
  expect(asked).toHaveLength(1)
  repeat.succeeded()
  repeat.later()
  vi.advanceTimersByTime(1_000)
  expect(asked).toHaveLength(2)
  repeat.later()
  repeat.stop()
  vi.advanceTimersByTime(60_000)
  expect(asked).toHaveLength(2)
})
