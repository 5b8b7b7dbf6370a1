import { expect, test } from 'vitest'
import { growingDelay } from './backoff.ts'

test('waits a random time between none and a bound that grows up to 20 s', () => {
  expect([0, 1, 2, 50].map((failures) => growingDelay(failures, 0))).toEqual([0, 0, 0, 0])
  expect([0, 1, 2, 3, 4, 50].map((failures) => growingDelay(failures, 1))).toEqual([
    1_000, 3_000, 9_000, 20_000, 20_000, 20_000,
  ])
  expect(growingDelay(2, 0.5)).toBe(4_500)
})
