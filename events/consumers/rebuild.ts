import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SubjectKeys } from '../keys/subject-keys.ts'
import { prepareCheckpoint, readCheckpoint, resetCheckpoint } from '../log/checkpoints.ts'
import { readDeclared, readHead } from '../log/read.ts'
import { foldEvents } from '../projections/fold-events.ts'
import { type Projection, schemaOf, tryRebuildLock } from '../projections/projection.ts'
import { removeUnusedTables } from '../projections/unused-tables.ts'
import { connect, type Sql } from '../stores/connection.ts'

const REBUILD_BATCH_EVENTS = 2_000

/** The memory that Postgres may use to make an index of a full table. */
const INDEX_MEMORY = '256MB'

/** How often a rebuild checks whether the previous one has ended. Waiting in Postgres would hold a snapshot open. */
const LOCK_POLL_MS = 250

/** How long a rebuild waits for the one before it, which may never end. */
const LOCK_WAIT_MS = 10 * 60_000

/** How often a rebuild checks whether Postgres is working on its indexes. */
const INDEX_POLL_MS = 10_000

/** How far a rebuild has come, in events. */
export type RebuildProgress = { position: number; head: number }

export type RebuildOptions = {
  /** Does nothing if the view is filled: another worker may have filled it while this one waited. */
  onlyMissing?: boolean
  onProgress?: (progress: RebuildProgress) => void
  /** Called repeatedly while the rebuild runs, or waits for another one within `lockWaitMs`. */
  onAlive?: () => void
  /** How long it waits for another rebuild before it throws. */
  lockWaitMs?: number
  /** Aborts the rebuild: the view stays as it was. */
  signal?: AbortSignal
}

/** Fills a schema's tables from the log: reads the next batch while Postgres still writes the last one. */
const openFilling = (
  { tx, reader }: { tx: Sql; reader: Sql },
  projection: Projection,
  { schema, onProgress }: { schema: string; onProgress: (progress: RebuildProgress) => void },
) => {
  const onBatch = async (position: number) => {
    const { position: head } = await readHead(reader)
    onProgress({ position, head })
  }

  /**
   * Fills from a position on, up to the end of the log or to the batch that reaches `upTo`. Returns the position
   * reached.
   */
  return async (from: number, upTo = Number.POSITIVE_INFINITY) => {
    const read = (after: number) =>
      after < upTo ? readDeclared(reader, after, REBUILD_BATCH_EVENTS, projection) : undefined
    const { position } = await foldEvents(tx, projection, { schema, from, read, onBatch })
    return position
  }
}

/** Puts the filled tables in the place of the old ones, at the position that they have reached by then. */
const switchTo = async (
  tx: Sql,
  projection: Projection,
  { next, fillOn }: { next: string; fillOn: (upTo: number) => Promise<number> },
) => {
  const live = schemaOf(projection)
  const { name, version } = projection
  await tx`begin`
  try {
    await tx`set local synchronous_commit = on`
    await tx`select 1 from checkpoints where consumer = ${name} and version = ${version} for update`
    const { epoch, position: head } = await readHead(tx)
    const position = await fillOn(head)
    const [old] = await tx`select from pg_namespace where nspname = ${live}`
    if (old) await tx.unsafe(`alter schema ${live} rename to ${live}_old_${randomBytes(4).toString('hex')}`)
    await tx.unsafe(`alter schema ${next} rename to ${live}`)
    await resetCheckpoint(tx, projection, { epoch, position })
    await tx`commit`
    return position
  } catch (error) {
    await tx`rollback`
    throw error
  }
}

type Waiting = { waitMs: number; onAlive: () => void; signal: AbortSignal | undefined }

const waitForLock = async (tx: Sql, schema: string, { waitMs, onAlive, signal }: Waiting) => {
  const deadline = performance.now() + waitMs
  while (!(await tryRebuildLock(tx, schema, 'session'))) {
    if (performance.now() > deadline) {
      throw new Error(`Another rebuild of ${schema} has not ended within ${waitMs / 1000} s`)
    }
    onAlive()
    await delay(LOCK_POLL_MS, undefined, signal && { signal })
  }
}

/** Makes the indexes; alive as long as Postgres is at work on them and waits for no lock. */
const makeIndexes = async (
  { tx, reader }: { tx: Sql; reader: Sql },
  indexes: string,
  onAlive: () => void,
): Promise<void> => {
  const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  const look = async () => {
    const atWork = await reader`
      select from pg_stat_activity
      where pid = ${backend?.pid ?? 0} and state = 'active' and wait_event_type is distinct from 'Lock'`
    if (atWork.length > 0) onAlive()
  }
  const looking = setInterval(() => look().catch(() => {}), INDEX_POLL_MS)
  try {
    await tx.unsafe(indexes)
  } finally {
    clearInterval(looking)
  }
  onAlive()
}

/**
 * Fills a view from the first event on, into new tables next to the old ones, which continue to serve; then switches in
 * one transaction, by renaming, which waits for no reader and makes every plan be made again. The old tables are
 * removed later (`removeUnusedTables`): a backup may hold them for hours. One rebuild of a version of a view runs at a
 * time, the next one waits. Returns the position that it reached, or undefined if there was nothing to do.
 * `databaseUrl` is opened for two connections without time-outs: filling, and making the indexes, may take any time;
 * `keys` decrypt personal data.
 */
export const rebuildProjection = async (
  { databaseUrl, keys }: { databaseUrl: string; keys: SubjectKeys | undefined },
  projection: Projection,
  {
    onlyMissing = false,
    onProgress = () => {},
    onAlive = () => {},
    lockWaitMs = LOCK_WAIT_MS,
    signal,
  }: RebuildOptions = {},
): Promise<number | undefined> => {
  const open = () => connect(databaseUrl, { max: 1, name: 'rebuild', statementTimeoutMs: 0, keys })
  const [tx, reader] = [open(), open()]
  const live = schemaOf(projection)
  const next = `${live}_next_${randomBytes(4).toString('hex')}`
  const breakOff = () => {
    for (const sql of [tx, reader]) sql.end({ timeout: 0 }).catch(() => {})
  }
  signal?.addEventListener('abort', breakOff, { once: true })
  try {
    signal?.throwIfAborted()
    await tx.unsafe(`set lock_timeout = 0; set maintenance_work_mem = '${INDEX_MEMORY}'; set synchronous_commit = off`)
    await waitForLock(tx, live, { waitMs: lockWaitMs, onAlive, signal })
    await prepareCheckpoint(tx, projection, { isFilled: false })
    if (onlyMissing && (await readCheckpoint(tx, projection))?.isFilled) return undefined
    await removeUnusedTables(tx, live)
    await tx.unsafe(`create schema ${next}; ${projection.tables(next)}`)
    const onBatch = (progress: RebuildProgress) => {
      onAlive()
      onProgress(progress)
    }
    const fill = openFilling({ tx, reader }, projection, { schema: next, onProgress: onBatch })
    const filled = await fill(0)
    await makeIndexes({ tx, reader }, projection.indexes(next), onAlive)
    return await switchTo(tx, projection, { next, fillOn: (upTo) => fill(filled, upTo) })
  } finally {
    signal?.removeEventListener('abort', breakOff)
    await Promise.all([tx, reader].map((sql) => sql.end({ timeout: 1 })))
  }
}
