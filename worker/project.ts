import type { Sql } from '../events/log/connection.ts'
import type { Follower } from '../events/log/follow.ts'
import { LEADS_CHANNEL, leadsProjection } from '../events/projections/leads.ts'
import { type Projection, prepareProjection, project } from '../events/projections/projection.ts'
import { rebuildProjection } from '../events/projections/rebuild.ts'
import { PROJECTIONS } from '../events/projections/views.ts'
import { type Consuming, consume } from './consume.ts'
import type { Metrics } from './metrics.ts'

/** Makes the checkpoints of views that have none; as long as the log is empty, their tables too. */
export const prepareProjections = async (sql: Sql): Promise<void> => {
  for (const projection of PROJECTIONS) await prepareProjection(sql, projection)
}

/** Fills a view from the log, unless another worker has done so meanwhile. */
const fill = async (
  { sql, logger }: Pick<Consuming, 'sql' | 'logger'>,
  projection: Projection,
  { databaseUrl, signal, onAlive }: { databaseUrl: string; signal: AbortSignal; onAlive: () => void },
) => {
  const { name, version } = projection
  logger.info({ view: name, version }, 'filling')
  const options = { onlyMissing: true, signal, onAlive }
  const position = await rebuildProjection({ databaseUrl, keys: sql.keys }, projection, options)
  logger.info({ view: name, version, position }, 'filled')
}

/**
 * Keeps every view up to date in the version that this code knows, and tells those who watch the leads when theirs has
 * changed. A view that is not filled in this version is filled first, by one worker; the other views go on meanwhile, and
 * other versions of it are left alone.
 */
export const runProjections = (
  consuming: Consuming,
  { databaseUrl, batches }: { databaseUrl: string; batches: Metrics['batches'] },
): Follower => {
  const keep = (projection: Projection) =>
    consume(consuming, projection, async (signal, onAlive) => {
      const { isFilled, advanced, hasMore, events } = await project(consuming.sql, projection)
      if (events > 0) batches.observe({ view: projection.name }, events)
      if (!isFilled) await fill(consuming, projection, { databaseUrl, signal, onAlive })
      if ((advanced || !isFilled) && projection === leadsProjection) consuming.bus.publish(LEADS_CHANNEL, '')
      return hasMore || !isFilled
    })
  const followers = PROJECTIONS.map(keep)
  return {
    stop: async () => {
      await Promise.all(followers.map((follower) => follower.stop()))
    },
  }
}
