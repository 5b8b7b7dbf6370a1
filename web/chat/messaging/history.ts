import type { ChatMessage } from '../../../events/chat/wire.ts'
import { type Conversation, mergeMessages } from './conversation.ts'

const firstSequence = ({ messages }: Conversation) => messages[0]?.sequence ?? 0

export const hasEarlier = (conversation: Conversation) => firstSequence(conversation) > 1

/**
 * Adds the newest part of a chat. Cached messages stay if there is no gap before the new ones; the rest is dropped, and
 * can be requested as earlier messages.
 */
export const withNewest = (conversation: Conversation, newest: readonly ChatMessage[]): Conversation => {
  let first = newest[0]?.sequence ?? 0
  for (const { sequence } of conversation.messages.toReversed()) if (sequence === first - 1) first = sequence
  const messages = conversation.messages.filter(({ sequence }) => sequence >= first)
  return mergeMessages({ ...conversation, messages }, newest)
}

/** Adds the messages right before the oldest cached one; a page that no longer ends there changes nothing. */
export const withEarlier = (conversation: Conversation, earlier: readonly ChatMessage[]): Conversation =>
  earlier.at(-1)?.sequence === firstSequence(conversation) - 1 ? mergeMessages(conversation, earlier) : conversation
