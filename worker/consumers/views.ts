import type { Bus } from '../../events/log/bus.ts'
import { LEADS_CHANNEL, leadsProjection } from '../../events/projections/leads.ts'
import { type Projection, project } from '../../events/projections/projection.ts'
import { type RebuildProgress, rebuildProjection } from '../../events/projections/rebuild.ts'
import { PROJECTIONS } from '../../events/projections/registry.ts'
import { askForRebuild, type ReaderQueue } from '../../events/projections/wake-ups.ts'
import type { Metrics } from '../metrics.ts'
import { openReader, type Reader, type Reading, type Work } from './consumer.ts'

/** What views are kept with. `databaseUrl` is opened for connections without time-outs. */
export type Projecting = {
  reading: Reading
  bus: Bus
  queue: ReaderQueue
  databaseUrl: string
  batches: Metrics['batches']
}

/** A view's reader, and its rebuild. */
export type ViewReader = {
  reader: Reader
  /** Fills the view from the log; `onlyMissing`: unless it is filled by then. Answers the position reached, if it did. */
  rebuild: (options: {
    onlyMissing: boolean
    onProgress: (progress: RebuildProgress) => void
  }) => Promise<number | undefined>
}

const openView = ({ reading, bus, queue, databaseUrl, batches }: Projecting, projection: Projection): ViewReader => {
  const { sql, logger } = reading
  const { name, version } = projection

  const tellChange = () => {
    if (projection === leadsProjection) bus.publish(LEADS_CHANNEL, '')
  }

  const fill =
    (onlyMissing: boolean, onProgress?: (progress: RebuildProgress) => void): Work<number | undefined> =>
    async (signal, onAlive) => {
      logger.info({ view: name, version }, 'filling')
      const options = { onlyMissing, signal, onAlive, ...(onProgress && { onProgress }) }
      const position = await rebuildProjection({ databaseUrl, keys: sql.keys }, projection, options)
      logger.info({ view: name, version, position }, 'filled')
      tellChange()
      return position
    }

  const isAskedFor = () =>
    askForRebuild(queue, projection, { onlyMissing: true }).then(
      () => true,
      () => false, // without Redis this worker fills the view itself
    )

  const reader = openReader(reading, projection, async (signal, onAlive) => {
    const { isFilled, advanced, hasMore, events } = await project(sql, projection)
    if (events > 0) batches.observe({ view: name }, events)
    if (advanced) tellChange()
    if (isFilled) return hasMore ? 'more' : 'done'
    if (await isAskedFor()) return 'blocked'
    await fill(true)(signal, onAlive)
    return 'more'
  })
  return {
    reader,
    rebuild: async ({ onlyMissing, onProgress }) => await reader.attempt(fill(onlyMissing, onProgress)),
  }
}

/**
 * Opens a reader for every view in the version that this code knows, which tells those who watch the leads when theirs has
 * changed. A view that is not filled in this version is filled by a job of its own; the other views go on meanwhile, and
 * other versions of it are left alone.
 */
export const openViews = (projecting: Projecting): ViewReader[] =>
  PROJECTIONS.map((projection) => openView(projecting, projection))
