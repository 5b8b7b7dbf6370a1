/**
 * What an answer changes in a lead: anyone who has been answered does not wait any more, and who answers a lead that is
 * nobody's takes care of it from then on. Each is an event of its own, so that either can be taken back where the other
 * was changed since. Its id comes from that of the answer: a try which broke off is completed, and a timeline tells of
 * the answer and its changes in one entry.
 *
 * The chat is no stream of a lead's. Staff answer a lead there too, if it was made of the chat, or that one was merged
 * into it. An address that was typed in the chat proves nothing, and answers no lead. A chat answers a lead by itself once.
 * Where it does not, or that was taken back, staff can say that what they wrote there was the answer: each time is an
 * answer of its own, whose id its changes hold.
 */

import { leadFollowUpChanged } from '../follow-up.ts'
import type { Lead, LeadEvent } from '../lead.ts'
import { deterministicUuid } from './event-id.ts'

/** The event by which an answer stops the lead's clock. */
export const answeredId = (answerId: string) => deterministicUuid('answered', answerId)

/** The event by which a lead that was nobody's is now that of its answer's author. */
export const ownedId = (answerId: string) => deterministicUuid('owned by answer', answerId)

/** What a chat has answered of a lead counts as one answer. */
export const chatAnswerId = (leadId: string, sessionId: string) =>
  deterministicUuid('answer in chat', leadId, sessionId)

/** The answer in a chat of which a change of a lead is a part; undefined for other changes. */
export const answerInChat = (
  leadId: string,
  { inChat, answerId }: { inChat?: unknown; answerId?: unknown },
): string | undefined =>
  typeof inChat === 'string' ? (typeof answerId === 'string' ? answerId : chatAnswerId(leadId, inChat)) : undefined

/**
 * Whether what staff wrote at a position of the log, in a chat of which the lead was made, counts as an answer to it: not
 * where the lead came later or was set back to new since, nor where that was done to what the chat had answered before. A
 * lead is set back to new by staff, or by an email that came back.
 */
export const countsAsAnswer = (
  { sessionId, position }: { sessionId: string; position: number },
  events: LeadEvent[],
): boolean => {
  const since = events.findLast(
    ({ type, data }, index) => index === 0 || (type === 'LeadFollowUpChanged' && data.followUpStatus === 'new'),
  )
  if (!since || position < since.position) return false
  return !events.some(
    (event) =>
      event.type === 'LeadFollowUpChanged' && event.data.inChat === sessionId && event.position < since.position,
  )
}

/**
 * What an answer in a chat adds to its changes. `answeredAt` is when it was written, ISO 8601; `isCounted` that staff said
 * that it was an answer.
 */
type InChat = { sessionId: string; answeredAt: string; isCounted?: boolean }

/**
 * The events of what an answer changes in a lead as it stands; none where nothing changes. `by` is who answered, and
 * takes care of it from then on, unless `ownerId` names who does. `answeredAt` is when that was, ISO 8601, where it is
 * stored later.
 */
export const changesByAnswer = (
  lead: Pick<Lead, 'followUpStatus' | 'ownerId'>,
  answer: { answerId: string; by: string; ownerId?: string; answeredAt?: string | undefined; chat?: InChat },
) => {
  const { answerId, by, ownerId = by, chat, answeredAt = chat?.answeredAt } = answer
  const inChat = chat && { inChat: chat.sessionId, ...(chat.isCounted && { answerId }) }
  const answered = { followUpStatus: 'contacted' as const, ...(answeredAt && { answeredAt }), by, ...inChat }
  return [
    ...(lead.followUpStatus === 'new' ? [{ id: answeredId(answerId), ...leadFollowUpChanged(answered) }] : []),
    ...(lead.ownerId === null ? [{ id: ownedId(answerId), ...leadFollowUpChanged({ ownerId, by, ...inChat }) }] : []),
  ]
}
