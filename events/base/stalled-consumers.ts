import * as v from 'valibot'

/**
 * The answer of `GET /api/standstill`: which readers of the log are behind, and since when (null: paused after a restored
 * backup).
 */
export const stalledConsumers = v.array(
  v.object({ consumer: v.string(), since: v.nullable(v.pipe(v.string(), v.isoTimestamp())) }),
)
