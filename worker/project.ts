import type { Logger } from 'pino'
import type { Bus } from '../events/log/bus.ts'
import type { Sql } from '../events/log/connection.ts'
import { type Follower, follow } from '../events/log/follow.ts'
import { LEADS_CHANNEL } from '../events/projections/channels.ts'
import { chatsProjection } from '../events/projections/chats.ts'
import { leadsProjection } from '../events/projections/leads.ts'
import { type Projection, prepareProjection, project, rebuildProjection } from '../events/projections/projection.ts'

/** Every view that workers keep. */
export const PROJECTIONS: Projection[] = [leadsProjection, chatsProjection]

/** Makes the views' tables, and fills anew those whose code has changed; the old ones serve until the new are full. */
export const prepareProjections = async (sql: Sql, logger: Logger): Promise<void> => {
  for (const projection of PROJECTIONS) {
    const { isStale } = await prepareProjection(sql, projection)
    if (!isStale) continue
    logger.info({ view: projection.name, version: projection.version }, 'rebuilding')
    const position = await rebuildProjection(sql, projection)
    logger.info({ view: projection.name, position }, 'rebuilt')
  }
}

/** Keeps every view up to date, and tells those who watch the leads when theirs has changed. */
export const runProjections = (sql: Sql, bus: Bus, logger: Logger): Follower[] =>
  PROJECTIONS.map((projection) =>
    follow(
      bus,
      async () => {
        const { advanced, hasMore } = await project(sql, projection)
        if (advanced && projection === leadsProjection) bus.publish(LEADS_CHANNEL, '')
        return hasMore
      },
      {
        onError: (error) => logger.error({ err: error, view: projection.name }, 'projection failed, trying again'),
        onHalt: (error) => logger.fatal({ err: error, view: projection.name }, 'projection halted'),
      },
    ),
  )
