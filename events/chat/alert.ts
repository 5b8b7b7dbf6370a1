/**
 * Staff are told on their devices of the chats that wait for a first answer, in support hours. One notification tells one
 * person of all of them, and the next one comes a minute later at the earliest: a script that begins many chats must not
 * ring without end. Each person has a stream, whose last event says which chats they were told of.
 */

import * as v from 'valibot'
import { defineEvent, defineStreams, type RecordedEvent } from '../base/definition.ts'
import type { ChatSummary } from './summary.ts'

/** How long a visitor waits before devices are told: who sees the chat on a screen answers first. */
export const CHAT_ALERT_AFTER_MS = 25_000

/** How long the devices of one person stay quiet once they were told. A chat that comes meanwhile is told at the end. */
export const CHAT_ALERT_EVERY_MS = 60_000

/** A chat whose first message is older is no news any more. It has ended by itself by then. */
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

/** A stream a member of staff, of when they were told. */
export const chatAlertStreams = defineStreams<RecordedEvent<typeof chatPushRequested>>('chat-alerts-to-')

/** Whether the visitor of a chat has written, and nobody has answered yet. */
export const awaitsFirstAnswer = ({ session, progress }: ChatSummary) =>
  session.isActive && !progress.isErased && progress.lastSequence > 0 && progress.lastAnswer === null

/**
 * What a device is told of the chats that wait: words of ours alone, since others may see a locked screen. Of several it is
 * told how many, so that a later notification can take the place of an earlier one.
 */
export const chatPushMessage = ([first, ...others]: readonly [string, ...string[]]) =>
  others.length === 0
    ? { title: 'A visitor waits in the chat', body: 'Nobody has answered yet.', sessionId: first }
    : { title: `${others.length + 1} chats wait for an answer`, body: 'Nobody has answered them yet.', kind: 'chats' }
