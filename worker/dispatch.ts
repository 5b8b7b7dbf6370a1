import type { AnyRecordedEvent } from '../events/catalogue.ts'
import { isForVisitor } from '../events/email-chat.ts'
import { emailAskedFor } from '../events/email-fields.ts'
import { inTransaction, type Sql } from '../events/log/connection.ts'
import { readHead, readLog } from '../events/log/read.ts'
import { type AskedDelivery, noteDeliveries, resendDelivery } from '../events/projections/deliveries.ts'
import { assertSameHistory } from '../events/projections/projection.ts'
import type { EmailQueue } from './queue.ts'

/** The dispatcher's name among the consumers of the log. */
export const DISPATCH = 'dispatch'
const BATCH_EVENTS = 500

type Checkpoint = { position: number; isSameEpoch: boolean; head: number }

/** Makes the dispatcher's checkpoint where there is none. */
export const prepareDispatch = async (sql: Sql): Promise<void> => {
  const { epoch } = await readHead(sql)
  await sql`insert into checkpoints (consumer, epoch) values (${DISPATCH}, ${epoch}) on conflict do nothing`
}

const askedFor = (event: AnyRecordedEvent): AskedDelivery[] => {
  const { position, stream, recordedAt: askedAt } = event
  const id = emailAskedFor(event)
  return id === undefined
    ? []
    : [{ id, position, stream, askedAt, recipient: isForVisitor(event) ? 'visitor' : 'agency' }]
}

const askedAgain = (event: AnyRecordedEvent) => {
  const { position, recordedAt: askedAt } = event
  return event.type === 'EmailResendRequested' ? [{ eventId: event.data.forwardId, position, askedAt }] : []
}

/**
 * Takes the next batch of the log to the queue: notes what has to go out, or to go out again, queues it, and advances
 * once Redis has it. The notes are committed first, so that a job never runs ahead of its row; whatever is done twice
 * changes nothing, so that two dispatchers, or one that died in between, are safe. Answers whether there may be more.
 */
export const dispatch = async (sql: Sql, queue: EmailQueue): Promise<boolean> => {
  const [checkpoint] = await sql<Checkpoint[]>`
    select c.position, c.epoch = h.epoch as "isSameEpoch", h.last_position as head
    from checkpoints c, log_head h where c.consumer = ${DISPATCH}`
  if (!checkpoint) throw new Error('The dispatcher has no checkpoint')
  assertSameHistory(DISPATCH, checkpoint)
  const { position } = checkpoint
  if (position === checkpoint.head) return false
  const events = await readLog(sql, position, BATCH_EVENTS)
  const wanted = events.flatMap(askedFor)
  const again = events.flatMap(askedAgain)
  await inTransaction(sql, async (tx) => {
    await noteDeliveries(tx, wanted)
    for (const resend of again) await resendDelivery(tx, resend)
  })
  await queue.add(wanted.map(({ id }) => id))
  await queue.hurry(again.map(({ eventId }) => eventId))
  await sql`
    update checkpoints set position = ${position + events.length}, moved_at = now()
    where consumer = ${DISPATCH} and position = ${position}`
  return events.length === BATCH_EVENTS
}
