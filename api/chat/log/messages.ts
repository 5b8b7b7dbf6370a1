import { randomUUID } from 'node:crypto'
import type { RecordedEvent } from '../../../events/base/definition.ts'
import {
  type ChatMessage,
  chatMessagePosted,
  chatStreams,
  messageStreams,
  OPEN_CHAT_VERSION,
} from '../../../events/chat/chat.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import type { LiveChatEvent } from '../../../events/chat/store/chat-notifications.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import type { ApiNode } from '../../node/node.ts'

type Post = Pick<ChatMessage, 'senderType' | 'senderName' | 'message'> & {
  clientMessageId: string | undefined
  file: ChatFile | undefined
  /** The staff member who writes; undefined for the visitor. */
  by: string | undefined
}

/** A stored message. */
export type PostedMessage = Extract<LiveChatEvent, { type: 'ChatMessagePosted' }> & {
  personal: NonNullable<RecordedEvent<typeof chatMessagePosted>['personal']>
}

/**
 * Stores a message, once for a clientMessageId however often it is sent, and calls back with its event or the error: a
 * LogError `guard_failed` if there is no such chat (its stream is at version 0) or it has ended. Throws a LogError if it
 * is refused at once.
 */
export const postMessage = (
  { log }: Pick<ApiNode, 'log'>,
  sessionId: string,
  post: Post,
  onPosted: (outcome: PostedMessage | Error) => void,
): void => {
  const { senderType, senderName, message, clientMessageId, file, by } = post
  // includes the sender, since the clientMessageIds of two senders of the same type may collide
  const sender = by ?? 'visitor'
  const id =
    clientMessageId === undefined ? randomUUID() : deterministicUuid('message', sessionId, sender, clientMessageId)
  const about = {
    subjectId: sessionId,
    personal: { senderName, message, clientMessageId: clientMessageId ?? null, ...(file && { file }) },
  }
  const event = { id, ...chatMessagePosted({ senderType, ...(by !== undefined && { by }) }, about) }
  const stream = messageStreams.of(sessionId)
  const guards = [{ stream: chatStreams.of(sessionId), version: OPEN_CHAT_VERSION }]
  log.enqueue({ stream, expectedVersion: 'any', guards, events: [event] }, (outcome) => {
    const place = outcome instanceof Error ? outcome : outcome.events[0]
    if (place === undefined || place instanceof Error) return onPosted(place ?? new Error('The log stored no message'))
    onPosted({ ...event, ...place, personal: about.personal, stream, schemaVersion: chatMessagePosted.schemaVersion })
  })
}
