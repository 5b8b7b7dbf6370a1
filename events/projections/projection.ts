import type { AnyRecordedEvent } from '../catalogue.ts'
import { connect, inTransaction, type Sql } from '../log/connection.ts'
import { LogIntegrityError, type Queryable, readHead, readLog } from '../log/read.ts'

const BATCH_EVENTS = 1_000
const REBUILD_BATCH_EVENTS = 2_000

/** A view that is built from the log, in tables of its own. */
export type Projection = {
  /** Names the view and its checkpoint. Its tables are in the Postgres schema `view_<name>`. */
  name: string
  /** Raised whenever `tables`, `indexes` or `apply` change, so that workers rebuild the view from the log. */
  version: number
  /** The SQL that makes the view's empty tables in a schema. */
  tables: (schema: string) => string
  /** The SQL that makes the indexes that only queries need: a rebuild makes them once the tables are full. */
  indexes: (schema: string) => string
  /**
   * Answers the statements that write what these events, in order, mean for the view; they are sent in their order, in
   * the transaction that advances the checkpoint. What it needs of the view it reads on `tx`, where all that was written
   * before is seen: a rebuild asks for the next statements while Postgres still carries out these.
   */
  apply: (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => Promise<PromiseLike<unknown>[]>
}

/** What Postgres may use to make an index of a full table. */
const INDEX_MEMORY = '256MB'

/** How long the removal of the old tables waits at a time: well under Postgres's `deadlock_timeout` of 1 s. */
const REMOVAL_LOCK_TIMEOUT_MS = 200

const IDLE = { advanced: false, hasMore: false }

type Checkpoint = { position: number; version: number; isSameEpoch: boolean; head: number }

/** The Postgres schema that holds a view's tables. */
export const schemaOf = (name: string) => `view_${name}`

/**
 * The head is read after the lock, in a statement of its own: one statement would lock the checkpoint as another worker
 * has just left it, and beside it see the head as it was before, and so take the log for another one.
 */
const lockCheckpoint = async (tx: Queryable, name: string) => {
  const locked = await tx`select 1 from checkpoints where consumer = ${name} for update skip locked`
  if (locked.length === 0) return undefined
  const [checkpoint] = await tx<Checkpoint[]>`
    select c.position, c.version, c.epoch = h.epoch as "isSameEpoch", h.last_position as head
    from checkpoints c, log_head h where c.consumer = ${name}`
  return checkpoint
}

/** Throws LogIntegrityError where a checkpoint cannot belong to this log: a backup has been restored. */
export const assertSameHistory = (
  consumer: string,
  { isSameEpoch, position, head }: Pick<Checkpoint, 'isSameEpoch' | 'position' | 'head'>,
) => {
  if (isSameEpoch && position <= head) return
  throw new LogIntegrityError(
    `The checkpoint of ${consumer} (${position}) is not of this log (at ${head}): after a restored backup, rebuild`,
  )
}

/**
 * Takes the next batch of the log into a view: lock the checkpoint, read, write, advance, commit. Answers whether it
 * came further, and whether there may be more. Where another worker holds the checkpoint there is nothing to do.
 */
export const project = (
  sql: Sql,
  { name, version, apply }: Projection,
): Promise<{ advanced: boolean; hasMore: boolean }> =>
  inTransaction(sql, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, name)
    if (!checkpoint) return IDLE
    assertSameHistory(name, checkpoint)
    if (checkpoint.version !== version) {
      throw new LogIntegrityError(`The view ${name} is of version ${checkpoint.version}, this code of ${version}`)
    }
    if (checkpoint.position === checkpoint.head) return IDLE
    const events = await readLog(tx, checkpoint.position, BATCH_EVENTS)
    await Promise.all(await apply(tx, schemaOf(name), events))
    await tx`
      update checkpoints set position = ${checkpoint.position + events.length}, moved_at = now() where consumer = ${name}`
    return { advanced: true, hasMore: events.length === BATCH_EVENTS }
  })

