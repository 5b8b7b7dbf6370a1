/**
 * Staff are notified on their devices of the chats that wait for a first reply, in support hours. One notification
 * covers all of them, and the next one to the same person comes a minute later at the earliest: a script that begins
 * many chats must not ring without end. Each staff member has a stream, whose last event lists the chats of their last
 * notification.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import type { ChatSummary } from './progress.ts'

/** How long a visitor waits before devices are notified: staff who see the chat on a screen reply first. */
export const CHAT_ALERT_AFTER_MS = 25_000

/**
 * How long the devices of one person stay quiet after a notification. A chat that begins during that time is notified
 * at its end.
 */
export const CHAT_ALERT_EVERY_MS = 60_000

/** A chat whose first message is older is no longer news. It has ended by itself by then. */
export const CHAT_ALERT_UNTIL_MS = 24 * 60 * 60 * 1000

/** A notification goes to all devices of one member of staff. `sessionId` is the chat that has waited longest. */
export const chatPushRequested = defineEvent({
  type: 'ChatPushRequested',
  schemaVersion: 1,
  data: v.object({
    sessionId: v.pipe(v.string(), v.uuid()),
    accountId: v.pipe(v.string(), v.uuid()),
  }),
  personal: null,
})

/** One stream per staff member, for their notifications of chats. */
export const chatAlertStreams = defineStreams<RecordedEvent<typeof chatPushRequested>>('chat-alerts-to-')

/** Whether the visitor of a chat has written and staff have not replied yet. */
export const awaitsFirstAnswer = ({ session, progress }: ChatSummary) =>
  session.isActive && !progress.isErased && progress.lastSequence > 0 && progress.lastAnswer === null

/**
 * The notification of chats that wait: it holds only our own words, because others may see a locked screen. For several
 * chats it holds their number, so that a later notification can replace an earlier one.
 */
export const chatPushMessage = ([first, ...others]: readonly [string, ...string[]]) =>
  others.length === 0
    ? { title: 'A visitor waits in the chat', body: 'No reply yet.', sessionId: first }
    : { title: `${others.length + 1} chats wait for an answer`, body: 'They have had no reply yet.', kind: 'chats' }
