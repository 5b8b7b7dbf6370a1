import * as v from 'valibot'
import { expect, test } from 'vitest'
import { detectSpam, MIN_OPEN_MS, spamFields } from './spam-signals.ts'

const reasonsOf = (input: object) => detectSpam(v.parse(spamFields, input))

test.each([
  [{}, []],
  [{ quartz: '', openMs: MIN_OPEN_MS }, []],
  [{ openMs: '' }, []],
  [{ openMs: Number.NaN }, []],
  [{ openMs: String(MIN_OPEN_MS - 1) }, ['too_fast']],
  [{ openMs: -1 }, ['too_fast']],
  [{ quartz: ' ' }, ['trap']],
  [{ quartz: 1, openMs: 0 }, ['trap', 'too_fast']],
])('%j is flagged for %j', (input, reasons) => {
  expect(reasonsOf(input)).toEqual(reasons)
})
