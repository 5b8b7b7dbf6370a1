import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { tidyCheckpoints } from '../events/log/checkpoints.ts'
import type { Sql } from '../events/log/connection.ts'
import { removeLeftovers, retireSuperseded } from '../events/projections/retired.ts'

const UPKEEP_EVERY_MS = 60_000

/**
 * Removes in the background what consumers of the log leave behind: old positions, tables that rebuilds have replaced or
 * broke off, and versions of views that nobody keeps any more. Once at the start and then every minute; any number of
 * workers may do so at once. What fails is done in the next round.
 */
export const startUpkeep = (
  { sql, logger }: { sql: Sql; logger: Logger },
  { everyMs = UPKEEP_EVERY_MS }: { everyMs?: number | undefined } = {},
): { stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping
  const tidied = new Map<string, number>()

  const look = async () => {
    await tidyCheckpoints(sql, tidied)
    for (const { name, version } of await retireSuperseded(sql)) {
      logger.info({ view: name, version }, 'a version that nobody keeps any more is removed')
    }
    await removeLeftovers(sql)
  }

  const run = async () => {
    while (!signal.aborted) {
      await look().catch((error) => logger.error({ err: error }, 'old tables and positions could not be removed'))
      await delay(everyMs, undefined, { signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
