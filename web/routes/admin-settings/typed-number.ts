import * as v from 'valibot'

/** What is typed as a number; blank stays apart from 0. */
export const typedNumber = v.pipe(
  v.string(),
  v.transform((text) => (text.trim() === '' ? null : Number(text.replace(/[R,\s]/g, '')))),
)
