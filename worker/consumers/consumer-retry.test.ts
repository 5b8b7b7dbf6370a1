import { expect, test } from 'vitest'
import { backoffMs } from '../../events/base/backoff.ts'
import { RETRY_PAUSES } from './consumer-retry.ts'

test('the pauses between failures grow, at random, up to 10 s', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => backoffMs(RETRY_PAUSES, failures, 1))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000])
  expect(backoffMs(RETRY_PAUSES, 3, 0)).toBe(0)
  expect(backoffMs(RETRY_PAUSES, 3, 0.25)).toBe(500)
})
