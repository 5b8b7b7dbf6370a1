import { expect, it } from 'vitest'
import { reconnectDelay } from './connection.ts'

it('waits anywhere between nothing and a bound that doubles up to 10 s', () => {
  expect(reconnectDelay(0, 0)).toBe(0)
  expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => reconnectDelay(attempt, 1))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ])
  expect(reconnectDelay(3, 0.25)).toBe(1_000)
})
