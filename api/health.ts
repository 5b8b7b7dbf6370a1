import { Hono } from 'hono'
import type { ApiNode } from './node.ts'

const CHECK_TIMEOUT_MS = 2_000

const isPostgresUp = async ({ sql }: ApiNode) => {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([sql`select 1`.then(() => true), late.promise])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
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
