import * as v from 'valibot'

/**
 * The answer of `GET /api/standstill`: which consumers of the log stand still, and since when (null after a restored
 * backup).
 */
export const standstills = v.array(
  v.object({ consumer: v.string(), since: v.nullable(v.pipe(v.string(), v.isoTimestamp())) }),
)
