import * as v from 'valibot'

/**
 * The response of `GET /api/standstill`: the consumers that are behind, and since when (null: paused after a restored
 * backup).
 */
export const stalledConsumers = v.array(
  v.object({ consumer: v.string(), since: v.nullable(v.pipe(v.string(), v.isoTimestamp())) }),
)
