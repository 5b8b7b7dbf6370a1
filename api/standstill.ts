import { Hono } from 'hono'
import { isBehind, readConsumers } from '../events/log/consumers.ts'
import { PROJECTIONS } from '../events/projections/views.ts'
import type { standstills } from '../events/wire/standstill.ts'
import type { Sent } from '../events/wire/word.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv } from './staff/staff.ts'

/**
 * `GET /api/standstill`: which readers of the log are behind, and since when (null: paused after a restored backup),
 * for staff. Of views only the versions count that this node reads.
 */
export const standstillRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const { consumers } = await readConsumers(node.reading, PROJECTIONS)
    const behind: Sent<typeof standstills> = consumers.filter(isBehind).map(({ name, waitingSince }) => ({
      consumer: name,
      since: waitingSince?.toISOString() ?? null,
    }))
    return c.json(behind)
  })
