import * as v from 'valibot'
import { expect, test } from 'vitest'
import { MIN_OPEN_MS, spamSigns, suspect } from './suspicion.ts'

const reasonsOf = (input: object) => suspect(v.parse(spamSigns, input))

test.each([
  [{}, []],
  [{ quartz: '', openMs: MIN_OPEN_MS }, []],
  [{ openMs: '' }, []],
  [{ openMs: Number.NaN }, []],
  [{ openMs: String(MIN_OPEN_MS - 1) }, ['too_fast']],
  [{ openMs: -1 }, ['too_fast']],
  [{ quartz: ' ' }, ['trap']],
  [{ quartz: 1, openMs: 0 }, ['trap', 'too_fast']],
])('%j is suspected for %j', (input, reasons) => {
  expect(reasonsOf(input)).toEqual(reasons)
})
