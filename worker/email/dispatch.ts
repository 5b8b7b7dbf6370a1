import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { DISPATCH } from '../../events/consumers/acting-consumers.ts'
import { addDeliveries, resendDelivery } from '../../events/email/store/deliveries.ts'
import { readyAmong, readyInShares } from '../../events/email/store/ready-deliveries.ts'
import {
  ADDRESSED_EVENTS,
  type RequestedDelivery,
  requestedDeliveryOf,
} from '../../events/email/store/requested-deliveries.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { actOnLog } from '../consumers/act-on-log.ts'
import type { EmailLanes } from './lanes.ts'

const resendsOf = (event: AnyRecordedEvent) => {
  const { position, recordedAt: askedAt } = event
  return event.type === 'EmailResendRequested' ? [{ eventId: event.data.emailId, position, askedAt }] : []
}

/**
 * The deliveries to queue, of these and of those that were requested again: those that are due and unclaimed, and for
 * one recipient's domain at most as many as may be sent at once. So a delivery that was sent before is never queued
 * again.
 */
const readyOf = async (sql: Sql, requested: RequestedDelivery[], again: string[], perShare: number) => {
  const shares = requested.flatMap(({ share }) => (share === null ? [] : [share]))
  const others = requested.flatMap(({ id, share }) => (share === null ? [id] : []))
  return [...(await readyAmong(sql, [...others, ...again])), ...(await readyInShares(sql, shares, perShare))]
}

/**
 * Queues the next batch of the log. It records the emails that have to go out, or go out again, queues them, and
 * advances once Redis has them. The rows are committed first, so that a job never runs ahead of its row. Idempotent:
 * two dispatchers, even of two versions, are safe, and so is one that died in between. Returns whether there may be
 * more.
 */
export const dispatch = (sql: Sql, lanes: EmailLanes): Promise<boolean> =>
  actOnLog(sql, DISPATCH, { opened: ADDRESSED_EVENTS }, async (events) => {
    const wanted = events.flatMap((event) => requestedDeliveryOf(event, sql.keys?.ring) ?? [])
    const again = events.flatMap(resendsOf)
    await inTransaction(sql, async (tx) => {
      await addDeliveries(tx, wanted)
      for (const resend of again) await resendDelivery(tx, resend)
    })
    const resent = again.map(({ eventId }) => eventId)
    await lanes.add(await readyOf(sql, wanted, resent, lanes.perShare))
    return undefined
  })
