import { expect, test } from 'vitest'
import { unseenOf } from './shown-alerts.ts'

const at = (seconds: number, id: string) => ({
  id,
  timestamp: new Date(Date.UTC(2026, 10, 23, 10, 0, seconds)).toISOString(),
})

test('each piece of news is shown once, and those before the first call never', () => {
  const first = unseenOf(null, [at(1, 'a')])
  expect(first.unseen).toEqual([])
  const second = unseenOf(first.seen, [at(1, 'a'), at(20, 'b')])
  expect(second.unseen).toEqual([at(20, 'b')])
  expect(unseenOf(second.seen, [at(1, 'a'), at(20, 'b')]).unseen).toEqual([])
})

test('two that arrive in reverse order are both shown, in one call or in two', () => {
  const none = unseenOf(null, []).seen
  expect(unseenOf(none, [at(2, 'b'), at(1, 'a')]).unseen).toHaveLength(2)
  const later = unseenOf(none, [at(2, 'b')])
  expect(later.unseen).toEqual([at(2, 'b')])
  const late = unseenOf(later.seen, [at(1, 'a')])
  expect(late.unseen).toEqual([at(1, 'a')])
  expect(unseenOf(late.seen, [at(1, 'a'), at(2, 'b')]).unseen).toEqual([])
  expect(unseenOf(unseenOf(none, [at(30, 'c')]).seen, [at(1, 'a')]).unseen).toEqual([])
})

test('a time alone, as stored by an earlier version of the page, still counts', () => {
  const seen = at(10, 'x').timestamp
  expect(unseenOf(seen, [at(9, 'a'), at(10, 'x'), at(11, 'b')]).unseen).toEqual([at(11, 'b')])
})
