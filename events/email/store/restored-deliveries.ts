import type { AnyRecordedEvent, EventType } from '../../catalogue.ts'
import { UNREAD_UNTIL_MS } from '../../chat/activity.ts'
import { DISPATCH } from '../../consumers/acting-consumers.ts'
import { emailStatusAfter } from '../../lead/lead.ts'
import { columns, decode, type EventRow, type Queryable, rowsOf } from '../../log/decode.ts'
import { addDeliveries, resendDelivery } from './deliveries.ts'
import { requestedDeliveryOf } from './requested-deliveries.ts'

const BATCH_EVENTS = 500

/** The events that request an email, or record its outcome. */
const EMAIL_EVENTS: EventType[] = [...DISPATCH.types, 'EmailSent', 'EmailFailed']

/** Applies an outcome in the log unless the table has a later attempt. */
const noteOutcome = async (tx: Queryable, event: AnyRecordedEvent) => {
  switch (event.type) {
    case 'EmailSent':
    case 'EmailFailed': {
      const { emailId, attempt } = event.data
      await tx`
        update deliveries set state = ${emailStatusAfter(event)}, attempts = ${attempt}, updated_at = ${event.recordedAt}
        where event_id = ${emailId} and attempts < ${attempt}`
      return
    }
    case 'EmailResendRequested':
      await resendDelivery(tx, {
        eventId: event.data.emailId,
        position: event.position,
        askedAt: event.recordedAt,
      })
      return
    default:
      return
  }
}

/** The log does not record that a visitor had seen replies and no email was sent: old ones count as seen. */
const settleOldAnswers = async (tx: Queryable) => {
  await tx`
    with settled as (
      update deliveries d set state = 'delivered', attempts = 1, updated_at = now() from events e
      where e.id = d.event_id and e.type = 'ChatAnswersUnread' and d.state = 'pending' and d.attempts = 0
        and d.resend_position = 0 and e.recorded_at < now() - ${UNREAD_UNTIL_MS} * interval '1 millisecond'
      returning d.event_id
    )
    insert into delivery_tries (event_id, attempt, kind) select event_id, 1, 'seen' from settled on conflict do nothing`
}

/**
 * Brings the table of deliveries from the dispatcher's checkpoint to the end of the log, with the outcomes in the log
 * itself: those that are open are sent, and no other. Idempotent.
 */
export const catchUpDeliveries = async (
  tx: Queryable,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> => {
  let position = after
  for (;;) {
    const rows = await tx<EventRow[]>`
      select ${columns(tx)} from ${rowsOf(tx)}
      where e.position > ${position} and e.position <= ${upTo} and e.type in ${tx(EMAIL_EVENTS)}
      order by e.position limit ${BATCH_EVENTS}`
    const events = await decode(tx, rows)
    for (const event of events) {
      const requested = requestedDeliveryOf(event, tx.keys?.ring)
      if (requested) await addDeliveries(tx, [requested])
      await noteOutcome(tx, event)
    }
    position = rows.at(-1)?.position ?? upTo
    if (rows.length < BATCH_EVENTS) break
  }
  await settleOldAnswers(tx)
}
