import { expect, test } from 'vitest'
import { mayShow } from './chat-greetings.ts'

const change = (recordedAt: string, ...texts: string[]) => ({
  recordedAt: new Date(recordedAt),
  data: {
    greetings: texts.map((text) => ({ page: '/' as const, afterSeconds: 5, text, isAnyTime: true })),
    by: crypto.randomUUID(),
  },
})

const CHANGES = [
  change('2026-03-01T10:00:00Z', 'First'),
  change('2026-03-02T10:00:00Z', 'Second', 'Beside it'),
  change('2026-03-03T10:00:00Z'),
  change('2026-03-03T11:00:00Z', 'Third'),
]

test.each([
  ['2026-03-03T11:00:00Z', ['Second', 'Beside it', 'Third']],
  ['2026-03-04T10:00:00Z', ['Second', 'Beside it', 'Third']],
  ['2026-03-04T10:30:00Z', ['Third']],
  ['2027-01-01T00:00:00Z', ['Third']],
])('at %s a page may show what is set, and what was in the day before: %j', (at, shown) => {
  const texts = ['First', 'Second', 'Beside it', 'Third', 'third', 'Never set']
  expect(texts.filter((text) => mayShow(text, new Date(at), CHANGES))).toEqual(shown)
})

test('no page shows a greeting if none was ever set', () => {
  expect(mayShow('First', new Date(), [])).toBe(false)
})
