import { rebuildProjection } from '../../events/consumers/rebuild.ts'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import { LEADS_CHANNEL, leadsProjection } from '../../events/lead/store/view.ts'
import { type Projection, project, schemaOf, tryRebuildLock } from '../../events/projections/projection.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'
import type { Metrics } from '../process/metrics.ts'
import { Consumer, type Consuming, type Step } from './consumer.ts'

/** The dependencies of views. `databaseUrl` is opened for connections without time-outs. */
type Projecting = { consuming: Consuming; bus: Bus; databaseUrl: string; batches: Metrics['batches'] }

const stepOf = ({ consuming, bus, databaseUrl, batches }: Projecting, projection: Projection): Step => {
  const { sql, logger } = consuming
  const { name, version } = projection

  const announce = () => {
    if (projection === leadsProjection) bus.publish(LEADS_CHANNEL, '')
  }

  return async (signal, onAlive) => {
    const { isFilled, advanced, hasMore, events } = await project(sql, projection)
    if (events > 0) batches.observe({ view: name }, events)
    if (advanced) announce()
    if (isFilled) return hasMore ? 'more' : 'done'
    if (!(await tryRebuildLock(sql, schemaOf(projection)))) return 'blocked' // another worker is filling it
    logger.info({ view: name, version }, 'filling')
    const options = { onlyMissing: true, signal, onAlive }
    const position = await rebuildProjection({ databaseUrl, keys: sql.keys }, projection, options)
    logger.info({ view: name, version, position }, 'filled')
    announce()
    return 'more'
  }
}

/**
 * Opens a consumer for every view in the version that this code knows. It notifies clients that watch the leads of
 * changes in theirs. A view that is not filled in this version is filled first, by one worker; its other versions are
 * left alone.
 */
export const openViews = (projecting: Projecting): Consumer[] =>
  PROJECTIONS.map((projection) => new Consumer(projecting.consuming, projection, stepOf(projecting, projection)))
