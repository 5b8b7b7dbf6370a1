import type { Sql } from '../events/log/connection.ts'
import type { Follower } from '../events/log/follow.ts'
import { chatsProjection } from '../events/projections/chats.ts'
import { LEADS_CHANNEL, leadsProjection } from '../events/projections/leads.ts'
import { overviewProjection } from '../events/projections/overview.ts'
import { type Projection, prepareProjection, project, rebuildProjection } from '../events/projections/projection.ts'
import { type Consuming, consume, halt } from './consume.ts'

/** Every view that workers keep. */
export const PROJECTIONS: Projection[] = [leadsProjection, chatsProjection, overviewProjection]

/** Makes the tables of views that have none. Answers the views whose code has changed since they were filled. */
export const prepareProjections = async (sql: Sql): Promise<Projection[]> => {
  const stale: Projection[] = []
  for (const projection of PROJECTIONS) {
    if ((await prepareProjection(sql, projection)).isStale) stale.push(projection)
  }
  return stale
}

/**
 * Keeps every view up to date, and tells those who watch the leads when theirs has changed. A stale view is filled anew
 * first, while the old one serves and the others go on.
 */
export const runProjections = (
  consuming: Consuming,
  { databaseUrl, stale }: { databaseUrl: string; stale: Projection[] },
): Follower => {
  const { sql, bus, logger } = consuming
  const followers: Follower[] = []
  let isStopped = false

  const keep = (projection: Projection) => {
    if (isStopped) return
    const step = async () => {
      const { advanced, hasMore } = await project(sql, projection)
      if (advanced && projection === leadsProjection) bus.publish(LEADS_CHANNEL, '')
      return hasMore
    }
    followers.push(consume(consuming, projection.name, step))
  }

  const renew = async (projection: Projection) => {
    const { name, version } = projection
    logger.info({ view: name, version }, 'rebuilding')
    const position = await rebuildProjection(databaseUrl, projection, { onlyStale: true })
    logger.info({ view: name, version, position }, 'rebuilt')
  }

  for (const projection of PROJECTIONS) {
    if (!stale.includes(projection)) keep(projection)
    else {
      renew(projection).then(
        () => keep(projection),
        (cause) => halt(consuming, projection.name, new Error('The view could not be rebuilt: start again', { cause })),
      )
    }
  }

  return {
    stop: async () => {
      isStopped = true
      await Promise.all(followers.map((follower) => follower.stop()))
    },
  }
}
