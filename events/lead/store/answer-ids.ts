/** The ids of answers and of their events. They follow from what is stored, so that a try which broke off is completed. */

import { deterministicUuid } from '../../log/event-id.ts'

/** The event by which an answer counts for a lead. */
export const answeredId = (answerId: string) => deterministicUuid('answered', answerId)

/** The answer that a chat gives to a lead by itself, once. */
export const chatAnswerId = (leadId: string, sessionId: string) =>
  deterministicUuid('answer in chat', leadId, sessionId)

/** The event by which an answer by email failed, or arrived, by the event of its delivery. */
export const outcomeId = (deliveryEventId: string) => deterministicUuid('outcome of answer', deliveryEventId)
