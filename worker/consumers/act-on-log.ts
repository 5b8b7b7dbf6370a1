import type { AnyRecordedEvent, EventType } from '../../events/catalogue.ts'
import type { LogConsumer } from '../../events/consumers/acting-consumers.ts'
import {
  advanceActingConsumer,
  assertSameHistory,
  type Checkpoint,
  lockCheckpoint,
  readCheckpoint,
} from '../../events/log/checkpoints.ts'
import { type Queryable, readDeclared } from '../../events/log/read.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'

const BATCH_EVENTS = 500

/** `opened`: the types whose personal part is decrypted; all by default. */
type Options = { limit?: number; opened?: readonly EventType[] }

/** Acts on events. Returns the position up to which it acted if it left some of them for the next step. */
type Act = (events: AnyRecordedEvent[]) => Promise<number | undefined>

const step = async (
  sql: Queryable,
  consumer: LogConsumer,
  checkpoint: Checkpoint,
  { limit = BATCH_EVENTS, ...opened }: Options,
  act: Act,
) => {
  assertSameHistory(consumer, checkpoint)
  if (checkpoint.position === checkpoint.head || limit <= 0) return false
  const declared = { types: consumer.types, ...opened }
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, limit, declared)
  const to = (await act(events)) ?? position
  if (to > checkpoint.position) await advanceActingConsumer(sql, consumer, { from: checkpoint, to })
  return hasMore || to < position
}

/**
 * Passes the next events after a consumer's checkpoint to `act`, then advances the checkpoint. A step that breaks off
 * is repeated, and two workers may do it at once: `act` must be idempotent. Returns whether there may be more.
 */
export const actOnLog = async (sql: Sql, consumer: LogConsumer, options: Options, act: Act): Promise<boolean> => {
  const checkpoint = await readCheckpoint(sql, consumer)
  if (!checkpoint) throw new Error(`${consumer.name} has no checkpoint`)
  return await step(sql, consumer, checkpoint, options, act)
}

/**
 * Does the same in one transaction that holds the checkpoint: the rows that `act` writes by `tx` are committed with it,
 * once. If another worker holds the checkpoint, nothing is done.
 */
export const actOnLogOnce = (
  sql: Sql,
  consumer: LogConsumer,
  options: Options,
  act: (tx: Queryable, events: AnyRecordedEvent[]) => Promise<number | undefined>,
): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const checkpoint = await lockCheckpoint(tx, consumer)
    return checkpoint ? await step(tx, consumer, checkpoint, options, (events) => act(tx, events)) : false
  })
