import { expect, test } from 'vitest'
import { inNumbers, inRand, inShortRand } from './amount.ts'

test('an amount is written in one way, whatever its size', () => {
  expect([0, 999, 1_499, 1_499.5, 1_234_567].map(inRand)).toEqual(['R0', 'R999', 'R1,499', 'R1,499.50', 'R1,234,567'])
  expect([0, 950, 16_500, 2_000_000].map(inShortRand)).toEqual(['0', 'R950', 'R16.5K', 'R2M'])
  expect(inNumbers(100_000)).toBe('100,000')
})
