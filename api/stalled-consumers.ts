import { stalledConsumers } from '../events/base/stalled-consumers.ts'
import { CONSUMERS } from '../events/consumers/registry.ts'
import { isBehind, readConsumers } from '../events/log/consumer-lag.ts'
import { route } from './http/route.ts'

/**
 * The consumers of the log that are behind, and since when (null: paused after a restored backup). Only the versions in
 * this code count.
 */
export const stalledConsumersRoute = route('GET', '/api/standstill', {
  access: 'staff',
  summary: 'The consumers of the log that are behind',
  answer: stalledConsumers,
  handler: async ({ node }) => {
    const { consumers } = await readConsumers(node.reading, CONSUMERS)
    return consumers
      .filter(isBehind)
      .map(({ name, waitingSince }) => ({ consumer: name, since: waitingSince?.toISOString() ?? null }))
  },
})
