import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import {
  advanceActingConsumer,
  assertSameHistory,
  prepareActingConsumer,
  readCheckpoint,
} from '../../events/log/checkpoints.ts'
import { inTransaction, type Sql } from '../../events/log/connection.ts'
import { readDeclared } from '../../events/log/read.ts'
import {
  ADDRESSED_EVENTS,
  type AskedDelivery,
  DISPATCHED_EVENTS,
  deliveryAskedBy,
} from '../../events/projections/asked-deliveries.ts'
import { DISPATCH, noteDeliveries, resendDelivery } from '../../events/projections/deliveries.ts'
import { readyAmong, readyInShares } from '../../events/projections/ready-deliveries.ts'
import type { EmailLanes } from './lanes.ts'

const BATCH_EVENTS = 500

/** Makes the dispatcher's checkpoint where there is none. */
export const prepareDispatch = (sql: Sql): Promise<void> => prepareActingConsumer(sql, DISPATCH)

const askedAgain = (event: AnyRecordedEvent) => {
  const { position, recordedAt: askedAt } = event
  return event.type === 'EmailResendRequested' ? [{ eventId: event.data.forwardId, position, askedAt }] : []
}

/**
 * Which deliveries to queue, of these and of those that were asked for again: those that are due and that no worker
 * has, and for one recipient's domain only as many as may be sent at once. So nothing that was sent before is queued
 * again.
 */
const readyOf = async (sql: Sql, asked: AskedDelivery[], again: string[], perShare: number) => {
  const shares = asked.flatMap(({ share }) => (share === null ? [] : [share]))
  const others = asked.flatMap(({ id, share }) => (share === null ? [id] : []))
  return [...(await readyAmong(sql, [...others, ...again])), ...(await readyInShares(sql, shares, perShare))]
}

/**
 * Takes the next batch of the log to the queue. It notes what has to go out, or go out again, queues it, and advances
 * once Redis has it. The notes are committed first, so that a job never runs ahead of its row. To do it twice changes
 * nothing: two dispatchers, even of two versions, are safe, and so is one that died in between. Returns whether there
 * may be more.
 */
export const dispatch = async (sql: Sql, lanes: EmailLanes): Promise<boolean> => {
  const checkpoint = await readCheckpoint(sql, DISPATCH)
  if (!checkpoint) throw new Error('The dispatcher has no checkpoint')
  assertSameHistory(DISPATCH, checkpoint)
  if (checkpoint.position === checkpoint.head) return false
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, BATCH_EVENTS, {
    types: DISPATCHED_EVENTS,
    opened: ADDRESSED_EVENTS,
  })
  const wanted = events.flatMap((event) => deliveryAskedBy(event, sql.keys?.ring) ?? [])
  const again = events.flatMap(askedAgain)
  await inTransaction(sql, async (tx) => {
    await noteDeliveries(tx, wanted)
    for (const resend of again) await resendDelivery(tx, resend)
  })
  const resent = again.map(({ eventId }) => eventId)
  await lanes.add(await readyOf(sql, wanted, resent, lanes.perShare))
  await advanceActingConsumer(sql, DISPATCH, { from: checkpoint, to: position })
  return hasMore
}
