import { expect, test } from 'vitest'
import { tooltipStyles } from './tooltip.ts'

test('a tooltip opens after 700 ms, and the next one at once within 300 ms', () => {
  expect(tooltipStyles['[data-tips]:hover'].transition).toBe('--tip 0s 700ms')
  expect(tooltipStyles['[data-tips]'].transition).toBe('--tip 0s 300ms')
})
