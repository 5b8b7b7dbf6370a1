import { expect, test } from 'vitest'
import { untoldOf } from './shown-alerts.ts'

const at = (seconds: number, id: string) => ({
  id,
  timestamp: new Date(Date.UTC(2026, 10, 23, 10, 0, seconds)).toISOString(),
})

test('each piece of news is shown once, and those before the first call never', () => {
  const first = untoldOf(null, [at(1, 'a')])
  expect(first.untold).toEqual([])
  const second = untoldOf(first.kept, [at(1, 'a'), at(20, 'b')])
  expect(second.untold).toEqual([at(20, 'b')])
  expect(untoldOf(second.kept, [at(1, 'a'), at(20, 'b')]).untold).toEqual([])
})

test('two that arrive in reverse order are both shown, in one call or in two', () => {
  const none = untoldOf(null, []).kept
  expect(untoldOf(none, [at(2, 'b'), at(1, 'a')]).untold).toHaveLength(2)
  const later = untoldOf(none, [at(2, 'b')])
  expect(later.untold).toEqual([at(2, 'b')])
  const late = untoldOf(later.kept, [at(1, 'a')])
  expect(late.untold).toEqual([at(1, 'a')])
  expect(untoldOf(late.kept, [at(1, 'a'), at(2, 'b')]).untold).toEqual([])
  expect(untoldOf(untoldOf(none, [at(30, 'c')]).kept, [at(1, 'a')]).untold).toEqual([])
})

test('a time alone, as stored by an earlier version of the page, still counts', () => {
  const kept = at(10, 'x').timestamp
  expect(untoldOf(kept, [at(9, 'a'), at(10, 'x'), at(11, 'b')]).untold).toEqual([at(11, 'b')])
})
