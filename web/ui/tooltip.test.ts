import { expect, test } from 'vitest'
import { tooltipStyles } from './tooltip.ts'

test('a tooltip opens after 700 ms, and the next one at once within 300 ms', () => {
  expect(tooltipStyles[':root:has([data-tip]:hover)'].transition).toBe('--tip 0s 700ms')
  expect(tooltipStyles[':root'].transition).toBe('--tip 0s 300ms')
})
