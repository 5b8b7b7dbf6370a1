import { errorCode } from '../base/error-code.ts'
import type { AnyRecordedEvent, EventType } from '../catalogue.ts'
import {
  advanceCheckpoint,
  assertSameHistory,
  type ConsumerKey,
  lockCheckpoint,
  prepareCheckpoint,
  readCheckpoint,
  resetCheckpoint,
} from '../log/checkpoints.ts'
import { type DeclaredEvents, type Queryable, readDeclared } from '../log/read.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'
import { foldEvents } from './fold-events.ts'

/** How many events are read at a time, and how many one transaction takes in at most: some half a second's work. */
const BATCH_EVENTS = 1_000
const STEP_EVENTS = 10_000

/** The first of the two keys of the locks that rebuilds hold; any number that no other two-key lock uses. */
const REBUILD_LOCKS = 7_283_111

/** A view that is built from the log, in tables of its own. */
export type Projection = ConsumerKey & {
  /** Names the view and its checkpoint. */
  name: string
  /**
   * Raised whenever `types`, `tables`, `indexes` or `apply` change. Each version has tables and a checkpoint of its own, so
   * that workers and nodes of an older and of newer code run side by side, each with the version that they know.
   */
  version: number
  /** The types of events that `apply` handles; all others are skipped, known to this code or not. */
  types: readonly EventType[]
  /** The minimum time between two wake-ups, in milliseconds; none by default. */
  wakeEveryMs?: number
  /** The types among these whose personal part `apply` reads: that of others is not decrypted. */
  opened?: readonly EventType[]
  /** The SQL that makes the view's empty tables in a schema. */
  tables: (schema: string) => string
  /** The SQL for the indexes that only queries need: a rebuild makes them once the tables are full. */
  indexes: (schema: string) => string
  /**
   * Returns the statements that apply these events, in order, to the view; they are sent in their order, in the
   * transaction that advances the checkpoint. It reads the view on `tx`, which sees all earlier writes: a rebuild
   * requests the next statements while Postgres still executes these.
   */
  apply: (tx: Queryable, schema: string, events: AnyRecordedEvent[]) => Promise<PromiseLike<unknown>[]>
}

/**
 * The result of a step: `events` is how many events were folded in. If the view is not filled yet, nothing was done: it
 * has to be rebuilt first.
 */
export type Step = { isFilled: boolean; advanced: boolean; hasMore: boolean; events: number }

const IDLE: Step = { isFilled: true, advanced: false, hasMore: false, events: 0 }
const NOT_FILLED: Step = { isFilled: false, advanced: false, hasMore: false, events: 0 }

/** The Postgres schema of a view's tables in one version. */
export const schemaOf = ({ name, version }: ConsumerKey): string => `view_${name}_${version}`

/**
 * Tries to take the lock that a rebuild of this schema's view holds; fails if another session has it. It is held until
 * the end of the transaction (`xact`) or of the session.
 */
export const tryRebuildLock = async (
  sql: Queryable,
  schema: string,
  until: 'session' | 'xact' = 'xact',
): Promise<boolean> => {
  const lock = until === 'xact' ? sql`pg_try_advisory_xact_lock` : sql`pg_try_advisory_lock`
  const [row] = await sql<{ isOurs: boolean }[]>`select ${lock}(${REBUILD_LOCKS}, hashtext(${schema})) as "isOurs"`
  return row?.isOurs ?? false
}

/**
 * Reads the batches of one step. An unreadable event ends it, and is the first to be read, and reported, in the next
 * one.
 */
const readStep = (tx: Queryable, projection: Projection, from: number) => {
  const read = (after: number) => readDeclared(tx, after, BATCH_EVENTS, projection)
  return (after: number, before?: DeclaredEvents) => {
    if (!before) return read(after)
    if (!before.hasMore || after - from >= STEP_EVENTS) return undefined
    return read(after).catch((): DeclaredEvents => ({ events: [], position: after, hasMore: true }))
  }
}

/**
 * Folds the next events of the log into a view: lock the checkpoint, read, write, advance, commit. Does nothing if
 * another worker holds the checkpoint. Throws LogIntegrityError if this code cannot continue the view.
 */
export const project = (sql: Sql, projection: Projection): Promise<Step> =>
  inTransaction(sql, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, projection)
    if (!checkpoint) return (await readCheckpoint(tx, projection))?.isFilled ? IDLE : NOT_FILLED
    if (!checkpoint.isFilled) return NOT_FILLED
    assertSameHistory(projection, checkpoint)
    if (checkpoint.position === checkpoint.head) return IDLE
    const { position, events, hasMore } = await foldEvents(tx, projection, {
      schema: schemaOf(projection),
      from: checkpoint.position,
      read: readStep(tx, projection, checkpoint.position),
    })
    await advanceCheckpoint(tx, projection, { from: checkpoint, to: position })
    return { isFilled: true, advanced: true, hasMore, events }
  })

/** A longer log is not searched for events that a view handles: its views are filled by rebuilds. */
const YOUNG_LOG_EVENTS = 1_000

/** Whether a log of this length certainly holds nothing for a view, such as a log with nothing but sign-ins. */
const holdsNothingFor = async (tx: Queryable, { types }: Projection, head: number) => {
  if (head > YOUNG_LOG_EVENTS) return false
  const found = await tx`
    select from events where position <= ${YOUNG_LOG_EVENTS} and type = any(${[...types]}::text[]) limit 1`
  return found.length === 0
}

/**
 * Makes a view's checkpoint if there is none, and, as long as the log holds nothing for it, its tables: otherwise a
 * rebuild has to fill them before they are read. Returns whether the view is filled.
 */
export const prepareProjection = (sql: Sql, projection: Projection): Promise<{ isFilled: boolean }> =>
  inTransaction(sql, async (tx) => {
    const schema = schemaOf(projection)
    await prepareCheckpoint(tx, projection, { isFilled: false })
    const before = await readCheckpoint(tx, projection)
    if (!before || before.isFilled) return { isFilled: before?.isFilled ?? false }
    if (!(await holdsNothingFor(tx, projection, before.head))) return { isFilled: false }
    if (!(await tryRebuildLock(tx, schema))) return { isFilled: false }
    const checkpoint = await lockCheckpoint(tx, projection)
    if (!checkpoint || checkpoint.isFilled) return { isFilled: checkpoint?.isFilled ?? false }
    await tx.unsafe(`create schema ${schema}`)
    await tx.unsafe(projection.tables(schema) + projection.indexes(schema))
    await resetCheckpoint(tx, projection, { epoch: checkpoint.epoch, position: 0 })
    return { isFilled: true }
  })

/** Postgres's codes for a table that is not there, and a column: the view is of older code. */
const UNDEFINED = ['42P01', '42703']

/** Whether a view cannot be read because no worker has filled this version of it yet. */
export const isMissingView = (error: unknown): boolean => UNDEFINED.includes(errorCode(error))
