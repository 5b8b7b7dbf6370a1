import { isBehind, readConsumers } from '../events/log/consumers.ts'
import { CONSUMERS } from '../events/projections/registry.ts'
import { stalledConsumers } from '../events/wire/stalled-consumers.ts'
import { route } from './http/route.ts'

/**
 * The consumers of the log that are behind, and since when (null: paused after a restored backup). Only the versions count
 * that this code knows.
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
