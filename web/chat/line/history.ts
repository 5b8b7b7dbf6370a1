import type { ChatMessage } from '../../../events/chat/wire.ts'
import { type Conversation, mergeMessages } from './conversation.ts'

const firstSequence = ({ messages }: Conversation) => messages[0]?.sequence ?? 0

/** Whether something was said before the oldest message that is known. */
export const hasEarlier = (conversation: Conversation) => firstSequence(conversation) > 1

/**
 * Adds the newest part of a chat. What was known before stays as far back as nothing is missing between two messages; the
 * rest goes: it can be asked for as what is earlier.
 */
export const withNewest = (conversation: Conversation, newest: readonly ChatMessage[]): Conversation => {
  let first = newest[0]?.sequence ?? 0
  for (const { sequence } of conversation.messages.toReversed()) if (sequence === first - 1) first = sequence
  const messages = conversation.messages.filter(({ sequence }) => sequence >= first)
  return mergeMessages({ ...conversation, messages }, newest)
}

/** Adds what was said right before the oldest message that is known; what ends elsewhere by now changes nothing. */
export const withEarlier = (conversation: Conversation, earlier: readonly ChatMessage[]): Conversation =>
  earlier.at(-1)?.sequence === firstSequence(conversation) - 1 ? mergeMessages(conversation, earlier) : conversation
