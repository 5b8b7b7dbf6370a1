import * as v from 'valibot'
import { readNumber } from '../../../events/base/amount.ts'

/** A typed value as a number; blank stays distinct from 0. */
export const typedNumber = v.pipe(
  v.string(),
  v.transform((text) => (text.trim() === '' ? null : (readNumber(text) ?? Number.NaN))),
)
