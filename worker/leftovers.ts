import type { Logger } from 'pino'
import { tidyCheckpoints } from '../events/log/checkpoints.ts'
import type { Sql } from '../events/log/connection.ts'
import { removeLeftovers, retireSuperseded } from '../events/projections/retired.ts'

/**
 * Removes what readers of the log leave behind: old positions, tables that rebuilds have replaced or broke off, and
 * versions of views that nobody keeps any more. `tidied` is kept by the caller between calls (`tidyCheckpoints`).
 */
export const removeOldTables = async (
  { sql, logger }: { sql: Sql; logger: Pick<Logger, 'info'> },
  tidied: Map<string, number>,
): Promise<void> => {
  await tidyCheckpoints(sql, tidied)
  for (const { name, version } of await retireSuperseded(sql)) {
    logger.info({ view: name, version }, 'a version that nobody keeps any more is removed')
  }
  await removeLeftovers(sql)
}
