/**
 * Webhooks: other programs get leads and chats as events occur, at addresses that owners enter in the settings. A
 * consumer of the log stores a delivery for each event and webhook (worker/webhooks/note.ts). Jobs send them, at least
 * once and always under the same id, signed as Standard Webhooks require (worker/webhooks/send.ts). A refused message
 * is tried again for a day, later each time. A webhook that has accepted nothing for a day, or responds with 410, is
 * paused, and owners get an email; later messages wait. Deliveries and jobs hold ids: the content of a message is read
 * when it is sent, so that nothing is sent about a person who has been erased. Staff see every delivery of the last 30
 * days, and can send it again.
 */

import * as v from 'valibot'
import { defineEvent, type RecordedEvent, type StreamOf } from '../base/definition.ts'

const uuid = v.pipe(v.string(), v.uuid())

/** Staff requested that a delivery is sent again. */
export const webhookResendRequested = defineEvent({
  type: 'WebhookResendRequested',
  schemaVersion: 1,
  data: v.object({ deliveryId: uuid, by: uuid }),
  personal: null,
})

/** The stream of all requests to send a delivery again. */
export const WEBHOOK_RESENDS: StreamOf<RecordedEvent<typeof webhookResendRequested>> = 'webhook-resends'
