import * as v from 'valibot'

/**
 * A whole number of a query, from `min` to `max`, within the integers that JavaScript holds exactly. `message` is the
 * error for any other value.
 */
export const wholeNumber = (min: number, max: number, message = `Must be a number from ${min} to ${max}`) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
