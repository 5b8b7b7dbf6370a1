import { expect, test } from 'vitest'
import { deterministicUuid } from './event-id.ts'

test('a key always gives the same id, which is a UUID of version 8 in lower case', () => {
  expect(deterministicUuid('lead', '/api/leads', 'abc')).toBe(deterministicUuid('lead', '/api/leads', 'abc'))
  for (const key of ['', 'a', 'ü😀', 'x'.repeat(10_000)]) {
    expect(deterministicUuid(key)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('the id never changes, since it is stored', () => {
  expect(deterministicUuid('submission', '6d0d7c7a')).toBe('2e7c4ea4-4551-8376-92a1-f62555f8e91e')
})

test('other parts give another id, wherever one ends and the next begins', () => {
  const ids = [
    deterministicUuid('ab', 'c'),
    deterministicUuid('a', 'bc'),
    deterministicUuid('abc'),
    deterministicUuid('c', 'ab'),
    deterministicUuid('a', 'b', 'c'),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})
