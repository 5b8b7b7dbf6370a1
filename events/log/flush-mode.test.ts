import { expect, test } from 'vitest'
import { FlushMode } from './flush-mode.ts'

const measured = (...flushes: number[]) => {
  const mode = new FlushMode()
  for (const ms of flushes) mode.flushed(ms, 0)
  return mode
}

test('flushes are apart until four of them were measured', () => {
  expect(measured().isJoined(0)).toBe(false)
  expect(measured(0.2, 0.2, 0.2).isJoined(0)).toBe(false)
  expect(measured(0.2, 0.2, 0.2, 0.2).isJoined(0)).toBe(true)
})

test('the fastest of four flushes distinguishes a slow disk from a busy process', () => {
  expect(measured(9, 12, 0.7, 30).isJoined(0)).toBe(true)
  expect(measured(2, 2.5, 1, 3).isJoined(0)).toBe(false)
  expect(measured(0.5, 2, 2, 2, 2, 2, 2, 2).isJoined(0)).toBe(true)
})

test('a fast disk is measured again after a second', () => {
  const mode = measured(0.2, 0.2, 0.2, 0.2)
  expect([mode.isJoined(999), mode.isJoined(1_000), mode.isJoined(1_001)]).toEqual([true, false, false])
  for (const ms of [5, 5, 5, 5]) mode.flushed(ms, 1_010)
  expect(mode.isJoined(1_020)).toBe(false)
  for (const ms of [0.4, 5, 5, 5]) mode.flushed(ms, 1_030)
  expect(mode.isJoined(1_040)).toBe(true)
})
