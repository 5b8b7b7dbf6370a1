import { Hono } from 'hono'
import { type Standing, standingOfPostgres } from '../events/log/health.ts'
import type { ApiNode } from './node.ts'

/** All who ask at once get one answer: asking often takes nothing from anybody. */
const shared = (ask: () => Promise<Standing>) => {
  let asked: Promise<Standing> | undefined
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
}

/**
 * `/healthz`: the process lives. `/readyz`: it can serve. Redis is told, but its loss only makes things slower; the data
 * keys' own database too, where there is one: it is the same for all nodes, and what needs no new key goes on.
 */
export const healthRoutes = (node: ApiNode) => {
  const apart = node.sql.keys?.apart
  const standingOfStore = shared(() => standingOfPostgres(node.health))
  const standingOfKeys = apart && shared(() => standingOfPostgres(apart))
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const [postgres, keys] = await Promise.all([standingOfStore(), standingOfKeys?.()])
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