/** Makes a view's tables where there are none. Answers whether the view is of another version and wants a rebuild. */
export const prepareProjection = (
  sql: Sql,
  { name, version, tables, indexes }: Projection,
): Promise<{ isStale: boolean }> =>
  inTransaction(sql, async (tx) => {
    const { epoch } = await readHead(tx)
    const made = await tx`
      insert into checkpoints (consumer, epoch, version) values (${name}, ${epoch}, ${version})
      on conflict (consumer) do nothing returning consumer`
    if (made.length > 0) {
      await tx.unsafe(`create schema ${schemaOf(name)}`)
      await tx.unsafe(tables(schemaOf(name)) + indexes(schemaOf(name)))
    }
    const [checkpoint] = await tx<{ version: number }[]>`select version from checkpoints where consumer = ${name}`
    return { isStale: checkpoint?.version !== version }
  })

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03'

/**
 * Removes the tables that a rebuild has replaced. A reader that began before may hold one of them and be about to take
 * the next, in an order of its own: it is let go first, not killed as one of a deadlock.
 */
const removeOld = async (sql: Sql, old: string) => {
  await sql.unsafe(`set lock_timeout = ${REMOVAL_LOCK_TIMEOUT_MS}`)
  for (;;) {
    try {
      await sql.unsafe(`drop schema if exists ${old} cascade`)
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
  }
}

/** How far a rebuild has come, in events. */
export type RebuildProgress = { position: number; head: number }

/**
 * Fills a view anew from the first event on, into tables beside the old ones, which keep serving; then switches in one
 * transaction, by a change of names, which waits for no reader and has every plan made anew. One rebuild of a view runs
 * at a time, the next one waits; with `onlyStale` it then finds nothing to do. Answers the position that it reached, or
 * undefined where there was nothing to do. `databaseUrl` is opened for two connections without time-outs: filling, and
 * making the indexes, take as long as they take.
 */
export const rebuildProjection = async (
  databaseUrl: string,
  projection: Projection,
  {
    onlyStale = false,
    onProgress = () => {},
  }: { onlyStale?: boolean; onProgress?: (progress: RebuildProgress) => void } = {},
): Promise<number | undefined> => {
  const [tx, reader] = [1, 2].map(() => connect(databaseUrl, { max: 1, name: 'rebuild', statementTimeoutMs: 0 })) as [
    Sql,
    Sql,
  ]
  const { name, version, tables, indexes, apply } = projection
  const live = schemaOf(name)
  const next = `${live}_next`
  const old = `${live}_old`
  try {
    await tx.unsafe(`set lock_timeout = 0; set maintenance_work_mem = '${INDEX_MEMORY}'; set synchronous_commit = off`)
    await tx`select pg_advisory_lock(hashtext(${next}))`
    const [checkpoint] = await tx<{ version: number }[]>`select version from checkpoints where consumer = ${name}`
    if (onlyStale && checkpoint?.version === version) return undefined
    await tx.unsafe(`drop schema if exists ${next}, ${old} cascade; create schema ${next};`)
    await tx.unsafe(tables(next))

    const fill = async (from: number) => {
      let position = from
      let reading = readLog(reader, position, REBUILD_BATCH_EVENTS)
      let writing: Promise<unknown> = Promise.resolve()
      for (;;) {
        const events = await reading
        if (events.length === 0) break
        position += events.length
        reading = readLog(reader, position, REBUILD_BATCH_EVENTS)
        reading.catch(() => {}) // like `writing`, awaited in the next round; must not go unhandled should apply fail first
        const [statements] = await Promise.all([apply(tx, next, events), writing])
        writing = Promise.all(statements)
        writing.catch(() => {})
        const { position: head } = await readHead(reader)
        onProgress({ position, head })
      }
      await writing
      return position
    }

    const filled = await fill(0)
    await tx.unsafe(indexes(next))
    let reached: number
    await tx`begin`
    try {
      await tx`set local synchronous_commit = on`
      await tx`select 1 from checkpoints where consumer = ${name} for update`
      const position = await fill(filled)
      const { epoch } = await readHead(tx)
      await tx.unsafe(`alter schema ${live} rename to ${old}; alter schema ${next} rename to ${live};`)
      await tx`
        update checkpoints set position = ${position}, version = ${version}, epoch = ${epoch}, moved_at = now()
        where consumer = ${name}`
      await tx`commit`
      reached = position
    } catch (error) {
      await tx`rollback`
      throw error
    }
    await removeOld(tx, old)
    return reached
  } finally {
    await Promise.all([tx.end({ timeout: 1 }), reader.end({ timeout: 1 })])
  }
}
