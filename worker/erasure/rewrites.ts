import type { Logger } from 'pino'
import { errorCode } from '../../events/base/error-code.ts'
import { rebuildProjection } from '../../events/consumers/rebuild.ts'
import { PROJECTIONS } from '../../events/consumers/registry.ts'
import {
  claimRewrites,
  finishRewrite,
  REWRITE_AFTER_MS,
  REWRITTEN_TABLES,
  type Rewrite,
  releaseRewrite,
} from '../../events/erasure/due-rewrites.ts'
import type { ConsumerKey } from '../../events/log/checkpoints.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'

/** How long a rewrite waits for a table: later users of the table wait as well. */
const LOCK_TIMEOUT_MS = 200

/** Postgres's code for a lock that was not available: another connection reads the table, or began a rewrite before. */
const isInUse = (error: unknown) => errorCode(error) === '55P03'

/** The tables that this code can rewrite. */
const REWRITABLE: readonly ConsumerKey[] = [...PROJECTIONS, ...REWRITTEN_TABLES.map((name) => ({ name, version: 0 }))]

/** The dependencies of rewriting. `directUrl` and `keysDatabaseUrl` are opened for connections without time-outs. */
export type Rewriting = {
  sql: Sql
  logger: Pick<Logger, 'info' | 'error'>
  directUrl: string
  keysDatabaseUrl: string | undefined
}

const onOwnConnection = async (databaseUrl: string, work: (sql: Sql) => Promise<unknown>) => {
  const sql = connect(databaseUrl, { max: 1, name: 'rewrite', statementTimeoutMs: 0 })
  try {
    await sql.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const carryOut = async (
  { sql, directUrl, keysDatabaseUrl }: Rewriting,
  { name, version, erasedBy }: Rewrite,
  signal: AbortSignal,
) => {
  const view = PROJECTIONS.find((projection) => projection.name === name && projection.version === version)
  if (view) await rebuildProjection({ databaseUrl: directUrl, keys: sql.keys }, view, { signal })
  else if (name === 'deliveries') {
    await onOwnConnection(directUrl, (own) => own`select rewrite_deliveries(${erasedBy})`)
  } else {
    for (const url of keysDatabaseUrl === undefined ? [directUrl] : [directUrl, keysDatabaseUrl]) {
      await onOwnConnection(url, (own) => own`select rewrite_subject_keys(${erasedBy})`)
    }
  }
}

/**
 * Writes tables that have held data of erased people into new files, `afterMs` after the erasure at the earliest: views
 * are filled again from the log, tables are copied. The old files go with the tables that a rebuild has replaced
 * (`removeUnusedTables`). Any number of workers may do it at once: one takes a rewrite. A table that fails, or is in use,
 * is rewritten by the next call, and delays no other.
 */
export const rewriteErased = async (
  rewriting: Rewriting,
  { afterMs = REWRITE_AFTER_MS, signal }: { afterMs?: number; signal: AbortSignal },
): Promise<void> => {
  const { sql, logger } = rewriting

  const rewrite = async (claimed: Rewrite) => {
    const { name, version } = claimed
    try {
      signal.throwIfAborted()
      await carryOut(rewriting, claimed, signal)
      await finishRewrite(sql, claimed)
      logger.info({ rewritten: name, version }, 'written into new files after an erasure')
    } catch (error) {
      await releaseRewrite(sql, claimed)
      if (signal.aborted) return
      if (isInUse(error)) logger.info({ rewritten: name, version }, 'in use: to be rewritten later')
      else
        logger.error({ err: error, rewritten: name, version }, 'could not be rewritten after an erasure, trying again')
    }
  }

  for (const claimed of await claimRewrites(sql, { wanted: REWRITABLE, afterMs })) await rewrite(claimed)
}
