import { expect, test } from 'vitest'
import { openRecent } from './recent.ts'

const PERIOD_MS = 1_000

test('a value stays while it is used at least once per period, and is dropped after two periods without use', () => {
  const recent = openRecent<object>({ periodMs: PERIOD_MS })
  const first = recent.find('one', 0, () => ({}))
  const other = recent.find('other', 0, () => ({}))
  for (let now = 0; now <= 4 * PERIOD_MS; now += PERIOD_MS) expect(recent.find('one', now, () => ({}))).toBe(first)
  expect(recent.find('other', 4 * PERIOD_MS, () => ({}))).not.toBe(other)
  recent.find('third', 10 * PERIOD_MS, () => ({}))
  recent.find('third', 11 * PERIOD_MS, () => ({}))
  expect(recent.find('one', 11 * PERIOD_MS, () => ({}))).not.toBe(first)
})

test('there are never more values than the maximum, and a flood does not drop those in use', () => {
  const recent = openRecent<object>({ periodMs: PERIOD_MS, maxEntries: 100 })
  const first = recent.find('one', 0, () => ({}))
  for (let who = 0; who < 1_000; who += 1) {
    recent.find(`flood ${who}`, 0, () => ({}))
    expect(recent.size).toBeLessThanOrEqual(100)
    expect(recent.find('one', 0, () => ({}))).toBe(first)
  }
})

test('a value that was deleted is not found again, also if it was in use', () => {
  const recent = openRecent<object>({ maxEntries: 4 })
  for (const key of ['one', 'two', 'three']) recent.set(key, {})
  expect(recent.get('one')).toBeDefined()
  recent.delete('one')
  expect(recent.get('one')).toBeUndefined()
  recent.clear()
  expect([recent.get('two'), recent.size]).toEqual([undefined, 0])
})
