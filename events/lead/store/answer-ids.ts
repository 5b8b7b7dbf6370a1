/**
 * The ids of replies and of their events. They follow from stored data: a try that broke off is completed under the
 * same ids.
 */

import { deterministicUuid } from '../../log/event-id.ts'

/** The id of the event by which a reply counts for a lead. */
export const answeredId = (answerId: string) => deterministicUuid('answered', answerId)

/** The id of the reply that a chat gives to a lead by itself, once. */
export const chatAnswerId = (leadId: string, sessionId: string) =>
  deterministicUuid('answer in chat', leadId, sessionId)

/** The id of the event by which a reply by email failed, or arrived, from the event of its delivery. */
export const outcomeId = (deliveryEventId: string) => deterministicUuid('outcome of answer', deliveryEventId)
