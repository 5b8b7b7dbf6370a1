import { Hono } from 'hono'
import { type Standing, standingOfPostgres } from '../events/log/health.ts'
import type { ApiNode } from './node.ts'

/**
 * `/healthz`: the process lives. `/readyz`: it can serve. Redis is told, but its loss only makes things slower; the data
 * keys' own database too, where there is one: it is the same for all nodes, and what needs no new key goes on.
 */
export const healthRoutes = (node: ApiNode) => {
  let asked: Promise<Standing> | undefined
  /** All who ask at once get one answer: asking often takes nothing from anybody. */
  const postgresStanding = () => {
    asked ??= standingOfPostgres(node.health).finally(() => {
      asked = undefined
    })
    return asked
  }
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const apart = node.sql.keys?.apart
      const [postgres, keys] = await Promise.all([postgresStanding(), apart && standingOfPostgres(apart)])
      const parts = {
        postgres,
        ...(keys && { keys }),
        redis: node.bus.isUp ? 'up' : 'down',
        node: node.isDraining ? 'draining' : 'up',
      }
      const failing = [...(parts.postgres === 'down' ? ['postgres'] : []), ...(node.isDraining ? ['draining'] : [])]
      return c.json({ ...parts, failing }, failing.length > 0 ? 503 : 200)
    })
}
