import * as v from 'valibot'
import { readNumber } from '../../../events/base/amount.ts'

/** What is typed as a number; blank stays apart from 0. */
export const typedNumber = v.pipe(
  v.string(),
  v.transform((text) => (text.trim() === '' ? null : (readNumber(text) ?? Number.NaN))),
)
