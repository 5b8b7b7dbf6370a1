import { expect, test } from 'vitest'
import { dueOn } from './promise.ts'

test.each([
  ['essential', '2026-11-27', '2026-12-08'],
  // 16 December is a public holiday
  ['essential', '2026-12-10', '2026-12-22'],
  ['essential', '2026-12-24', '2027-01-06'],
  ['professional', '2026-12-24', '2027-01-07'],
  ['premium', '2026-11-27', '2026-12-11'],
] as const)('the promised time of %s that begins after %s ends on %s', (packageId, from, due) => {
  expect(dueOn(packageId, from)).toBe(due)
})
