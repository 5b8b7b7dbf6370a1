import { Hono } from 'hono'
import { isBehind, readConsumers } from '../events/log/consumers.ts'
import { CONSUMERS } from '../events/projections/registry.ts'
import type { stalledConsumers } from '../events/wire/stalled-consumers.ts'
import type { Sent } from '../events/wire/word.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv } from './staff/staff.ts'

/**
 * `GET /api/standstill`: which readers of the log are behind, and since when (null: paused after a restored backup),
 * for staff. Only the versions count that this code knows.
 */
export const stalledConsumerRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const { consumers } = await readConsumers(node.reading, CONSUMERS)
    const behind: Sent<typeof stalledConsumers> = consumers.filter(isBehind).map(({ name, waitingSince }) => ({
      consumer: name,
      since: waitingSince?.toISOString() ?? null,
    }))
    return c.json(behind)
  })
