import * as v from 'valibot'
import { postgresStatus, type ServiceStatus } from '../../events/stores/postgres/health.ts'
import type { Database } from '../../events/stores/postgres/pool.ts'
import { route } from '../http/route.ts'

const underWay = new WeakMap<Database, Promise<ServiceStatus>>()

/** Checks the state of a database. Concurrent callers share one query. */
const checkOnce = (sql: Database): Promise<ServiceStatus> => {
  const status = underWay.get(sql) ?? postgresStatus(sql).finally(() => underWay.delete(sql))
  underWay.set(sql, status)
  return status
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve. Redis is reported, but its loss only makes things slower;
 * so is the data keys' own database, if there is one: it is the same for all nodes, and only new keys need it.
 */
export const healthRoutes = [
  route('GET', '/healthz', {
    access: 'anyone',
    summary: 'Reports that the process is alive',
    answer: v.object({ status: v.string() }),
    handler: () => ({ status: 'ok' }),
  }),
  route('GET', '/readyz', {
    access: 'anyone',
    summary: 'Reports whether the node accepts traffic',
    answer: v.looseObject({ failing: v.array(v.string()) }),
    handler: async ({ node, c }) => {
      const apart = node.sql.keys?.apart
      const [postgres, keys] = await Promise.all([checkOnce(node.health), apart && checkOnce(apart)])
      const parts = {
        postgres,
        ...(keys && { keys }),
        redis: node.bus.isUp ? 'up' : 'down',
        node: node.isDraining ? 'draining' : 'up',
      }
      const failing = [...(parts.postgres === 'down' ? ['postgres'] : []), ...(node.isDraining ? ['draining'] : [])]
      return c.json({ ...parts, failing }, failing.length > 0 ? 503 : 200)
    },
  }),
]
