import { expect, test } from 'vitest'
import { limitEach, tokenBucket } from './token-bucket.ts'

test('a bucket lets a burst through, then as many as it refills', () => {
  const mayPass = tokenBucket({ burst: 3, perSecond: 2 })
  expect([1_000, 1_000, 1_000, 1_000].map((now) => mayPass(now))).toEqual([true, true, true, false])
  expect([1_500, 1_500, 2_000].map((now) => mayPass(now))).toEqual([true, false, true])
})

test('an idle bucket holds no more than a burst', () => {
  const mayPass = tokenBucket({ burst: 2, perSecond: 5 })
  expect([1_000, 100_000, 100_000, 100_000].map((now) => mayPass(now))).toEqual([true, true, true, false])
})

test('a reserved part passes only those for whom it is reserved', () => {
  const mayPass = tokenBucket({ burst: 4, perSecond: 1 })
  expect([1, 1, 1].map((keep) => mayPass(1_000, { keep }))).toEqual([true, true, true])
  expect(mayPass(1_000, { keep: 1 })).toBe(false)
  expect([mayPass(1_000), mayPass(1_000)]).toEqual([true, false])
})

test('a higher cost takes as much, or nothing if less is left', () => {
  const mayPass = tokenBucket({ burst: 10, perSecond: 1 })
  expect([4, 7, 6, 1].map((cost) => mayPass(1_000, { cost }))).toEqual([true, false, true, false])
})

test('each name has its own limit', () => {
  const { mayPass } = limitEach({ burst: 2, perSecond: 1 })
  expect(['a', 'a', 'a', 'b'].map((who) => mayPass(who, 1_000))).toEqual([true, true, false, true])
})

test('full buckets are dropped, others are not', () => {
  const limit = limitEach({ burst: 2, perSecond: 1 })
  for (let who = 0; who < 100; who += 1) limit.mayPass(String(who), 1_000)
  expect(['a', 'a', 'a'].map((who) => limit.mayPass(who, 2_900))).toEqual([true, true, false])
  expect(limit.mayPass('a', 3_100)).toBe(false)
  expect(limit.mayPass('b', 5_100)).toBe(true)
  expect(limit.size).toBeLessThanOrEqual(2)
})
