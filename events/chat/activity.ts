/**
 * The activity around a chat (transcripts and emails, the lead made of it, its erasure) has a stream of its own, to
 * keep the numbers of messages without gaps. How far each side has read, and the visitor's newest 50 pages, are
 * presence and not history: two small tables outside the log store them until 90 days after the chat's last activity.
 * No table holds the staff who view a chat or type, or whether its visitor is connected: each node repeats its part in
 * Redis, where it expires within 5 s (api/chat/presence/presence.ts).
 *
 * A chat in which no one writes for a day ends by itself. Replies that their visitor has not seen after five minutes
 * are sent by email. While a chat is open, the device that began it can give an address, or correct it, up to five
 * times; the latest counts. Only staff see it, because others may have a link to the chat. It is in a stream of its own
 * (given-email.ts).
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import type { EmailEvent } from '../email/email.ts'
import type { Party } from './parties.ts'

const id = v.pipe(v.string(), v.uuid())
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Staff made a lead of the chat. */
export const chatBecameLead = defineEvent({
  type: 'ChatBecameLead',
  schemaVersion: 1,
  data: v.object({ leadId: id, by: id }),
  personal: null,
})

/** Staff asked for the conversation, up to a sequence number, to be sent to the visitor by email. */
export const chatTranscriptRequested = defineEvent({
  type: 'ChatTranscriptRequested',
  schemaVersion: 1,
  data: v.object({ upTo: sequence, by: id }),
  personal: v.object({ to: v.string() }),
})

/** Older replies are not sent by email: they are no longer news. */
export const UNREAD_UNTIL_MS = 3 * 24 * 60 * 60 * 1000

/** The visitor had left when these replies arrived (`after` exclusive, `upTo` inclusive): they are sent by email. */
export const chatAnswersUnread = defineEvent({
  type: 'ChatAnswersUnread',
  schemaVersion: 1,
  data: v.object({ after: sequence, upTo: sequence }),
  personal: v.object({ to: v.string() }),
})

/**
 * An owner had the person behind the chat erased, with all that was said, or the period of storage was over (`by` is
 * null): the data key of both is destroyed.
 */
export const chatErased = defineEvent({
  type: 'ChatErased',
  schemaVersion: 1,
  data: v.object({ by: v.nullable(id) }),
  personal: null,
})

/** The events that ask for an email to the visitor of a chat. */
export type ChatEmailEvent = RecordedEvent<typeof chatTranscriptRequested> | RecordedEvent<typeof chatAnswersUnread>

/** The events of a session's activity stream that are about the chat itself. */
export const activityEvents = [chatBecameLead, chatTranscriptRequested, chatAnswersUnread, chatErased] as const

export type ChatActivityEvent = RecordedEvent<(typeof activityEvents)[number]>

/**
 * One stream per session, for the events around its messages: transcripts, emails, the lead made of it, its erasure.
 */
export const chatActivityStreams = defineStreams<ChatActivityEvent | EmailEvent>('chat-desk-')

/** A page that a visitor viewed; `version` counts the pages of a chat and identifies them. `timestamp` is ISO 8601. */
export type ViewedPage = { version: number; pageUrl: string; timestamp: string }

/**
 * How far a party's own devices have got with the other side's messages: `delivered` and `seen` are sequence numbers;
 * all messages up to them have arrived, or have been seen; 0 for none. They never decrease.
 */
export type Receipt = { delivered: number; seen: number }

/** How far each side has got with the other's messages. */
export type Receipts = Record<Party, Receipt>

/** The initial receipts. */
export const NO_RECEIPTS: Receipts = { visitor: { delivered: 0, seen: 0 }, admin: { delivered: 0, seen: 0 } }

/** The combination of two reports. */
export const furthest = (a: Receipt, b: Receipt): Receipt => ({
  delivered: Math.max(a.delivered, b.delivered),
  seen: Math.max(a.seen, b.seen),
})

/**
 * A party's receipt after a report: never lower than before, never beyond the last message; a seen message counts as
 * delivered. Undefined if the report changes nothing.
 */
export const advanceReceipt = (current: Receipt, reported: Receipt, lastSequence: number): Receipt | undefined => {
  const seen = Math.max(current.seen, Math.min(reported.seen, lastSequence))
  const delivered = Math.max(current.delivered, Math.min(reported.delivered, lastSequence), seen)
  return seen > current.seen || delivered > current.delivered ? { delivered, seen } : undefined
}
