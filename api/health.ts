import { Hono } from 'hono'
import { withDeadline } from '../events/log/deadline.ts'
import type { ApiNode } from './node.ts'

const CHECK_TIMEOUT_MS = 2_000

const isPostgresUp = async ({ sql }: ApiNode) => {
  try {
    await withDeadline(sql`select 1`, { deadlineMs: CHECK_TIMEOUT_MS })
    return true
  } catch {
    return false
  }
}

/** `/healthz`: the process lives. `/readyz`: it can serve; Redis is told, but its loss only makes things slower. */
export const healthRoutes = (node: ApiNode) =>
  new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const parts = {
        postgres: (await isPostgresUp(node)) ? 'up' : 'down',
        redis: node.bus.isUp ? 'up' : 'down',
        node: node.isDraining ? 'draining' : 'up',
      }
      const failing = [...(parts.postgres === 'down' ? ['postgres'] : []), ...(node.isDraining ? ['draining'] : [])]
      return c.json({ ...parts, failing }, failing.length > 0 ? 503 : 200)
    })
