import { expect, test } from 'vitest'
import { tokenBucket } from './token-bucket.ts'

test('a bucket lets a burst through, then as many as trickle in', () => {
  const mayPass = tokenBucket({ burst: 3, perSecond: 2 })
  expect([1_000, 1_000, 1_000, 1_000].map(mayPass)).toEqual([true, true, true, false])
  expect([1_500, 1_500, 2_000].map(mayPass)).toEqual([true, false, true])
})

test('an idle bucket holds no more than a burst', () => {
  const mayPass = tokenBucket({ burst: 2, perSecond: 5 })
  expect([1_000, 100_000, 100_000, 100_000].map(mayPass)).toEqual([true, true, true, false])
})
