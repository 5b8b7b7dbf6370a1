import { expect, test } from 'vitest'
import { backoffMs, growingDelay } from './backoff.ts'

test('a pause grows up to the longest, and its random part is by chance', () => {
  const backoff = { firstMs: 1_000, growth: 3, longestMs: 20_000, random: 1 }
  const pauses = (random: number, chance: number) =>
    [1, 2, 3, 4, 2_000].map((failures) => backoffMs({ ...backoff, random }, failures, chance))
  expect(pauses(1, 1)).toEqual([1_000, 3_000, 9_000, 20_000, 20_000])
  expect(pauses(1, 0)).toEqual([0, 0, 0, 0, 0])
  expect(pauses(0.5, 0.5)).toEqual([750, 2_250, 6_750, 15_000, 15_000])
  expect(pauses(0, 0)).toEqual([1_000, 3_000, 9_000, 20_000, 20_000])
})

test('a page waits a random time between none and a bound that grows up to 20 s', () => {
  for (const [failures, longest] of [1_000, 3_000, 9_000, 20_000, 20_000].entries()) {
    const delays = Array.from({ length: 100 }, () => growingDelay(failures))
    expect(Math.max(...delays)).toBeLessThanOrEqual(longest)
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(longest / 2)
  }
})
