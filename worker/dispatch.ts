import type { AnyRecordedEvent, EventType } from '../events/catalogue.ts'
import { isForVisitor } from '../events/email-chat.ts'
import { emailAskedFor } from '../events/email-fields.ts'
import { advanceCheckpoint, assertSameHistory, prepareCheckpoint, readCheckpoint } from '../events/log/checkpoints.ts'
import { inTransaction, type Sql } from '../events/log/connection.ts'
import { readDeclared } from '../events/log/read.ts'
import { type AskedDelivery, DISPATCH, noteDeliveries, resendDelivery } from '../events/projections/deliveries.ts'
import type { EmailQueue } from './queue.ts'

const BATCH_EVENTS = 500

/** The types of events that ask for an e-mail, or ask for one again. */
const DISPATCHED_EVENTS = [
  'LeadSubmitted',
  'LeadReleased',
  'EmailActivationRequested',
  'ChatTranscriptRequested',
  'ChatAnswersUnread',
  'EmailResendRequested',
] as const satisfies EventType[]

/** Makes the dispatcher's checkpoint where there is none. */
export const prepareDispatch = (sql: Sql): Promise<void> => prepareCheckpoint(sql, DISPATCH, { isFilled: true })

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
 * once Redis has it. The notes are committed first, so that a job never runs ahead of its row; what is done twice changes
 * nothing, so that two dispatchers, or one that died in between, are safe. Answers whether there may be more.
 */
export const dispatch = async (sql: Sql, queue: EmailQueue): Promise<boolean> => {
  const checkpoint = await readCheckpoint(sql, DISPATCH)
  if (!checkpoint) throw new Error('The dispatcher has no checkpoint')
  assertSameHistory(DISPATCH, checkpoint)
  if (checkpoint.position === checkpoint.head) return false
  const { events, position, hasMore } = await readDeclared(sql, checkpoint.position, BATCH_EVENTS, DISPATCHED_EVENTS)
  const wanted = events.flatMap(askedFor)
  const again = events.flatMap(askedAgain)
  await inTransaction(sql, async (tx) => {
    await noteDeliveries(tx, wanted)
    for (const resend of again) await resendDelivery(tx, resend)
  })
  await queue.add(wanted.map(({ id }) => id))
  await queue.hurry(again.map(({ eventId }) => eventId))
  await advanceCheckpoint(sql, DISPATCH, { from: checkpoint, to: position })
  return hasMore
}
