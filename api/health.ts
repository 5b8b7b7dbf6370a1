import { Hono } from 'hono'
import type { Database } from '../events/log/connection.ts'
import { withDeadline } from '../events/log/deadline.ts'
import type { ApiNode } from './node.ts'

const CHECK_TIMEOUT_MS = 2_000

const stateOf = async (database: Database): Promise<'up' | 'down'> => {
  try {
    await withDeadline(database`select 1`, { deadlineMs: CHECK_TIMEOUT_MS })
    return 'up'
  } catch {
    return 'down'
  }
}

/**
 * `/healthz`: the process lives. `/readyz`: it can serve. Redis is told, but its loss only makes things slower; the data
 * keys' own database too, where there is one: it is the same for all nodes, and what needs no new key goes on.
 */
export const healthRoutes = (node: ApiNode) =>
  new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const apart = node.sql.keys?.apart
      const [postgres, keys] = await Promise.all([stateOf(node.sql), apart && stateOf(apart)])
      const parts = {
        postgres,
        ...(keys && { keys }),
        redis: node.bus.isUp ? 'up' : 'down',
        node: node.isDraining ? 'draining' : 'up',
      }
      const failing = [...(parts.postgres === 'down' ? ['postgres'] : []), ...(node.isDraining ? ['draining'] : [])]
      return c.json({ ...parts, failing }, failing.length > 0 ? 503 : 200)
    })
