import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openRepeat } from './repeated-request.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

it('repeats a refused request later each time, and not before the time set by the server', () => {
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
